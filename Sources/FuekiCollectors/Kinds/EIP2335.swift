internal import FuekiSources
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Validators' keystores.
  static let eip2335 = CollectorKind(
    EIP2335Collector.kind, "validator keys of Ethereum, encrypted as EIP-2335 has it", reach: .tree,
    guide: .validators,
    programs: WalletProgram.validators,
    formats: [
      FileFormat(
        EIP2335Collector.format, hold: .validatorKey,
        // Lighthouse's, Prysm's wallet of all keys, and the deposit tool's.
        heldNames: ["voting-keystore.json", "all-accounts.keystore.json", "keystore-m_12381_*"],
        isPublic: {
          $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"pubkey\"")
        })
    ],
    fileNames: WalletNames(
      certain: ["voting-keystore.json", "all-accounts.keystore.json", "keystore-m_12381_*"],
      possible: ["*.json"]),
    hazards: [.validator], limit: ImportLimits.validatorKeystoreByteCount, what: "validator's keystore",
    recognises: {
      $0.contains("\"checksum\"") && $0.contains("\"cipher\"") && $0.contains("\"kdf\"")
        && !$0.contains("\"ciphertext\"")
    },
    look: EIP2335Collector.look)
}

/// Validators' keystores.
///
/// The files are encrypted and kept byte for byte. With their password, the secret is multiplied by the
/// generator of BLS12-381 and compared with the file's public key. A keystore that differs is kept and
/// reported.
enum EIP2335Collector {
  static let kind = "eip2335"
  static let format = "eip2335-keystore"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let (content, name) = (try found.publicBytes(), found.nameText)
    guard let root = try? JSONDocument(content, limit: content.count).root else {
      guard content.span.contains("\"checksum\"") else {
        return .other(reason: "it is no validator's keystore")
      }
      return .wallet(damaged("it is not JSON any more", name, asked))
    }
    guard root.member("metadata")?.member("interchange_format_version") == nil else {
      return .other(reason: "it is a slashing record: back it up as eip3076:PATH too")
    }
    guard EIP2335Keystore.isMeant(root) else {
      return .other(reason: "it is JSON, but no validator's keystore")
    }
    do {
      let keystore = try EIP2335Keystore(root)
      var kept = Kept(
        format: format, isSecret: false, try finding(keystore, name, asked.proofPassword))
      (kept.hazards, kept.kdf) = (asked.kind.hazards, keystore.kdf)
      kept.address = keystore.publicKey.map { "0x" + Hex.encode($0) } ?? ""
      return .wallet(kept)
    } catch let problem as EIP2335Keystore.Problem {
      return .wallet(damaged(problem.sentence, name, asked))
    }
  }

  private static func damaged(_ reason: String, _ name: String, _ asked: Asked) -> Kept {
    var kept = Kept(format: format, isSecret: false, asked.finding(name, .faulty(.malformed)))
    (kept.hazards, kept.problems) = (asked.kind.hazards, [reason])
    return kept
  }

  private static func finding(
    _ keystore: EIP2335Keystore, _ name: String, _ password: AskedPassword
  ) throws -> WalletFinding {
    let stated = keystore.publicKey.map { "0x" + Hex.encode($0) } ?? ""
    var finding = WalletFinding(kind: kind, name: name, .notProved(.needsPassword), detail: stated)
    do {
      guard let typed = try password.read() else { return finding }
      finding.result = .notProved(.wrongPassword)
      let form = try KeystorePassword.form(of: typed.bytes)
      guard let secret = try keystore.open(form, work: password.work) else { return finding }
      (finding.result, finding.detail) = judged(secret, keystore, stated)
    } catch is WorkBudget.Exceeded {
      finding.result = .notProved(.workLimit)
    } catch CryptoError.invalidPassphrase {
      // A password that is not text cannot be right, because the standard normalises it as Unicode.
    }
    return finding
  }

  private static func judged(
    _ secret: borrowing SecretBytes, _ keystore: EIP2335Keystore, _ stated: String
  ) -> (WalletFinding.Result, String) {
    let found = try? BLS12381.publicKey(secret: secret)
    guard let expected = keystore.publicKey else {
      // Prysm keeps all keys of a machine in one file, and does not state their public keys outside.
      guard let found else { return (.proved(.opened), stated) }
      return (.notProved(.nothingToCompare), "0x" + Hex.encode(found))
    }
    return (found == expected ? .proved(.publicKey) : .faulty(.secretDiffers), stated)
  }
}

