package import FuekiCrypto
internal import FuekiWallet

/// A Monero wallet's keys file: a nonce, a length, and that many encrypted bytes.
package struct MoneroKeysFile: Sendable {
  /// The password is wrong, or the nonce is damaged.
  struct WrongPassword: Error {}

  /// The limit of decryption.
  ///
  /// The keys of large multisig groups have some tens of KiB.
  private static let byteCountLimit = 4 << 20
  /// Marks the key of a background-sync wallet with a separate password.
  private static let backgroundMark: UInt8 = 0x8F

  private let nonce: [UInt8]
  private let sealed: [UInt8]

  /// Parses a complete file; nil if its length differs from the stated one.
  package init?(_ file: [UInt8]) {
    var reader = LittleEndianReader(file[...])
    guard let nonce = reader.take(ChaChaStream.nonceByteCount), let count = reader.length(), count > 0,
      let sealed = reader.take(count), reader.isAtEnd
    else { return nil }
    self.nonce = Array(nonce)
    self.sealed = Array(sealed)
  }

  /// Whether the file is short enough to be decrypted.
  var isReadable: Bool { sealed.count <= Self.byteCountLimit }

  /// Decrypts and parses the keys.
  ///
  /// The forms are tried in order: ChaCha20 since 2018, ChaCha8 before, then a background-sync wallet's.
  /// - Parameter key: ``CryptoNight``'s hash of the password.
  /// - Returns: the decrypted keys.
  /// - Throws: ``WrongPassword``, ``MoneroAccount/Malformed``, or the errors of ``SecretBytes/init(count:)``.
  func open(_ key: borrowing SecretBytes) throws -> MoneroAccount {
    for rounds in [ChaChaStream.Rounds.twenty, .eight] {
      let text = try ChaChaStream.apply(sealed.span, key: key, nonce: nonce, rounds: rounds)
      if text.withBytes({ MoneroAccount.isLikely($0) }) {
        return try account(text, key, isBackground: false)
      }
    }
    var seed = try SecretBytes(count: key.count + 1)
    key.withBytes { key in
      seed.withMutableBytes { seed in
        for place in key.indices { seed[place] = key[place] }
        seed[key.count] = Self.backgroundMark
      }
    }
    let digest = seed.withBytes { Keccak256.hash($0).bytes }
    let background = try SecretBytes(copying: digest.span)
    let text = try ChaChaStream.apply(sealed.span, key: background, nonce: nonce, rounds: .twenty)
    guard text.withBytes({ MoneroAccount.isLikely($0) }) else { throw WrongPassword() }
    return try account(text, background, isBackground: true)
  }

  private func account(
    _ text: borrowing SecretBytes, _ key: borrowing SecretBytes, isBackground: Bool
  ) throws -> MoneroAccount {
    var account = try MoneroAccount(reading: text, isBackground: isBackground)
    try account.decrypt(with: key)
    return account
  }
}

