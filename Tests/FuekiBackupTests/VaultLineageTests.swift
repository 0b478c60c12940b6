import FuekiArchive
import FuekiBackup
import FuekiCrypto
import Testing

/// The places of a vault's archives, with numbers that only who wants to do harm writes.
@Suite struct VaultLineageTests {
  @Test(arguments: [true, false])
  func `behind the highest number there is no place, and no end of the program`(adopting: Bool) throws {
    let known = VaultState.Link(sequence: .max, digest: SHA256.hash([1]))
    #expect(throws: LineageError.forked(sequence: .max, known: .max)) {
      try VaultLineage.next(
        of: SampleBundle.vaultID, state: VaultState(known: known), found: [],
        ownerships: Ownerships(of: [], trust: Trust()), adopting: adopting)
    }
  }

  @Test func `what is known may have the highest number`() throws {
    let known = VaultState.Link(sequence: .max, digest: SHA256.hash([1]))
    let facts = { (sequence: UInt64) in
      HeaderFacts(
        archiveID: [], vaultID: SampleBundle.vaultID, sequence: sequence, previous: SHA256.hash([2]),
        created: .max,
        signer: nil)
    }
    try VaultLineage.judge(facts(.max), digest: SHA256.hash([1]), known: known)
    #expect(throws: LineageError.forked(sequence: .max, known: .max)) {
      try VaultLineage.judge(facts(.max), digest: SHA256.hash([3]), known: known)
    }
    #expect(throws: LineageError.olderThanKnown(sequence: 1, known: .max)) {
      try VaultLineage.judge(facts(1), digest: SHA256.hash([1]), known: known)
    }
    let before = VaultState.Link(sequence: .max - 1, digest: SHA256.hash([1]))
    #expect(throws: LineageError.forked(sequence: .max, known: .max - 1)) {
      try VaultLineage.judge(facts(.max), digest: SHA256.hash([1]), known: before)
    }
  }
}