/// A validator's keystore of version 4.
///
/// See EIP-2335. Unknown members are ignored. `path`, `uuid` and `pubkey` are optional.
package struct EIP2335Keystore {
  /// Why a file is not such a keystore, as a sentence for people.
  package struct Problem: Error, Equatable {
    package let sentence: String
  }

  private enum Derivation {
    case scrypt(Scrypt.Cost)
    case pbkdf2(rounds: Int)
  }

  /// The public key stated in the file; nil if there is none.
  package let publicKey: [UInt8]?
  /// The name of the key derivation function.
  package let kdf: String
  private let derivation: Derivation
  private let salt: [UInt8]
  private let counter: [UInt8]
  private let ciphertext: [UInt8]
  private let checksum: [UInt8]

  /// Whether JSON is intended as a keystore, of any version and even if damaged.
  static func isMeant(_ root: JSONValue) -> Bool {
    guard let crypto = root.member("crypto"), crypto.kind == .object else { return false }
    return ["kdf", "checksum", "cipher"].filter { crypto.member($0)?.kind == .object }.count >= 2
  }

  /// Parses a complete file.
  package init(reading bytes: [UInt8]) throws(Problem) {
    let root: JSONValue
    do throws(JSONError) {
      root = try JSONDocument(bytes, limit: ImportLimits.validatorKeystoreByteCount).root
    } catch {
      throw Problem(sentence: error.sentence)
    }
    try self.init(root)
  }

  init(_ root: JSONValue) throws(Problem) {
    func refuse(unless isRight: Bool, _ sentence: String) throws(Problem) {
      guard isRight else { throw Problem(sentence: sentence) }
    }
    let version = root.member("version")?.number ?? "nothing"
    try refuse(unless: version == "4", "its version is \(version.prefix(20)), not 4")
    guard let crypto = root.member("crypto"), let kdf = crypto.member("kdf"),
      let checksum = crypto.member("checksum"), let cipher = crypto.member("cipher"),
      let parameters = kdf.member("params")
    else { throw Problem(sentence: "a part of its encryption is missing") }
    func number(_ name: String) -> UInt64 { parameters.member(name)?.number.flatMap(UInt64.init) ?? 0 }
    func bytes(_ value: JSONValue?) -> [UInt8] { value?.string.flatMap { Hex.decode($0) } ?? [] }

    try refuse(unless: number("dklen") == 32, "its derived key has not 32 bytes")
    salt = bytes(parameters.member("salt"))
    try refuse(unless: !salt.isEmpty, "it has no salt")
    self.kdf = kdf.member("function")?.string ?? ""
    switch self.kdf {
    case "scrypt":
      let cost = Scrypt.Cost(n: number("n"), r: number("r"), p: number("p"))
      try refuse(unless: cost.n > 1 && cost.n & (cost.n - 1) == 0, "its scrypt cost is not a power of two")
      try refuse(unless: cost.r > 0 && cost.p > 0, "its scrypt parameters are incomplete")
      derivation = .scrypt(cost)
    case "pbkdf2":
      try refuse(
        unless: parameters.member("prf")?.string == "hmac-sha256", "its PBKDF2 is not of HMAC-SHA-256")
      guard let rounds = Int(exactly: number("c")), rounds > 0 else {
        throw Problem(sentence: "it has no count of PBKDF2 rounds")
      }
      derivation = .pbkdf2(rounds: rounds)
    default: throw Problem(sentence: "its key derivation is neither scrypt nor pbkdf2")
    }
    try refuse(unless: checksum.member("function")?.string == "sha256", "its checksum is not SHA-256")
    self.checksum = bytes(checksum.member("message"))
    try refuse(unless: self.checksum.count == Digest.byteCount, "its checksum has not 32 bytes")
    try refuse(unless: cipher.member("function")?.string == "aes-128-ctr", "its cipher is not aes-128-ctr")
    counter = bytes(cipher.member("params")?.member("iv"))
    try refuse(unless: counter.count == AESCipher.blockByteCount, "its iv has not 16 bytes")
    ciphertext = bytes(cipher.member("message"))
    try refuse(unless: !ciphertext.isEmpty, "it holds no ciphertext")
    if let text = root.member("pubkey")?.string, !text.isEmpty {
      let digits = text.hasPrefix("0x") || text.hasPrefix("0X") ? text.dropFirst(2) : text[...]
      guard let key = Hex.decode(digits), BLS12381.isShapedAsPublicKey(key) else {
        throw Problem(sentence: "its public key is no key of BLS12-381")
      }
      publicKey = key
    } else {
      publicKey = nil
    }
  }

  /// Decrypts the contents.
  ///
  /// - Parameters:
  ///   - password: normalised by ``KeystorePassword``.
  ///   - work: the source's budget.
  /// - Returns: nil if the password is wrong.
  /// - Throws: ``Problem`` for invalid derivation parameters, ``WorkBudget/Exceeded``,
  ///   ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  func open(_ password: borrowing SecretBytes, work: WorkBudget) throws -> SecretBytes? {
    let derived = try derive(from: password, work)
    var judged = try SecretBytes(count: 16 + ciphertext.count)
    derived.withBytes { derived in
      judged.withMutableBytes { judged in
        judged.write(derived.extracting(16..<32), at: 0)
        judged.write(ciphertext.span, at: 16)
      }
    }
    let found = judged.withBytes { SHA256.hash($0).bytes }
    guard ConstantTime.areEqual(found.span, checksum.span) else { return nil }
    return try AESCipher.applyCTR(ciphertext.span, key: try derived.copy(0..<16), vector: counter)
  }

  private func derive(from password: borrowing SecretBytes, _ work: WorkBudget) throws -> SecretBytes {
    switch derivation {
    case .scrypt(let cost):
      do {
        return try work.scrypt(from: password, salt: salt, cost: cost, count: 32)
      } catch CryptoError.derivationFailed {
        throw Problem(sentence: "the costs of its scrypt are none that exist")
      }
    case .pbkdf2(let rounds):
      return try work.pbkdf2(from: password, salt: salt, iterations: rounds, count: 32)
    }
  }
}
