public import FuekiSources
internal import FuekiCrypto
internal import FuekiWallet

extension KeyFileOpening {
  /// A Web3 Secret Storage file of version 3.
  static let web3SecretStorage = KeyFileOpening(format: KeystoreCollector.format) {
    content, passwords in
    try KeystoreSecret(content).open(with: passwords, work: WorkBudget())
  }

  /// Every format that can be decrypted.
  public static let all: [KeyFileOpening] = [.web3SecretStorage]
}

/// The encrypted part of a Web3 Secret Storage file.
///
/// See the Web3 Secret Storage definition: the MAC is the Keccak-256 of the derived key's second half and the
/// ciphertext. The first half is the key of AES-128-CTR.
struct KeystoreSecret {
  private enum Derivation {
    case scrypt(Scrypt.Cost)
    case pbkdf2(rounds: Int)
  }

  private let stated: String
  private let derivation: Derivation
  private let salt: [UInt8]
  private let counter: [UInt8]
  private let ciphertext: [UInt8]
  private let mac: [UInt8]

  /// Parses a complete file.
  init(_ content: [UInt8]) throws(KeyFileProblem) {
    guard case .keystore(let address, _, _) = KeystoreDescription(content, name: []) else {
      throw .damaged("it is no keystore of version 3")
    }
    guard let root = try? JSONDocument(content, limit: KeystoreCollector.byteCountLimit).root,
      let crypto = root.children.first(where: { $0.name.lowercased() == "crypto" })
    else { throw .damaged("it is not JSON") }
    guard KeystoreCheck.isKnownScheme(crypto) else { throw .unknownScheme }
    var problems: [String] = []
    KeystoreCheck.check(crypto, &problems)
    if let problem = problems.first { throw .damaged(problem) }
    stated = address
    let parameters = crypto.member("kdfparams")
    salt = Self.bytes(parameters?.member("salt"))
    counter = Self.bytes(crypto.member("cipherparams")?.member("iv"))
    ciphertext = Self.bytes(crypto.member("ciphertext"))
    mac = Self.bytes(crypto.member("mac"))
    func number(_ name: String) -> UInt64 { parameters?.member(name)?.number.flatMap(UInt64.init) ?? 0 }
    if crypto.member("kdf")?.string == "scrypt" {
      derivation = .scrypt(Scrypt.Cost(n: number("n"), r: number("r"), p: number("p")))
    } else {
      guard let rounds = Int(exactly: number("c")) else { throw .tooCostly }
      derivation = .pbkdf2(rounds: rounds)
    }
  }

  /// Tries passwords byte for byte.
  ///
  /// The work counts towards a source's budget.
  ///
  /// - Throws: ``KeyFileProblem``, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func open(with passwords: [SharedSecret], work: WorkBudget) throws -> KeyFileOpening.Opened {
    guard !passwords.isEmpty else { throw KeyFileProblem.noPassword }
    for password in passwords {
      guard let key = try key(under: password, work) else { continue }
      do throws(CryptoError) {
        return .init(
          stated: stated, publicKey: try CurvePoint.multiplyBase(key, on: .secp256k1), curve: .secp256k1)
      } catch .invalidKey {
        throw KeyFileProblem.damaged("what it holds is no private key")
      }
    }
    throw KeyFileProblem.wrongPassword
  }

  /// Returns the private key's 32 bytes; nil if the password is wrong.
  private func key(under password: SharedSecret, _ work: WorkBudget) throws -> SecretBytes? {
    let derived = try derive(from: password, work)
    var judged = try SecretBytes(count: 16 + ciphertext.count)
    derived.withBytes { derived in
      judged.withMutableBytes { judged in
        for place in 0..<16 { judged[place] = derived[16 + place] }
        for place in ciphertext.indices { judged[16 + place] = ciphertext[place] }
      }
    }
    let found = judged.withBytes { Keccak256.hash($0).bytes }
    guard ConstantTime.areEqual(found.span, mac.span) else { return nil }
    let plain = try AESCipher.applyCTR(
      ciphertext.span, key: try derived.copy(0..<16), vector: counter)
    // Old files have keys without leading zeros.
    var key = try SecretBytes(count: Curve.scalarByteCount)
    plain.withBytes { plain in
      key.withMutableBytes { key in
        for place in plain.indices { key[Curve.scalarByteCount - plain.count + place] = plain[place] }
      }
    }
    return key
  }

  private func derive(from password: SharedSecret, _ work: WorkBudget) throws -> SecretBytes {
    do {
      switch derivation {
      case .scrypt(let cost):
        return try work.scrypt(from: password.bytes, salt: salt, cost: cost, count: 32)
      case .pbkdf2(let rounds):
        return try work.pbkdf2(from: password.bytes, salt: salt, iterations: rounds, count: 32)
      }
    } catch is WorkBudget.Exceeded {
      throw KeyFileProblem.tooCostly
    } catch CryptoError.derivationFailed {
      throw KeyFileProblem.tooCostly
    }
  }

  private static func bytes(_ value: JSONValue?) -> [UInt8] { value?.string.flatMap { Hex.decode($0) } ?? [] }
}
