package import FuekiBackup
package import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// The two encryption formats of the apps' exports.
///
///     "VLT" 02 ‖ salt 16 ‖ nonce 12 ‖ ciphertext ‖ tag 16        key: PBKDF2-HMAC-SHA256, 600,000 rounds
///     nonce 12 ‖ ciphertext ‖ tag 16                             key: SHA-256 of the password
package struct VultisigEnvelope {
  static let magic = Array("VLT".utf8) + [2]
  static let leastByteCount = AESCipher.gcmNonceByteCount + AESCipher.gcmTagByteCount

  private static let rounds = 600_000
  private static let saltByteCount = 16

  private let sealed: SharedSecret

  /// Creates an envelope from the complete ciphertext.
  package init(_ sealed: consuming SecretBytes) { self.sealed = SharedSecret(sealed) }

  /// Decrypts the contents, and returns whether the weaker format was used; nil if the password opens
  /// neither.
  ///
  /// - Throws: Errors of deriving a key or of ``SecretBytes/init(count:)``.
  package func open(
    with password: borrowing SecretBytes, work: WorkBudget
  ) throws -> (plain: SharedSecret, isWeak: Bool)? {
    if sealed.bytes.withBytes({ $0.starts(with: Self.magic) }) {
      let start = Self.magic.count + Self.saltByteCount
      if sealed.bytes.count >= start + Self.leastByteCount {
        let salt = sealed.bytes.withBytes { $0.extracting(Self.magic.count..<start).copied() }
        let key = try work.pbkdf2(from: password, salt: salt, iterations: Self.rounds, count: 32)
        if let plain = try open(from: start, key) { return (plain, false) }
      }
    }
    // A nonce of the older format can by chance start like the newer one.
    guard sealed.bytes.count >= Self.leastByteCount else { return nil }
    let digest = password.withBytes { SHA256.hash($0) }
    guard let plain = try open(from: 0, try SecretBytes(copying: digest.bytes.span)) else { return nil }
    return (plain, true)
  }

  private func open(from start: Int, _ key: borrowing SecretBytes) throws -> SharedSecret? {
    try sealed.bytes.withBytes { bytes in
      let nonceEnd = start + AESCipher.gcmNonceByteCount
      let nonce = bytes.extracting(start..<nonceEnd).copied()
      do throws(CryptoError) {
        return SharedSecret(
          try AESCipher.openGCM(bytes.extracting(nonceEnd..<bytes.count), key: key, nonce: nonce))
      } catch .notAuthentic {
        return nil
      }
    }
  }

  /// Returns the contents of an encrypted file, with or without the password.
  func content(
    format: String, name: String, password: AskedPassword,
    _ read: (borrowing SecretBytes) throws -> VultisigVault?
  ) throws -> Kept {
    func only(_ result: WalletFinding.Result) -> Kept {
      var content = Kept(
        format: format, isSecret: false, WalletFinding(kind: VultisigCollector.kind, name: name, result))
      content.program = VultisigCollector.kind
      return content
    }
    guard let typed = try password.read() else { return only(.notProved(.needsPassword)) }
    guard let (plain, isWeak) = try open(with: typed.bytes, work: password.work) else {
      return only(.notProved(.wrongPassword))
    }
    guard let vault = try read(plain.bytes) else { return only(.faulty(.malformed)) }
    var content = try vault.content(name: name, isEncrypted: true)
    if isWeak {
      content.problems.append(
        "its password is hashed only once, which is quick to guess: export it again with a newer app")
    }
    return content
  }
}
