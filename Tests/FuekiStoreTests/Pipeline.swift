import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import SwiftProtobuf

/// A complete backup and restore through a real archive.
enum Pipeline {
  /// Returns a private key of 32 bytes.
  ///
  /// Opening an archive with a key avoids the cost of a password derivation in each test.
  private static func identity() throws -> SharedSecret {
    try Samples.secret("32 bytes of an archive's reader.")
  }

  static func unlocking() throws -> UnlockingSecrets {
    UnlockingSecrets(identities: [.x25519(try identity())])
  }

  static func bundle(
    _ directory: String, _ opening: KeychainOpening? = nil, _ request: CollectionRequest = CollectionRequest()
  ) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    try StoreCollector(dataDirectory: directory, keychain: opening).collect(request, into: &builder)
    return builder.build()
  }

  /// A passphrase, which continuing a vault needs too: an archive sealed only to a public key proves no
  /// authorship.
  static let passphrase = "an archive's passphrase"

  static let vaultID = VaultID(words: (0x0707_0707_0707_0707, 0x0707_0707_0707_0707))

  static func write(_ bundle: BackupBundle, to path: String, withPassphrase: Bool = false) throws {
    let slash = path.lastIndex(of: "/") ?? path.startIndex
    let file = try Directory.open(String(path[..<slash])).createFile(
      String(path[path.index(after: slash)...]))
    let draft = ArchiveDraft(
      vaultID: vaultID, sequence: 1, previous: .zero, created: 1)
    let slot =
      withPassphrase
      ? NewSlot.passphrase(try Samples.secret(passphrase), cost: .init(memoryKiB: 64 << 10, passes: 2))
      : .recipient(try X25519.publicKey(of: identity().bytes))
    _ = try bundle.write(
      to: ArchiveFile(file), draft: draft, slots: [slot],
      facts: ManifestFacts(program: "test", label: "test", device: "test"))
  }

  @discardableResult
  static func restore(
    _ path: String, into destination: any Destination, keychain: (any KeychainAccess)? = nil
  ) throws -> RestoreReport {
    try restore(path) { _ in (destination, keychain) }
  }

  @discardableResult
  static func restore(
    _ path: String, progress: @escaping (RestoreProgress) throws -> Void = { _ in },
    prepare: (any UnlockedArchive) throws -> (any Destination, (any KeychainAccess)?)
  ) throws -> RestoreReport {
    let stored = try StoredArchive(reading: ArchiveFile(try File.open(path)))
    var recovery = Recovery(clock: { 0 }, secrets: { try unlocking() })
    // The shares of these tests are on no curve.
    recovery.options.acceptsDifferences = true
    return try recovery.run(stored, resyncer: nil, progress: progress) {
      let (destination, keychain) = try prepare($0)
      return (destination, keychain)
    }
  }

  /// Verifies an archive to its last record.
  static func verifyContents(_ path: String) throws -> VerificationResult {
    try Verification(depth: .contents, secrets: unlocking()).run(on: path, known: { _ in nil })
  }

  /// Returns the records of an archive by section, in order.
  static func records(_ path: String) throws -> Recorder {
    let recorder = Recorder()
    try restore(path, into: recorder)
    return recorder
  }
}

/// A destination that records the messages unchanged.
final class Recorder: Destination {
  private(set) var messages: [Section: [[UInt8]]] = [:]
  private(set) var manifest = Manifest()

  func begin(_ manifest: Manifest, vaultID: VaultID) throws { self.manifest = manifest }

  func restore(_ records: SectionRecords) throws -> UInt64 {
    try records.forEachBlock(decode: { block in block.messages.map { Array(block.bytes[$0]) } }) {
      messages[records.section, default: []] += $0
    }
    return UInt64(messages[records.section]?.count ?? 0)
  }

  func finish() throws {}

  func decoded<Record: SectionRecord>(_ type: Record.Type = Record.self) throws -> [Record] {
    try (messages[Record.section] ?? []).map { try Record(serializedBytes: $0) }
  }
}
