internal import FuekiCrypto
internal import FuekiWallet

/// The addresses of the keys in a decrypted vault.
struct MetaMaskKeys {
  /// The first address of each seed phrase.
  private(set) var firsts: [EVMAddress] = []
  /// All addresses derived from its keys.
  private(set) var derived: [EVMAddress] = []
  /// Addresses whose keys are in devices or elsewhere, according to the keyrings.
  private(set) var elsewhere: Set<EVMAddress> = []
  /// The number of unreadable keyrings.
  private(set) var unreadCount = 0

  private static let accountLimit = 1000
  private static let usualPath = "m/44'/60'/0'/0"
  private static let phraseByteCountLimit = 1024

  /// Derives the keyrings' addresses.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  init(_ keyrings: GuardedDocument) throws {
    for keyring in keyrings.root.elements {
      let data = keyring.member("data")
      switch keyring.member("type")?.string {
      case "HD Key Tree": if try !addTree(data) { unreadCount += 1 }
      case "Simple Key Pair":
        let keys = data?.elements ?? []
        unreadCount += try keys.map { key in try addKey(key) ? 0 : 1 }.reduce(0, +)
      default: addElsewhere(data)
      }
    }
  }

  private mutating func addTree(_ data: GuardedValue?) throws -> Bool {
    guard let data, let phrase = try Self.phrase(data.member("mnemonic")),
      let path = DerivationPath(data.member("hdPath")?.string ?? Self.usualPath)
    else { return false }
    let count = data.member("numberOfAccounts")?.number.flatMap { Int($0) } ?? 1
    let seed = try SeedPhrase.seed(words: phrase, passphrase: try SecretBytes(count: 0))
    let branch = try ExtendedPrivateKey(seed: seed).descendant(path).publicKey()
    for index in 0..<UInt32(min(max(count, 1), Self.accountLimit)) {
      let key = try branch.child(DerivationStep(number: index)).key
      guard let address = try KeyAddresses(of: key, on: .secp256k1).evm else { continue }
      if index == 0 { firsts.append(address) }
      derived.append(address)
    }
    return true
  }

  /// Returns a phrase, stored as text or as its bytes in a list or, in some versions, an object.
  private static func phrase(_ value: GuardedValue?) throws -> SecretBytes? {
    guard let value else { return nil }
    if let text = try value.secret() { return try text.bytes.copy(0..<text.bytes.count) }
    let numbers = value.kind == .object ? value.members.map(\.value) : value.elements
    guard 1...phraseByteCountLimit ~= numbers.count else { return nil }
    var bytes = try SecretBytes(count: numbers.count)
    let isRead = bytes.withMutableBytes { bytes in
      for (index, number) in numbers.enumerated() {
        guard let byte = number.number.flatMap({ UInt8($0) }) else { return false }
        bytes[index] = byte
      }
      return true
    }
    guard isRead else { return nil }
    return bytes
  }

  private mutating func addKey(_ value: GuardedValue) throws -> Bool {
    guard let text = try value.secret(), let scalar = try Self.scalar(text.bytes),
      CurveScalar.isKey(scalar, on: .secp256k1)
    else { return false }
    let point = try CurvePoint.multiplyBase(scalar, on: .secp256k1)
    guard let address = try KeyAddresses(of: point, on: .secp256k1).evm else { return false }
    derived.append(address)
    return true
  }

  /// Returns the key of 64 hexadecimal digits, with or without `0x`.
  private static func scalar(_ text: borrowing SecretBytes) throws(CryptoError) -> SecretBytes? {
    let start = text.count == 66 ? 2 : 0
    guard text.count == 64 || text.count == 66 else { return nil }
    var key = try SecretBytes(count: 32)
    let isRead = text.withBytes { text in
      key.withMutableBytes { key in
        for index in 0..<32 {
          guard let high = digit(text[start + 2 * index]), let low = digit(text[start + 2 * index + 1]) else {
            return false
          }
          key[index] = high << 4 | low
        }
        return true
      }
    }
    guard isRead else { return nil }
    return key
  }

  private static func digit(_ character: UInt8) -> UInt8? {
    switch character {
    case 0x30...0x39: character - 0x30
    case 0x41...0x46: character - 0x41 + 10
    case 0x61...0x66: character - 0x61 + 10
    default: nil
    }
  }

  /// Adds the accounts of a device's keyring.
  private mutating func addElsewhere(_ data: GuardedValue?) {
    for account in data?.member("accounts")?.elements ?? [] {
      if let address = account.string.flatMap({ try? EVMAddress($0) }) { elsewhere.insert(address) }
    }
  }
}
