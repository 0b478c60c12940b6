import FuekiArchive
import FuekiBackup
import Testing

/// The names of recovery files, and their amount.
struct ParityTests {
  private let archive = "wallet-20261121T063000Z-000001-7c1e09ab0102.fueki"

  @Test(arguments: [".par2", ".vol0+5.par2", ".vol000+113.par2"])
  func `an archive's recovery files are known by their names`(_ end: String) {
    #expect(ParityName.isOne(archive + end, of: archive))
    #expect(ParityName.isOne(archive + end))
    #expect(!ParityName.isOne("other" + archive + end, of: archive))
  }

  @Test(arguments: [
    "", ".par3", ".vol+5.par2", ".vol5.par2", ".volx+y.par2", ".par2.1", ".vol1+2+3.par2", "/.par2",
  ])
  func `other names are not an archive's recovery files`(_ end: String) {
    #expect(!ParityName.isOne(archive + end, of: archive))
  }

  @Test(arguments: [".par2.part", ".sync-conflict-20261121-ABCDEFG.par2", ".PAR2", ".vol0+5.par2.crdownload"])
  func `copies and transfers of recovery files are no archives`(_ end: String) {
    #expect(ParityName.isOne(archive + end))
  }

  @Test func `an archive is no recovery file, and a kept damaged file is recognized`() {
    #expect(!ParityName.isOne(archive) && !ParityName.isOne("par2.fueki"))
    #expect(ParityName.isSetAside("\(archive).damaged-20261122T120000Z"))
    #expect(!ParityName.isSetAside(archive))
  }

  @Test func `percentages have one spelling`() {
    #expect(["0%", "5%", "100%"].compactMap { ParityAmount($0)?.percent } == [0, 5, 100])
    #expect(
      ["", "%", "5", "-1%", "101%", "5.5%", "5 %", "٥%", "1000%"].allSatisfy { ParityAmount($0) == nil })
  }
}
