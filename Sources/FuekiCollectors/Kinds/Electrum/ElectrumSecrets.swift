internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

/// A secret of a wallet file, and its kind.
struct ElectrumSecret {
  let kind: String
  /// The position in the file, which identifies it within the wallet.
  let place: String
  let secret: SharedSecret
}

/// The secrets of a wallet file of any version, found by their positions.
struct ElectrumSecrets {
  private(set) var found: [ElectrumSecret] = []
  /// Whether the file has an unencrypted secret.
  private(set) var hasPlain = false
  /// The number of encrypted secrets not opened.
  private(set) var closedCount = 0

  /// The number of all secrets, opened or not.
  var count: Int { found.count + closedCount }

  private let isEncrypted: Bool
  private let key: SharedSecret?
  private let file: String

  /// Finds all secrets.
  ///
  /// Without a passphrase, encrypted ones are only counted.
  init(of root: GuardedValue, _ passphrase: SharedSecret?, file: String) throws {
    isEncrypted = root.member("use_encryption")?.boolean ?? false
    key = try isEncrypted ? passphrase.map(Self.key) : nil
    self.file = file
    let seedKind = root.member("seed_version")?.number == "4" ? "electrum-old-seed" : "electrum-seed"
    try add(root.member("seed"), seedKind, "seed")
    for (name, value) in root.members {
      switch name {
      case "master_private_keys":
        for (path, key) in value.members { try add(key, "extended-private-key", "\(name)/\(path)") }
      case "accounts":
        for (account, value) in value.members { try add(imported: value.member("imported"), account) }
      case "imported_keys", "keypairs": try add(imported: value, name)
      case "lightning_xprv", "lightning_privkey2":
        try add(value, "extended-private-key", name, neverEncrypted: true)
      case "channels", "channel_backups", "imported_channel_backups", "lightning_preimages",
        "submarine_swaps":
        // Their keys and revocation secrets stay in the file, which is kept complete.
        if !value.members.isEmpty || !value.elements.isEmpty { hasPlain = true }
      case "keystore": try add(keystore: value, name)
      default: if Self.isCosigner(name) { try add(keystore: value, name) }
      }
    }
  }

  /// Whether a member holds a cosigner's keystore: `x1/`, `x2/`, ….
  static func isCosigner(_ name: String) -> Bool {
    name.first == "x" && name.last == "/" && UInt8(name.dropFirst().dropLast()) != nil
  }

  private mutating func add(keystore: GuardedValue, _ name: String) throws {
    let seedKind =
      keystore.member("type")?.string == "old"
      ? "electrum-old-seed"
      : keystore.member("seed_type")?.string == "bip39" ? "seed-phrase" : "electrum-seed"
    try add(keystore.member("seed"), seedKind, "\(name)/seed")
    try add(keystore.member("passphrase"), "seed-phrase-passphrase", "\(name)/passphrase")
    try add(keystore.member("xprv"), "extended-private-key", "\(name)/xprv")
    try add(imported: keystore.member("keypairs"), name)
  }

  /// Adds imported keys by address or public key.
  ///
  /// The value is the key itself, or both.
  private mutating func add(imported keys: GuardedValue?, _ place: String) throws {
    for (name, value) in keys?.members ?? [] {
      try add(value.kind == .array ? value.elements.last : value, "private-key", "\(place)/\(name)")
    }
  }

  private mutating func add(
    _ value: GuardedValue?, _ kind: String, _ place: String, neverEncrypted: Bool = false
  ) throws {
    guard found.count < BackupLimits.secrets else {
      throw ForeignFileError.overLimit(reason: "\(file) has more than \(BackupLimits.secrets) secrets")
    }
    guard let text = try value?.secret(), text.bytes.count > 0 else { return }
    guard isEncrypted, !neverEncrypted else {
      hasPlain = true
      return found.append(ElectrumSecret(kind: kind, place: place, secret: text))
    }
    guard let key else {
      closedCount += 1
      return
    }
    found.append(ElectrumSecret(kind: kind, place: place, secret: try open(text, key, kind)))
  }

  /// Returns the key of encrypted fields: double SHA-256 of the passphrase.
  private static func key(_ passphrase: SharedSecret) throws -> SharedSecret {
    let once = try passphrase.bytes.withBytes { try SHA256.secretHash($0) }
    return SharedSecret(try once.withBytes { try SHA256.secretHash($0) })
  }

  private func open(_ text: SharedSecret, _ key: SharedSecret, _ kind: String) throws -> SharedSecret {
    let encoded = text.bytes.withBytes { $0.copied() }
    guard let message = Data(base64Encoded: Data(encoded)), message.count >= 2 * AESCipher.blockByteCount
    else { throw ForeignFileError.notThisFormat(reason: "an encrypted field of \(file) is damaged") }
    let opened: SecretBytes
    do throws(CryptoError) {
      opened = try AESCipher.decryptCBC(
        message.span.extracting(droppingFirst: AESCipher.blockByteCount), key: key.bytes,
        vector: Array(message.prefix(AESCipher.blockByteCount)))
    } catch .notAuthentic {
      throw ForeignFileError.wrongPassphrase(file: file)
    }
    // Fields are not authenticated, but with a wrong passphrase the text is not of its kind.
    let isRight = opened.withBytes { bytes in Self.looksRight(bytes, kind) }
    guard isRight else { throw ForeignFileError.wrongPassphrase(file: file) }
    return SharedSecret(opened)
  }

  private static func looksRight(_ bytes: Span<UInt8>, _ kind: String) -> Bool {
    switch kind {
    case "extended-private-key", "private-key":
      return bytes.count >= 50 && bytes.indices.allSatisfy { 0x30...0x7A ~= bytes[$0] }
    default:
      return (try? UTF8Span(validating: bytes)) != nil && bytes.indices.allSatisfy { bytes[$0] >= 0x20 }
    }
  }
}
