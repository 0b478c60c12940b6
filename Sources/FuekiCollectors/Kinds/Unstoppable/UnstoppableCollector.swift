internal import FoundationEssentials
internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  static let unstoppable = CollectorKind(
    UnstoppableCollector.kind, "encrypted backups of the Fueki app or Unstoppable Wallet", reach: .file,
    guide: .phones, fileNames: WalletNames(possible: ["*.json"]), what: "backup of Unstoppable Wallet",
    recognises: {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"")
        && ($0.contains("\"enabled_wallets\"") || $0.contains("\"manual_backup\""))
    },
    look: UnstoppableCollector.look)
}

/// A backup of the third-generation Fueki app, or of Unstoppable Wallet, from which it derives.
///
/// This is a full backup, or one wallet's with or without its name. Everything but names of coins, settings
/// and the watchlist is encrypted with the backup's passphrase.
enum UnstoppableCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "unstoppable"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let (format, program) = ("unstoppable-backup", "unstoppable")
    let content = TextLines.withoutMark(try found.publicBytes())
    guard asked.hasPassword else {
      try UnstoppableBackup.check(content)
      return .wallet(Kept(unopened: asked, .needsPassword, format: format, program: program))
    }
    do {
      let cipher = UnstoppableCipher(
        file: FileName.text(asked.path.pathBytes), password: asked.password)
      let records = try UnstoppableBackup(content, cipher: cipher).records
      return .wallet(try Kept(records, format: format, program: program, asked))
    } catch ForeignFileError.wrongPassphrase where asked.request.isForBackup {
      return .wallet(Kept(unopened: asked, .wrongPassword, format: format, program: program))
    }
  }
}

/// Decrypts the parts of one backup file.
///
/// The salt is a constant of the app, so all parts have one key, which is derived once. The cipher is AES-256
/// in counter mode despite its label, and the MAC covers the ciphertext's base64 text.
final class UnstoppableCipher {
  private struct Derivation: Hashable {
    let salt: [UInt8]
    let cost: Scrypt.Cost
    let count: Int
  }

  /// The app derives one key for a file.
  private static let derivationLimit = 8

  private let file: String
  private let password: AskedPassword
  private var keys: [Derivation: SharedSecret] = [:]

  /// Creates a cipher without asking yet.
  ///
  /// Errors include the file's name.
  init(file: String, password: AskedPassword) { (self.file, self.password) = (file, password) }

  /// Decrypts a part.
  ///
  /// - Throws: ``ForeignFileError``; errors of asking for the passphrase; ``CryptoError``.
  func open(_ part: JSONValue) throws -> SecretBytes {
    guard part.member("cipher")?.string == "aes-128-ctr", part.member("kdf")?.string == "scrypt" else {
      throw ForeignFileError.notThisFormat(reason: "\(file) is encrypted in a way that is not known")
    }
    guard let text = part.member("ciphertext")?.string, let ciphertext = Data(base64Encoded: text),
      let vector = (part.member("cipherparams")?.member("iv")?.string).flatMap({ Hex.decode($0) }),
      vector.count == AESCipher.blockByteCount,
      let declared = (part.member("mac")?.string).flatMap({ Hex.decode($0) }), declared.count == 32
    else { throw ForeignFileError.notThisFormat(reason: "an encrypted part of \(file) is damaged") }
    let key = try key(part.member("kdfparams"))
    let code = try Self.code(key, text)
    guard ConstantTime.areEqual(code.bytes.span, declared.span) else {
      throw ForeignFileError.wrongPassphrase(file: file)
    }
    return try key.bytes.withBytes { bytes in
      let whole = try SecretBytes(copying: bytes.extracting(0..<32))
      return try AESCipher.applyCTR(ciphertext.span, key: whole, vector: vector)
    }
  }

  private func key(_ parameters: JSONValue?) throws -> SharedSecret {
    func number(_ name: String) -> UInt64? { (parameters?.member(name)?.number).flatMap { UInt64($0) } }
    guard let salt = parameters?.member("salt")?.string, let n = number("n"), let r = number("r"),
      let p = number("p"), number("dklen") ?? 32 == 32
    else { throw ForeignFileError.notThisFormat(reason: "the key derivation of \(file) is not described") }
    let cost = Scrypt.Cost(n: n, r: r, p: p)
    let derivation = Derivation(salt: Array(salt.utf8), cost: cost, count: 32)
    if let known = keys[derivation] { return known }
    guard keys.count < Self.derivationLimit else {
      throw ForeignFileError.overLimit(
        reason: "\(file) asks for more work to derive its keys than any such file needs")
    }
    guard let typed = try password.read() else { throw ForeignFileError.passphraseNeeded(file: file) }
    let key: SharedSecret
    do {
      key = SharedSecret(
        try password.work.scrypt(from: typed.bytes, salt: derivation.salt, cost: cost, count: 32))
    } catch is WorkBudget.Exceeded {
      throw ForeignFileError.overLimit(
        reason: "\(file) asks for more work to derive its key than any such file needs")
    } catch CryptoError.derivationFailed {
      throw ForeignFileError.notThisFormat(reason: "the key derivation of \(file) is none that exists")
    }
    keys[derivation] = key
    return key
  }

  private static func code(_ key: SharedSecret, _ text: String) throws -> Digest {
    let text = Array(text.utf8)
    var input = try SecretBytes(count: 16 + text.count)
    key.bytes.withBytes { key in
      input.withMutableBytes { input in
        input.write(key.extracting(16..<32), at: 0)
        input.write(text.span, at: 16)
      }
    }
    return input.withBytes { Keccak256.hash($0) }
  }
}

