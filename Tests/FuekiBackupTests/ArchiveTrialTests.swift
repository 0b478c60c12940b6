import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The passphrase, tried on archives that anyone may have put there, while the time for it lasts.
@Suite final class ArchiveTrialTests {
  private static let ownCost = Argon2id.Cost(memoryKiB: 65_536, passes: 3)

  private let folder: TemporaryDirectory
  private let sample: SampleBundle

  init() throws {
    folder = try TemporaryDirectory()
    sample = try SampleBundle()
  }

  /// Makes an archive that a passphrase opens, and a recipient.
  private func make(
    _ sequence: UInt64, _ cost: Argon2id.Cost = SampleBundle.cost, isMine: Bool = false
  ) throws -> StoredArchive {
    let words = SharedSecret(try SecretBytes(copying: [UInt8]("a stranger's words".utf8).span))
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: sequence, previous: .zero, created: 1_795_242_600, signer: nil)
    let slots = [
      NewSlot.passphrase(isMine ? sample.passphrase : words, cost: cost, opening: .all),
      NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all),
    ]
    let name = "\(sequence)-\(cost.passes)-\(isMine).fueki"
    _ = try sample.bundle().write(
      to: ArchiveFile(folder.open().createFile(name)), draft: draft, slots: slots,
      facts: ManifestFacts(program: "test", label: "test", device: "test"))
    return try StoredArchive(at: folder.path(name))
  }

  /// A budget for so many tries, by a clock that a try advances by a second.
  private static func budget(tries: Int) -> TrialBudget {
    var time = -1.0
    return TrialBudget(seconds: Double(tries)) {
      time += 1
      return time
    }
  }

  private func doubt(_ archives: [StoredArchive], tries: Int, after sequence: UInt64? = nil) throws
    -> ArchiveDoubt?
  {
    let ownerships = try Ownerships(of: archives, trust: Trust())
    return try SignerLearning.doubtful(
      archives, after: sequence, ownerships, with: UnlockingSecrets(passphrases: [sample.passphrase]),
      Self.budget(tries: tries))
  }

  @Test func `what there was no time for is named, and is no archive that opens`() throws {
    let archives = try (1...3).reversed().map { try make($0) }
    let short = try #require(try doubt(archives, tries: 2))
    #expect(short.opened == nil && short.untried.map(\.facts.sequence) == [1])
    #expect(short.error == .untried([folder.path("1-2-false.fueki")], tried: 2))
    #expect(try doubt(archives, tries: 3) == nil)
    // Numbers up to the user's newest fork nothing.
    #expect(try doubt(archives, tries: 2, after: 1) == nil)
  }

  @Test func `a planted number hides no older archive that opens`() throws {
    let archives = [try make(9), try make(8), try make(2, isMine: true), try make(1, isMine: true)]
    let found = try #require(try doubt(archives, tries: 3))
    #expect(found.error == .inDoubt(sequence: 2, signer: nil))
  }

  @Test func `what costs as much as the own archives is tried first, then the cheapest`() throws {
    let own = try make(1, Self.ownCost, isMine: true)
    let archives = [try make(9), try make(8), try make(2, Self.ownCost, isMine: true)]
    let secrets = UnlockingSecrets(passphrases: [sample.passphrase])
    let first = try ArchiveTrial(secrets, Self.budget(tries: 1), costsOf: [own]).newest(of: archives)
    #expect(first.opened?.facts.sequence == 2 && first.untried.map(\.facts.sequence) == [9, 8])
    let unknown = try ArchiveTrial(secrets, Self.budget(tries: 2)).newest(of: archives)
    #expect(unknown.opened == nil && unknown.untried.map(\.facts.sequence) == [2])
  }
}
