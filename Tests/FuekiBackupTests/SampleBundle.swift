import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiSystem
import FuekiWallet
import SwiftProtobuf
import TestSupport

/// A small bundle and what it takes to write it, at the key derivation's floor.
struct SampleBundle {
  static let cost = Argon2id.Cost(memoryKiB: 65_536, passes: 2)
  static let vaultID = VaultID(words: (0x0707_0707_0707_0707, 0x0707_0707_0707_0707))
  static let shareID = [UInt8]((1...16))
  static let shareSecret = [UInt8]("this is a share's canary secret.".utf8)

  let passphrase: SharedSecret

  init() throws {
    let bytes = [UInt8]("correct horse battery staple".utf8)
    passphrase = SharedSecret(try SecretBytes(copying: bytes.span))
  }

  func bundle(transactions: Int = 5, sharesSecret: Bool = true) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    var wallet = Wallet()
    wallet.id = PackedText.pack("wallet-1")
    wallet.name = "Savings"
    wallet.kind = "hot"
    wallet.chainFamily = "evm"
    wallet.chainID = "1"
    try builder.add(wallet)
    var contact = Contact()
    contact.id = PackedText.pack("contact-1")
    contact.name = "Grandmother"
    try builder.add(contact)
    for number in 0..<transactions {
      var transaction = Transaction()
      transaction.id = PackedText.pack("transaction-\(number)")
      transaction.walletID = wallet.id
      transaction.amount = String(repeating: "9", count: 78)
      try builder.add(transaction)
    }
    if sharesSecret {
      var descriptor = KeyShareDescriptor()
      descriptor.id = Data(Self.shareID)
      descriptor.curve = "secp256k1"
      let plain = Self.shareSecret
      try builder.add(share: descriptor, secret: SharedSecret(try SecretBytes(copying: plain.span)))
    }
    var report = SourceReport()
    report.name = "sample"
    report.complete = true
    builder.report(report)
    return builder.build()
  }

  func slots() -> [NewSlot] { [.passphrase(passphrase, cost: Self.cost)] }

  var facts: ManifestFacts { ManifestFacts(program: "tests", label: "sample", device: "bench") }

  /// Writes the bundle to a file and returns it as an intact archive.
  func archive(
    _ bundle: BackupBundle, in folder: borrowing TemporaryDirectory, name: String = "a.fueki",
    suite: Suite = .columns
  ) throws -> IntactArchive {
    let file = ArchiveFile(try folder.open().createFile(name))
    let draft = ArchiveDraft(
      vaultID: Self.vaultID, sequence: 1, previous: .zero, created: 1_700_000_000, suite: suite)
    _ = try bundle.write(to: file, draft: draft, slots: slots(), facts: facts)
    let report = try StoredArchive(reading: file).verify()
    guard let intact = report.intact else { throw ArchiveError.damaged(report.damage.first ?? .structure) }
    return intact
  }

  func open(_ intact: IntactArchive) throws -> OpenArchive {
    try intact.unlock(with: UnlockingSecrets(passphrases: [passphrase]))
  }
}

/// A keychain in memory, for tests of the stage that fills one.
final class MemoryKeychain: KeychainAccess {
  private(set) var shares: [[UInt8]: [UInt8]] = [:]
  private(set) var isWritten = false
  /// Keeps something else than what it was given, as a failing disk would.
  var isFailing = false

  func add(share descriptor: KeyShareDescriptor, secret: borrowing SecretBytes) {
    var bytes = secret.withBytes { bytes in bytes.indices.map { bytes[$0] } }
    if isFailing { bytes[0] ^= 1 }
    shares[[UInt8](descriptor.id)] = bytes
  }

  func add(secretRecord: borrowing SecretBytes, of section: Section) {}
  func write() { isWritten = true }

  func holds(share id: [UInt8], secret: borrowing SecretBytes) -> Bool {
    let held = shares[id] ?? []
    return secret.withBytes { bytes in bytes.indices.map { bytes[$0] } } == held
  }
}

/// A destination in memory that counts what it is given.
final class MemoryDestination: Destination {
  private(set) var records: [Section: [[UInt8]]] = [:]
  private(set) var isFinished = false

  func begin(_ manifest: Manifest, vaultID: VaultID) {}

  func restore(_ records: SectionRecords) throws -> UInt64 {
    var count: UInt64 = 0
    let section = records.section
    try records.forEachBlock(decode: { block in block.messages.map { Array(block.bytes[$0]) } }) { messages in
      self.records[section, default: []] += messages
      count += UInt64(messages.count)
    }
    return count
  }

  func finish() { isFinished = true }
}