/// The decrypted part of a wallet's backup: a seed phrase with its passphrase, a key, or a watched address.
final class UnstoppableAccount {
  private let payload: SecretBytes
  private let type: String

  init(_ payload: consuming SecretBytes, type: String) {
    self.payload = payload
    self.type = type
  }

  /// Whether it is an address without a secret.
  var isPublic: Bool { type.hasSuffix("_address") || type == "stellar_account" }

  /// Whether the seed phrase's words must not be normalised by BIP-39.
  var isNotBIP39: Bool {
    guard type == "mnemonic" else { return false }
    return payload.withBytes { bytes in
      let words = Self.words(of: bytes)
      return words.upperBound < bytes.count && bytes[words.upperBound] == UInt8(ascii: "&")
    }
  }

  /// The watched address; nil if the wallet has a secret.
  var address: String? {
    get throws {
      guard isPublic, payload.count <= 256 else { return nil }
      let bytes = payload.withBytes { bytes in bytes.indices.map { bytes[$0] } }
      if type == "evm_address", bytes.count == 20 { return "0x" + Hex.encode(bytes) }
      let text = String(validating: bytes, as: UTF8.self)
      // An address of Bitcoin's family is followed by its chain.
      return text?.split(separator: "&", omittingEmptySubsequences: false).first.map(String.init)
    }
  }

  /// Returns the secrets with their kinds.
  ///
  /// Words and passphrase are separate.
  func secrets() throws -> [(kind: String, secret: SharedSecret)] {
    guard type == "mnemonic" else {
      let kind =
        switch type {
        case "private_key", "evm_private_key": "private-key"
        case "hd_extended_key": "extended-key"
        case "": "secret"
        default: type.replacing("_", with: "-")
        }
      return [(kind, SharedSecret(try payload.copy(0..<payload.count)))]
    }
    let (words, passphrase) = payload.withBytes { bytes in (Self.words(of: bytes), Self.passphrase(of: bytes))
    }
    var secrets = [("seed-phrase", SharedSecret(try payload.copy(words)))]
    if let passphrase, !passphrase.isEmpty {
      secrets.append(("seed-phrase-passphrase", SharedSecret(try payload.copy(passphrase))))
    }
    return secrets
  }

  /// Whether a name is the payload's digest, as the app names its backups.
  func isNamed(_ name: String) throws -> Bool {
    guard let declared = Hex.decode(name), declared.count == SHA512.byteCount else { return true }
    let digest = try payload.withBytes { bytes in try SHA512.secretHash(bytes) }
    return digest.withBytes { ConstantTime.areEqual($0, declared.span) }
  }

  /// Returns the words: everything before a separator or the passphrase.
  private static func words(of bytes: Span<UInt8>) -> Range<Int> {
    let end = bytes.indices.first { bytes[$0] == UInt8(ascii: "&") || bytes[$0] == UInt8(ascii: "@") }
    return 0..<(end ?? bytes.count)
  }

  private static func passphrase(of bytes: Span<UInt8>) -> Range<Int>? {
    bytes.indices.first { bytes[$0] == UInt8(ascii: "@") }.map { $0 + 1..<bytes.count }
  }
}

/// A coin or token of a wallet: the chain's name, a bar, and its identifier on the chain.
struct UnstoppableToken {
  let chain: String
  private let token: String
  private let object: JSONValue

  init(_ object: JSONValue) {
    self.object = object
    let query = object.member("token_query_id")?.string ?? ""
    let parts = query.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    chain = parts.first ?? ""
    token = parts.count == 2 ? parts[1] : "native"
  }

  /// The common key of one wallet's coins: the chain and the derivation path.
  var walletKey: String { derivation.map { "\(chain)|\($0)" } ?? chain }

  /// The path of the wallet's account; empty if the chain does not determine it.
  var derivationPath: String {
    guard let derivation, derivation.hasPrefix("bip"), let purpose = UInt32(derivation.dropFirst(3)) else {
      return ""
    }
    let coins = ["bitcoin": 0, "litecoin": 2]
    return coins[chain].map { "m/\(purpose)'/\($0)'/0'" } ?? ""
  }

  private var derivation: String? { token.hasPrefix("derived:") ? String(token.dropFirst(8)) : nil }

  func asset(of wallet: Data) -> Asset {
    var asset = Asset()
    asset.walletID = wallet
    asset.id = ForeignNames.packed("unstoppable asset", PackedText.text(wallet) ?? "", chain, token)
    asset.symbol = object.member("coin_code")?.string ?? ""
    asset.name = object.member("coin_name")?.string ?? ""
    if let decimals = (object.member("decimals")?.number).flatMap({ UInt32($0) }) {
      asset.decimals = decimals
    }
    let parts = token.split(separator: ":", maxSplits: 1).map(String.init)
    switch (parts.first ?? "", parts.count) {
    case ("native", 1), ("derived", 2), ("address_type", 2): asset.kind = AssetKind.native.rawValue
    case ("eip20", 2) where ChainNames.chain(chain).family == ChainFamily.evm.name:
      asset.kind = AssetKind.erc20.rawValue
      asset.contract = PackedText.pack(parts[1])
    default: asset.extra.append(Extra("token", json: JSONText.quoted(token)))
    }
    if let settings = object.member("settings"), settings.kind != .null {
      asset.extra.append(Extra("settings", json: settings.source))
    }
    return asset
  }
}
