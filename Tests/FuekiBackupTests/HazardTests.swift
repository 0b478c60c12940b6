import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiWallet
import TestSupport
import Testing

struct HazardTests {
  @Test func `wallets that are dangerous are found, with dangers of any name`() throws {
    var sample = ProofSample()
    try sample.add("Node", "bitcoin", on: "bitcoin", at: "") { $0.hazards = ["lightning", "", "lightning"] }
    try sample.add("Plain", at: "")
    try sample.add("Newer", at: "") { $0.hazards = ["restaking", "validator"] }
    let folder = try TemporaryDirectory()
    let bundle = try SampleBundle()
    let open = try bundle.open(try bundle.archive(sample.builder.build(), in: folder))
    let found = try open.hazardousWallets(in: .everything)
    #expect(found.map(\.name) == ["Node", "Newer"])
    #expect(found.map(\.hazards) == [["lightning"], ["restaking", "validator"]])
    #expect(found[0].idText == "Node")
    #expect(found[1].unconfirmed(["validator"]) == ["restaking"])
    #expect(found[1].unconfirmed(["validator", "restaking", "ark"]).isEmpty)
    #expect(try open.hazardousWallets(in: .everything, ofWallets: ["Newer"]).map(\.name) == ["Newer"])
    let history = try SectionSelection(only: ["history"], exclude: [])
    #expect(try open.hazardousWallets(in: history).isEmpty)
  }

  @Test func `each danger says what can be lost and what to do instead`() {
    for hazard in WalletHazard.allCases {
      #expect(!hazard.danger.isEmpty && !hazard.remedy.isEmpty)
      #expect(WalletHazard.danger(of: hazard.rawValue) == hazard.danger)
    }
    #expect(WalletHazard.danger(of: "restaking").contains("restaking"))
  }

  @Test(arguments: [
    ("lightning", [WalletHazard.lightning]), ("Lightning (LDK)", [.lightning]), ("ark", [.ark]),
    ("bark", [.ark]), ("eth2-validator", [.validator]), ("tss", []), ("market", []), ("", []),
  ])
  func `a kind of wallet tells its danger`(kind: String, hazards: [WalletHazard]) {
    #expect(WalletHazard.ofKind(kind) == hazards)
  }
}
