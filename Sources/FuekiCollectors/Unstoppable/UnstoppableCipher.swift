internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

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
      key = SharedSecret(try password.work.scrypt(from: typed.bytes, salt: derivation.salt, cost: cost, count: 32))
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
