import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import TestSupport
import Testing

/// The record of damaged archives, as several runs change it.
struct DamageRecordingTests {
  private static let name = "a.fueki"

  /// Writes an archive for a recipient whose key does not exist.
  private func write(_ folder: borrowing TemporaryDirectory) throws {
    let draft = ArchiveDraft(
      vaultID: SampleBundle.vaultID, sequence: 1, previous: .zero, created: 1_700_000_000, signer: nil)
    let slot = NewSlot.recipient(try X25519.publicKey(of: SecretBytes.random(count: 32)), opening: .all)
    _ = try SampleBundle().bundle().write(
      to: ArchiveFile(folder.open().createFile(Self.name)), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test"))
  }

  private func verify(_ folder: borrowing TemporaryDirectory) throws -> [VerificationResult] {
    let path = "\(folder.path)/\(Self.name)"
    return try VerifyRun(Verification(), trust: Trust(), start: SystemClock.now) { _ in }
      .run(on: [VerifySubject(named: path, ownership: nil, trusted: nil)])
  }

  @Test func `a run that may have read before another found damage keeps the other's record`() throws {
    let folder = try TemporaryDirectory()
    let state = StateDirectory(path: folder.path + "/state")
    try write(folder)
    let intact = try verify(folder)
    var bytes = try folder.read(Self.name)
    bytes[bytes.count / 2] ^= 1
    try folder.open().remove(Self.name)
    try folder.write(bytes, to: Self.name)
    let damaged = try verify(folder)
    #expect(intact.map(\.verdict) == [.intact] && damaged.map(\.verdict) == [.damaged])
    func isRecorded(_ results: [VerificationResult], from start: Int64, to now: Int64) throws -> Bool {
      let recording = DamageRecording(in: state, trust: Trust(), start: start, now: now)
      #expect(try recording.record(results, isInterrupted: false))
      return try state.damagedArchives() != DamagedArchives()
    }
    #expect(try isRecorded(damaged, from: 10, to: 20))
    #expect(try isRecorded(intact, from: 5, to: 30))
    #expect(try isRecorded(intact, from: 20, to: 30))
    #expect(try !isRecorded(intact, from: 21, to: 30))
    // The clock has gone back since.
    #expect(try isRecorded(damaged, from: 40, to: 50))
    #expect(try !isRecorded(intact, from: 21, to: 30))
  }
}
