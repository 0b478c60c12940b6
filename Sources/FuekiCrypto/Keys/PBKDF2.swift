internal import COpenSSL

/// Key derivation by repeated HMAC, for formats that require it.
///
/// Archives use ``Argon2id``.
///
/// See RFC 8018, section 5.2.
public enum PBKDF2 {
  /// The hash function inside HMAC.
  public enum Hash: Sendable {
    /// SHA-256.
    case sha256
    /// SHA-512, as in BIP-39.
    case sha512
  }

  /// Derives a key.
  ///
  /// A long derivation runs on a thread of its own, and an interruption does not wait for it.
  ///
  /// - Throws: ``CryptoError/interrupted``, ``CryptoError/derivationFailed`` for no iterations, ``CryptoError/invalidLength`` for an empty key,
  ///   or what making a ``SecretBytes`` throws.
  public static func derive(
    from password: borrowing SecretBytes, salt: borrowing SecretBytes, iterations: Int, count: Int,
    hash: Hash = .sha256
  ) throws(CryptoError) -> SecretBytes {
    guard let iterations = Int32(exactly: iterations), iterations > 0 else { throw .derivationFailed }
    guard count > 0, let length = Int32(exactly: count), Int32(exactly: password.count) != nil,
      Int32(exactly: salt.count) != nil
    else { throw .invalidLength }
    let shared = SharedSecret(try salt.copy(0..<salt.count))
    return try StartedDerivation.key(isShort: iterations <= shortIterations, from: password) {
      (password) throws(CryptoError) in
      try iterate(password, shared.bytes, iterations, count: length, hash)
    }
  }

  /// So many iterations take some milliseconds.
  private static let shortIterations: Int32 = 1 << 14

  private static func iterate(
    _ password: borrowing SecretBytes, _ salt: borrowing SecretBytes, _ iterations: Int32, count: Int32,
    _ hash: Hash
  ) throws(CryptoError) -> SecretBytes {
    let (passwordCount, saltCount) = (Int32(password.count), Int32(salt.count))
    let algorithm =
      switch hash {
      case .sha256: unsafe EVP_sha256()
      case .sha512: unsafe EVP_sha512()
      }
    let key = try SecretBytes(count: Int(count))
    let status = unsafe key.withPointer { key in
      unsafe salt.withPointer { salt in
        unsafe password.withPointer { password in
          unsafe password.withMemoryRebound(to: CChar.self, capacity: Int(passwordCount)) { text in
            unsafe PKCS5_PBKDF2_HMAC(
              text, passwordCount, salt, saltCount, iterations, algorithm, count, key)
          }
        }
      }
    }
    guard status == 1 else { throw .derivationFailed }
    return key
  }
}
