import FuekiArchive
import FuekiBackup
import Testing
import fueki_backup

/// A restore's messages about its stages, and about the addresses that it derived again.
struct StageWordingTests {
  private static let ends: [StageEnd] = [
    .done, .salvaged, .read(lost: .none, proofs: ProofTally()),
    .read(lost: .none, proofs: ProofTally(proved: 1, differing: 2, unchecked: 3)),
    .read(lost: StageLoss(scopes: [.history], records: 3), proofs: ProofTally()),
    .resynced(.notRun(reason: "not asked for")), .resynced(.complete(wallets: 3)),
    .resynced(.incomplete(wallets: 3, problems: ["one"])),
  ]

  @Test func `a stage's end is told as ever`() {
    #expect(
      Self.ends.map(\.sentence) == [
        "done", "damaged: only the undamaged parts are restored", "done",
        "done; addresses: 1 proved, 2 differ, 3 not checked",
        "in part. Lost: the whole history, 3 records", "not run: not asked for",
        "3 wallets are up to date", "incomplete for 1 of 3 wallets",
      ])
    #expect(ResyncOutcome.complete(wallets: 1).sentence == "1 wallet is up to date")
  }

  @Test func `only a stage with nothing else to tell is uneventful`() {
    for end in Self.ends { #expect(end.isUneventful == (end.sentence == "done"), "\(end)") }
  }

  @Test func `an address that was derived again is told with what it is derived from`() {
    let results: [Proof.Result] = [
      .proved(by: .keystore), .differs(.keyShares, .otherAddress(derived: "0x01")),
      .differs(.keyShares, .unsoundShares("some words")), .notChecked(.noKey),
    ]
    #expect(
      results.map { $0.sentence(of: "0x02") } == [
        "0x02 is derived from its keystore", "its key shares lead to 0x01, not to 0x02",
        "its key shares do not fit together: some words", "not checked: no restored key leads to its address",
      ])
    let one = Proof.Result.differs(.privateKey, .otherAddress(derived: "0x01"))
    #expect(one.sentence(of: "0x02") == "its private key leads to 0x01, not to 0x02")
  }
}
