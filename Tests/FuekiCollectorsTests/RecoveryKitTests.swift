import FoundationEssentials
import FuekiBackup
import FuekiCollectors
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// Institutions' kits: encrypted, kept complete, and never combined.
@Suite(.enabled(if: Fixtures.folder("wallets/fireblocks") != nil, "the fixtures are not here"))
struct RecoveryKitTests {
  private func read(_ path: String, _ words: String? = nil) throws -> ImportedRecords {
    let folder = try #require(Fixtures.folder("wallets"))
    return try CollectorKind.source(
      "\(path.hasPrefix("fire") ? "fireblocks" : "io.finnet"):\(folder)/\(path)",
      passphrase: words.map { ForeignFiles.asking($0) }
    ).read(CollectionRequest()).holdingFiles()
  }

  @Test func `Fireblocks' kits are whole`() throws {
    for (name, keys) in [
      ("backup.zip", ["021d84f3b6d7c6888f81c7cc381b658d85319f27e1ea9c93dff128667fb4b82ba0"]),
      (
        "backup_new.zip",
        [
          "02e0bf609d7ced9c49e9f4c1d1df0142bb95eb622fa617a9f7280fa23b7f013dc6",
          "50cfee85dabebed78f43e94a1b7afd13c20461ad66efa083779bdeffd22269d9",
        ]
      ),
    ] {
      let records = try read("fireblocks/\(name)")
      #expect(records.findings.map(\.detail) == keys, "\(name)")
      #expect(records.verdicts.allSatisfy { $0 == "not-proved needs-password" })
      #expect(records.files.count == 1 && records.secretFiles.isEmpty && records.shares.isEmpty)
      #expect(try Array(records.files[0].content) == Fixtures.file("wallets/fireblocks/\(name)"))
    }
    #expect(
      try read("fireblocks/json_share.zip").verdicts == [
        "not-proved needs-password", "not-proved needs-password",
      ])
  }

  @Test func `a kit that is damaged, or lacks a share, is named`() throws {
    let whole = try Fixtures.file("wallets/fireblocks/backup.zip")
    var changed = whole
    changed[300] ^= 1
    #expect(try CollectorKind.read("fireblocks", changed).findings.contains { $0.isFaulty })
    let cut = try CollectorKind.read("fireblocks", Array(whole.dropLast(30)))
    #expect(cut.verdicts == ["faulty malformed"] && cut.files.count == 1)
    let name = Array("923242535_".utf8)
    var renamed = whole
    for start in renamed.indices.dropLast(name.count)
    where Array(renamed[start..<start + name.count]) == name { renamed[start] = UInt8(ascii: "x") }
    #expect(try CollectorKind.read("fireblocks", renamed).verdicts == ["faulty quorum"])
  }

  @Test func `io.finnet's backup opens with its words`() throws {
    let words =
      "jacket zone rotate merry forward paper cruel forget train prevent teach bitter lumber razor uncle stairs "
      + "finger chief curtain render tray tower odor garbage"
    #expect(try read("iofinnet/new_single.json").verdicts == ["not-proved needs-password"])
    let open = try read("iofinnet/new_single.json", words)
    #expect(open.verdicts == ["proved opened"] && open.findings[0].detail == "phrot42ltzawmn7nrm7mqvl5, 0")
    #expect(open.files.count == 1 && open.secretFiles.isEmpty)
    let wrong = words.replacing("jacket", with: "garbage")
    #expect(try read("iofinnet/new_single.json", wrong).verdicts == ["not-proved wrong-password"])
    #expect(try read("iofinnet/new_single.json", "no words").verdicts == ["not-proved wrong-password"])
    let folder = try #require(Fixtures.folder("wallets/iofinnet"))
    #expect(try CollectorKind.recognised(at: "\(folder)/new_single.json")?.name == "io.finnet")
  }
}