/// The keys of a Monero wallet, from its decrypted file.
package struct MoneroAccount: ~Copyable {
  /// Which of the two keys a wallet has.
  package enum Kind: Sendable {
    /// Both.
    case whole
    /// Only the view key.
    case watchOnly
    /// A share of the spend key.
    case multisig
    /// Only placeholders: a device has the keys.
    case device
  }

  /// The decrypted file starts in a known form but is damaged.
  package struct Malformed: Error {}

  private static let keyByteCount = 32
  private static let members = (
    spendSecret: "m_keys.m_spend_secret_key", viewSecret: "m_keys.m_view_secret_key",
    spend: "m_keys.m_account_address.m_spend_public_key", view: "m_keys.m_account_address.m_view_public_key",
    vector: "m_keys.m_encryption_iv"
  )

  /// Which of the two keys it has.
  package let kind: Kind
  /// The public spend key.
  package let spend: [UInt8]
  /// The public view key.
  package let view: [UInt8]
  /// The network; nil if the file does not state it.
  package let network: MoneroAddress.Network?
  /// The block at which a scan must start; zero if the file does not state it.
  let restoreHeight: UInt64
  /// The secret spend and view keys, encrypted a second time if there is a ``vector``.
  private var secrets: SecretBytes
  private let vector: [UInt8]?

  /// Whether a decrypted text has one of the two forms, which proves the key.
  ///
  /// The start or the end is enough, so that damage is not mistaken for a wrong password.
  static func isLikely(_ text: Span<UInt8>) -> Bool {
    let start = Array("{\"key_data\":\"".utf8)
    let endCount = 32
    guard text.count > endCount else { return false }
    if PortableStorage.isLikely(text) || start.indices.allSatisfy({ text[$0] == start[$0] }) { return true }
    return text[text.count - 1] == UInt8(ascii: "}")
      && (text.count - endCount..<text.count).allSatisfy { 0x20...0x7E ~= text[$0] }
  }

  /// Parses the decrypted text: JSON settings with the keys or, before 2014, only the keys.
  package init(reading text: borrowing SecretBytes, isBackground: Bool = false) throws {
    let settings = text.withBytes { MoneroSettings($0) }
    guard let settings else {
      try self.init(storage: text, isEncrypted: false, .whole, network: nil, restoreHeight: 0)
      return
    }
    guard let range = settings.text("key_data") else { throw Malformed() }
    var storage = try SecretBytes(count: range.count)
    let count = text.withBytes { bytes in
      storage.withMutableBytes { MoneroSettings.unescape(range, in: bytes, into: &$0) }
    }
    guard let count else { throw Malformed() }
    func number(_ name: String) -> UInt64 { text.withBytes { settings.number(name, in: $0) } ?? 0 }
    let kind: Kind =
      if isBackground || number("watch_only") != 0 {
        .watchOnly
      } else if number("key_on_device") != 0 {
        .device
      } else if number("multisig") != 0 {
        .multisig
      } else {
        .whole
      }
    try self.init(
      storage: storage.copy(0..<count), isEncrypted: number("encrypted_secret_keys") != 0, kind,
      network: text.withBytes { settings.number("nettype", in: $0) }.flatMap { .init(setting: $0) },
      restoreHeight: number("refresh_height"))
  }

  private init(
    storage: borrowing SecretBytes, isEncrypted: Bool, _ kind: Kind, network: MoneroAddress.Network?,
    restoreHeight: UInt64
  ) throws {
    guard let texts = storage.withBytes({ PortableStorage($0) })?.texts else { throw Malformed() }
    func range(_ name: String, _ count: Int = Self.keyByteCount) throws -> Range<Int> {
      guard let range = texts[name], range.count == count else { throw Malformed() }
      return range
    }
    func bytes(_ range: Range<Int>) -> [UInt8] { storage.withBytes { bytes in range.map { bytes[$0] } } }
    let (spend, view) = (bytes(try range(Self.members.spend)), bytes(try range(Self.members.view)))
    let vector = isEncrypted ? bytes(try range(Self.members.vector, ChaChaStream.nonceByteCount)) : nil
    let (spendSecret, viewSecret) = (try range(Self.members.spendSecret), try range(Self.members.viewSecret))
    var both = try SecretBytes(count: 2 * Self.keyByteCount)
    storage.withBytes { bytes in
      both.withMutableBytes { both in
        for place in 0..<Self.keyByteCount {
          both[place] = bytes[spendSecret.lowerBound + place]
          both[Self.keyByteCount + place] = bytes[viewSecret.lowerBound + place]
        }
      }
    }
    (self.kind, self.network, self.restoreHeight) = (kind, network, restoreHeight)
    (self.spend, self.view, self.vector) = (spend, view, vector)
    secrets = both
  }

  /// Removes the second encryption of the keys, with a key derived from the file's own.
  mutating func decrypt(with key: borrowing SecretBytes) throws {
    guard let vector else { return }
    var seed = try SecretBytes(count: key.count + 1)
    key.withBytes { key in
      seed.withMutableBytes { seed in
        for place in key.indices { seed[place] = key[place] }
        seed[key.count] = UInt8(ascii: "k")
      }
    }
    let inner = try seed.withBytes { seed throws(CryptoError) in try CryptoNight.hash(seed) }
    secrets = try secrets.withBytes { secrets throws(CryptoError) in
      try ChaChaStream.apply(secrets, key: inner, nonce: vector, rounds: .twenty)
    }
  }

  /// Whether the secret view key matches the public one.
  func seesItsPayments() throws(CryptoError) -> Bool {
    try Self.isSecret(secrets.copy(Self.keyByteCount..<2 * Self.keyByteCount), of: view)
  }

  /// Whether the secret spend key matches the public one.
  package func spendsItsMoney() throws(CryptoError) -> Bool {
    try Self.isSecret(secrets.copy(0..<Self.keyByteCount), of: spend)
  }

  private static func isSecret(_ secret: borrowing SecretBytes, of key: [UInt8]) throws(CryptoError) -> Bool {
    var scalar = try SecretBytes(count: keyByteCount)
    secret.withBytes { bytes in
      scalar.withMutableBytes { scalar in
        for place in bytes.indices { scalar[bytes.count - 1 - place] = bytes[place] }
      }
    }
    guard CurveScalar.isKey(scalar, on: .ed25519) else { return false }
    return try CurvePoint.multiplyBase(scalar, on: .ed25519) == key
  }
}

/// Encodes Monero addresses: a network byte, two public keys and four bytes of Keccak-256, in Monero's
/// variant of Base58.
package enum MoneroAddress {
  /// A network, with the first byte of its addresses.
  package enum Network: UInt8, CaseIterable, Sendable {
    /// The main network.
    case mainnet = 18
    /// The network for developing Monero itself.
    case testnet = 53
    /// The network for developing applications.
    case stagenet = 24

    /// The network by its number in a wallet's settings.
    ///
    /// A private chain uses the main network's addresses.
    init?(setting: UInt64) {
      switch setting {
      case 0, 3: self = .mainnet
      case 1: self = .testnet
      case 2: self = .stagenet
      default: return nil
      }
    }

    /// The network's name for people.
    package var name: String {
      switch self {
      case .mainnet: "mainnet"
      case .testnet: "testnet"
      case .stagenet: "stagenet"
      }
    }
  }

  private static let blockByteCount = 8
  /// The number of characters for a block of each length in bytes.
  private static let characterCounts = [0, 2, 3, 5, 6, 7, 9, 10, 11]

  /// Returns a wallet's primary address.
  package static func encode(spend: [UInt8], view: [UInt8], on network: Network) -> String {
    let payload = [network.rawValue] + spend + view
    let bytes = payload + Keccak256.hash(payload.span).bytes.prefix(4)
    return stride(from: 0, to: bytes.count, by: blockByteCount).map { start in
      let block = bytes[start..<min(start + blockByteCount, bytes.count)]
      // Every block is padded with the digit for zero to the length of the largest one.
      let digits = Base58.encode(Array(block.drop { $0 == 0 }))
      return String(repeating: "1", count: characterCounts[block.count] - digits.utf8.count) + digits
    }.joined()
  }
}
