import FoundationEssentials
import FuekiCrypto
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport

/// Distinguishable records, some with unusual contents.
enum Samples {
  static func id(_ number: Int) -> Data {
    packed([UInt8](repeating: UInt8(number & 255), count: 15) + [UInt8(number >> 8 & 255)])
  }

  static func hash(_ number: Int) -> Data {
    packed(SHA256.hash(Array("hash \(number)".utf8)).bytes)
  }

  static func address(_ number: Int) -> Data {
    packed(Array(SHA256.hash(Array("address \(number)".utf8)).bytes.prefix(20)))
  }

  private static func packed(_ bytes: [UInt8]) -> Data { PackedText.pack("0x\(Hex.encode(bytes))") }

  static func wallet(_ number: Int, kind: String = "hot") -> Wallet {
    var wallet = Wallet()
    wallet.id = id(number)
    wallet.name = "wallet \(number)"
    wallet.kind = kind
    wallet.chainFamily = "evm"
    wallet.chainID = "1"
    wallet.address = address(number)
    wallet.derivationPath = "m/44'/60'/0'/0/\(number)"
    wallet.balance = "1000"
    return wallet
  }

  /// Returns a new record of a kind with its id and nothing else.
  static func new<Record: SectionRecord>(_ type: Record.Type) throws -> Record {
    try .new { record in
      // A setting has its key for an id, and a receipt its transaction's.
      guard let field = type.kind.identity, record.recordID.packed.isEmpty else { return }
      let id = RecordID.random()
      var writer = WireWriter()
      if case .text = field.value {
        writer.append(field.number, text: id.description)
      } else {
        writer.append(field.number, bytes: [UInt8](id.packed))
      }
      try record.merge(serializedBytes: writer.bytes)
    }
  }

  static func transaction(_ number: Int, wallet: Int, status: String = "confirmed") -> Transaction {
    var transaction = Transaction()
    transaction.id = hash(1_000_000 + number)
    transaction.walletID = id(wallet)
    transaction.hash = hash(number)
    transaction.from = address(number)
    transaction.to = address(number + 1)
    transaction.amount = "\(number)"
    transaction.status = status
    transaction.timestamp = Int64(number) * 1_000_000
    transaction.blockNumber = UInt64(number)
    return transaction
  }

  static func receipt(_ number: Int) -> Receipt {
    var receipt = Receipt()
    receipt.id = hash(2_000_000 + number)
    receipt.transactionID = hash(1_000_000 + number)
    receipt.gasUsed = "21000"
    receipt.success = true
    var log = Log()
    log.address = address(number)
    log.topics = [hash(number), hash(number + 1)]
    log.index = 0
    receipt.logs = [log]
    return receipt
  }

  /// Returns edge-case records, at least one of each kind.
  static func awkward() -> AwkwardRecords { AwkwardRecords() }

  static func secret(_ text: String) throws -> SharedSecret {
    SharedSecret(try SecretBytes(copying: Array(text.utf8).span))
  }

  static func descriptor(_ number: UInt8) -> KeyShareDescriptor {
    var descriptor = KeyShareDescriptor()
    descriptor.id = Data(repeating: number, count: 16)
    descriptor.protocol = "gg18-ecdsa"
    descriptor.curve = "secp256k1"
    descriptor.groupPublicKey = Data(repeating: 2, count: 33)
    descriptor.encoding = "scalar"
    descriptor.name = "share \(number)"
    return descriptor
  }
}

/// A derivation without cost, and limits that allow it.
///
/// For tests only.
enum Cheap {
  static let cost = Argon2id.Cost(memoryKiB: 8, passes: 1)
  static let limits = KeychainLimits(memoryKiB: 8...64 << 10, passes: 1...16)

  static func slot(_ passphrase: String) throws -> NewKeychainSlot {
    .passphrase(try Samples.secret(passphrase), cost: cost)
  }

  static func opening(_ passphrase: String) throws -> KeychainOpening {
    KeychainOpening([.passphrase(try Samples.secret(passphrase))], limits: limits)
  }
}
