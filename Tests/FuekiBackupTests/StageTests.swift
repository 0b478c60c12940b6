import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct StageTests {
  @Test func `every stage passes, in order, and the destination is finished once`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let keychain = MemoryKeychain()
    let destination = MemoryDestination()
    let recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    let outcome = try recovery.run(intact.source, resyncer: nil, progress: { _ in }) { _ in
      (destination, keychain)
    }
    #expect(outcome.stages.map(\.stage) == RestoreStage.allCases)
    #expect(outcome.resync == .notRun(reason: "not asked for"))
    #expect(outcome.restored[.transactions] == 5)
    #expect(outcome.restored[.keyShares] == 1)
    #expect(destination.isFinished)
    #expect(keychain.shares == [SampleBundle.shareID: SampleBundle.shareSecret])
  }

  @Test func `the chains are asked once everything is in place`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let destination = MemoryDestination()
    let recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    let outcome = try recovery.run(
      intact.source, resyncer: ResyncAfter(destination: destination), progress: { _ in }
    ) { _ in (destination, MemoryKeychain()) }
    #expect(outcome.stages.suffix(2).map(\.result) == [.resynced(.complete(wallets: 3)), .done])
    #expect(outcome.resync == .complete(wallets: 3))
  }

  @Test func `before the stage that decrypts shares, nothing read holds a share's plaintext`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let open = try sample.open(try sample.archive(try sample.bundle(), in: folder))
    for section in open.sections {
      _ = try open.readRecords(of: section.id) {
        $0.bytes
      } body: { bytes in
        #expect(!contains(bytes, SampleBundle.shareSecret))
      }
    }
    let file = try folder.read("a.fueki")
    #expect(!contains(file, SampleBundle.shareSecret))
  }

  @Test func `a keychain that reads back something else stops the restore before anything is in place`()
    throws
  {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let intact = try sample.archive(try sample.bundle(), in: folder)
    let keychain = MemoryKeychain()
    keychain.isFailing = true
    let destination = MemoryDestination()
    let recovery = Recovery(clock: { 0 }, secrets: { UnlockingSecrets(passphrases: [sample.passphrase]) })
    #expect(throws: PlaceError.keychainDiffers) {
      try recovery.run(intact.source, resyncer: nil, progress: { _ in }) { _ in (destination, keychain) }
    }
    #expect(!destination.isFinished)
    #expect(destination.records.isEmpty)
  }

  @Test func `a share that was altered inside a valid stream is refused`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    let file = ArchiveFile(try folder.open().createFile("altered.fueki"))
    let draft = ArchiveDraft(vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1)
    var manifest = Manifest()
    manifest.label = "altered"
    let body: [UInt8] = try manifest.serializedBytes()
    var writer = try ArchiveWriter(
      to: file, draft: draft, slots: sample.slots(), manifestByteCount: body.count)
    let plain = SampleBundle.shareSecret
    let secret = try SecretBytes(copying: plain.span)
    var sealed = try writer.seal(share: secret, id: SampleBundle.shareID)
    sealed[30] ^= 1
    var share = KeyShare()
    share.id = .init(SampleBundle.shareID)
    share.sealed = .init(sealed)
    let record: [UInt8] = try share.serializedBytes()
    var pending: [[UInt8]] = [record]
    try writer.write(section: Section.keyShares.rawValue) {
      guard let bytes = pending.popLast() else { return nil }
      return {
        var batch = RecordBatch()
        batch.append(bytes)
        return batch
      }
    }
    _ = try writer.finish(manifest: body)
    let report = try StoredArchive(reading: file).verify()
    let intact = try #require(report.intact)
    let open = try sample.open(intact)
    try open.checkContents()
    #expect(throws: ArchiveError.forged(.keyShare)) {
      try open.decryptShares(.everything, into: MemoryKeychain())
    }
  }

  @Test func `a secret is asked for only once the archive is known to be intact`() throws {
    let sample = try SampleBundle()
    let folder = try TemporaryDirectory()
    _ = try sample.archive(try sample.bundle(), in: folder)
    var bytes = try folder.read("a.fueki")
    bytes[40_000] ^= 1
    try folder.write(bytes, to: "b.fueki")
    let stored = try StoredArchive(reading: ArchiveFile(try File.open(folder.path("b.fueki"))))
    var wasAsked = false
    let recovery = Recovery(
      clock: { 0 },
      secrets: {
        wasAsked = true
        return UnlockingSecrets(passphrases: [])
      })
    #expect(throws: ArchiveError.damaged(.chunk(stream: .profile, chunk: 2))) {
      try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in (MemoryDestination(), nil) }
    }
    #expect(!wasAsked)
  }
}

/// A resync of a place that must be complete by then.
private struct ResyncAfter: Resyncer {
  let destination: MemoryDestination

  func resync() -> ResyncOutcome {
    #expect(destination.isFinished)
    return .complete(wallets: 3)
  }
}

/// Whether `needle` occurs in `haystack`.
func contains(_ haystack: [UInt8], _ needle: [UInt8]) -> Bool {
  guard haystack.count >= needle.count else { return false }
  return (0...haystack.count - needle.count).contains { start in
    haystack[start] == needle[0] && Array(haystack[start..<start + needle.count]) == needle
  }
}
