import FoundationEssentials
import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet

/// An app's own records, out into a sealed archive and back into a wallet's store.
@main
struct Example {
  /// The cheapest cost that an archive may have, so that the example is quick; an app takes 256 MiB and 3 passes.
  static let cost = Argon2id.Cost(memoryKiB: 64 << 10, passes: 2)

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.path + "/fueki-example-" + UUID().uuidString
    let target = folder + "/target"
    try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }

    let records = try AppRecords()
    let passphrase = try secret("a passphrase on paper")
    let path = try backUp(records, passphrase, to: target, state: folder + "/state")
    let restored = folder + "/restored"
    try restore(path, passphrase, keychainPassphrase: secret("another one, for this machine"), to: restored)

    let store = try WalletStore.open(restored)
    let opening = KeychainOpening([.passphrase(try secret("another one, for this machine"))])
    let shares = try Keychain.read(restored, with: opening).shares
    let isSame =
      try store.wallets.all() == [records.wallet] && store.contacts.all() == [records.contact]
      && store.settings.all() == [records.setting]
      && store.transactions.find(id: records.transaction.id) == records.transaction
      && shares.map(\.descriptor) == [records.descriptor]
      && shares.allSatisfy { $0.secret.bytes.isEqualInConstantTime(to: records.share.bytes) }
    try store.close()
    print(isSame ? "example: every record came back" : "example: what came back differs")
    if !isSame { throw ExampleError.recordsDiffer }
  }

  static func backUp(
    _ records: AppRecords, _ passphrase: SharedSecret, to target: String, state: String
  ) throws -> String {
    let backup = Backup(
      targets: [Target(path: target, kind: .local)], vaultID: .random(),
      slots: [.passphrase(passphrase, cost: cost)],
      facts: ManifestFacts(program: "example 1.0", label: "example", device: "this machine"),
      created: UInt64(SystemClock.now / 1_000_000))
    let lock = try StateDirectory(path: state)
      .lock(purpose: "example", processID: ProcessInfo.processInfo.processIdentifier)
    let report = try backup.create(state: lock, progress: { _ in }) {
      var bundle = BackupBundle.Builder()
      try bundle.add(records.wallet)
      try bundle.add(records.contact)
      try bundle.add(records.setting)
      try bundle.add(records.transaction)
      try bundle.add(share: records.descriptor, secret: records.share)
      return bundle.build()
    }
    return report.paths[0]
  }

  static func restore(
    _ path: String, _ passphrase: SharedSecret, keychainPassphrase: SharedSecret, to directory: String
  ) throws {
    let archive = try StoredArchive(reading: ArchiveFile(File.open(path)))
    let recovery = Recovery(clock: { SystemClock.monotonicSeconds }) {
      UnlockingSecrets(passphrases: [passphrase])
    }
    let outcome = try recovery.run(archive, resyncer: nil, progress: { _ in }) { _ in
      let destination = try StoreDestination(
        dataDirectory: directory, keychainSlots: [.passphrase(keychainPassphrase, cost: cost)])
      return (destination, destination.keychain)
    }
    for stage in outcome.stages {
      print("\(stage.stage.rawValue): \(stage.counts.values.reduce(0, +)) records")
    }
  }

  static func secret(_ text: String) throws -> SharedSecret {
    let passphrase = try Passphrase(normalising: SecretBytes(copying: [UInt8](text.utf8).span))
    return SharedSecret(try passphrase.bytes.copy(0..<passphrase.bytes.count))
  }
}

enum ExampleError: Error { case recordsDiffer }

/// One record of each kind that an app is likely to have.
struct AppRecords {
  var wallet = Wallet()
  var contact = Contact()
  var setting = Setting()
  var transaction = Transaction()
  var descriptor = KeyShareDescriptor()
  let share: SharedSecret

  init() throws {
    let address = PackedText.pack("0xdE9804C59087830c3cF672A038bae52Fa991c5be")
    wallet.id = PackedText.pack("f47ac10b-58cc-4372-a567-0e02b2c3d479")
    (wallet.name, wallet.kind) = ("Savings", WalletKind.tss.rawValue)
    (wallet.chainFamily, wallet.chainID, wallet.address) = ("evm", "1", address)
    contact.id = PackedText.pack("ada")
    (contact.name, contact.address, contact.chainFamily) = ("Ada", address, "evm")
    (setting.key, setting.value) = ("currency", "\"EUR\"")
    transaction.id = PackedText.pack("tx-1")
    (transaction.walletID, transaction.from, transaction.to) = (wallet.id, address, address)
    // Amounts are text: 256 bits have 78 digits, which no number type here can hold.
    (transaction.amount, transaction.status) = (String(repeating: "9", count: 78), "pending")

    let scalar = try CurveScalar.random(on: .secp256k1)
    descriptor.id = Data(RandomBytes.bytes(16))
    descriptor.walletID = wallet.id
    (descriptor.curve, descriptor.encoding, descriptor.name) = ("secp256k1", "scalar", "this device")
    descriptor.ownPublicPoint = Data(try CurvePoint.multiplyBase(scalar, on: .secp256k1))
    share = SharedSecret(scalar)
  }
}
