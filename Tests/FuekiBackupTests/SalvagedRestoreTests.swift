import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

/// The pipeline over archives with damaged chunks.
@Suite struct SalvagedRestoreTests {
  /// A copy of an archive with one byte of a stream's chunk altered.
  private func damage(
    _ intact: IntactArchive, _ stream: ArchiveScope, chunk: Int, in folder: borrowing TemporaryDirectory
  ) throws -> StoredArchive {
    var bytes = try folder.read("a.fueki")
    let before = intact.source.streamBytes[..<(Int(stream.rawValue) - 1)].reduce(0, +)
    let number = Int(before) / Limits.chunkPlaintextBytes + chunk
    let headerBytes = 48 + Int(bytes[12]) + Int(bytes[13]) << 8
    bytes[headerBytes + number * Limits.chunkBytes + 100] ^= 1
    try folder.write(bytes, to: "damaged-\(chunk).fueki")
    return try StoredArchive(reading: ArchiveFile(try File.open(folder.path("damaged-\(chunk).fueki"))))
  }

  private func recovery(_ sample: SampleBundle) -> Recovery {
    var recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    recovery.options.salvages = true
    return recovery
  }

  @Test func `what is whole comes back, and the stages say what is lost`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let stored = try damage(intact, .history, chunk: 0, in: folder)
    let destination = MemoryDestination()
    let outcome = try recovery(sample).run(stored, resyncer: nil, progress: { _ in }) { archive in
      #expect(archive is SalvagedArchive)
      return (destination, MemoryKeychain())
    }
    #expect(destination.isFinished)
    #expect(destination.records[.wallets]?.count == 1 && destination.records[.transactions] == nil)
    #expect(outcome.restored[.keyShares] == 1)
    let loss = try #require(outcome.losses.sections.first)
    #expect(loss.section == 32 && loss.lostRecords == 5 && loss.gaps.first?.records == 1...5)
    #expect(!outcome.isComplete)
    #expect(
      outcome.stages.map(\.result) == [
        .salvaged, .done, .read(lost: .none, proofs: ProofTally()),
        .read(lost: .none, proofs: ProofTally(unchecked: 2)),
        .read(lost: StageLoss(scopes: [], records: 5), proofs: ProofTally()),
        .resynced(.notRun(reason: "not asked for")), .done,
      ])
    #expect(outcome.archive.digest == intact.digest)
  }

  @Test func `a lost share is named by its descriptor`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    // The shares' block alone, and then the index of the secrets.
    for chunk in [0, 3] {
      let stored = try damage(intact, .secrets, chunk: chunk, in: folder)
      let keychain = MemoryKeychain()
      let outcome = try recovery(sample).run(stored, resyncer: nil, progress: { _ in }) { _ in
        (MemoryDestination(), keychain)
      }
      #expect(keychain.shares.isEmpty)
      #expect(outcome.losses.shares.map { [UInt8]($0.id) } == [SampleBundle.shareID])
      #expect(outcome.losses.scopes == (chunk == 3 ? [.secrets] : []))
      #expect(outcome.closedScopes.isEmpty)
      #expect(outcome.restored[.transactions] == 5)
    }
  }

  @Test func `a share whose descriptor is lost is restored all the same`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let stored = try damage(intact, .profile, chunk: 0, in: folder)
    let keychain = MemoryKeychain()
    let outcome = try recovery(sample).run(stored, resyncer: nil, progress: { _ in }) { _ in
      (MemoryDestination(), keychain)
    }
    #expect(keychain.shares == [SampleBundle.shareID: SampleBundle.shareSecret])
    #expect(outcome.losses.sections.map(\.section) == [1, 2, 4, 6])
    #expect(outcome.losses.shares.isEmpty)
  }

  @Test func `a dry run names what would be lost`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let plan = try recovery(sample).plan(damage(intact, .history, chunk: 0, in: folder)) { _ in }
    #expect(plan.losses.sections.map(\.lostRecords) == [5])
  }

  @Test func `an intact archive is restored as ever`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let outcome = try recovery(sample).run(intact.source, resyncer: nil, progress: { _ in }) { archive in
      #expect(archive is OpenArchive)
      return (MemoryDestination(), MemoryKeychain())
    }
    #expect(outcome.isComplete)
  }

  @Test func `an export keeps what is lost in its manifest`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let stored = try damage(intact, .history, chunk: 0, in: folder)
    let export = try ExportDestination(output: folder.path("out"))
    _ = try recovery(sample).run(stored, resyncer: nil, progress: { _ in }) { _ in (export, nil) }
    let manifest = String(decoding: try folder.read("out/manifest.json"), as: UTF8.self)
    #expect(manifest.contains(#""lost_records":{"transactions":5}"#))
  }
}
