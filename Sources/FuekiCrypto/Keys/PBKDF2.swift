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
  /// - Throws: ``CryptoError/derivationFailed`` for zero iterations, ``CryptoError/invalidLength`` for an
  ///   empty key, or the errors of ``SecretBytes/init(count:)``.
  public static func derive(
    from password: borrowing SecretBytes, salt: borrowing SecretBytes, iterations: Int, count: Int,
    hash: Hash = .sha256
  ) throws(CryptoError) -> SecretBytes {
    guard let iterations = Int32(exactly: iterations), iterations > 0 else { throw .derivationFailed }
    guard count > 0, let length = Int32(exactly: count), let passwordCount = Int32(exactly: password.count),
      let saltCount = Int32(exactly: salt.count)
    else { throw .invalidLength }
    let algorithm =
      switch hash {
      case .sha256: unsafe EVP_sha256()
      case .sha512: unsafe EVP_sha512()
      }
    let key = try SecretBytes(count: count)
    let status = unsafe key.withPointer { key in
      unsafe salt.withPointer { salt in
        unsafe password.withPointer { password in
          unsafe password.withMemoryRebound(to: CChar.self, capacity: Int(passwordCount)) { text in
            unsafe PKCS5_PBKDF2_HMAC(
              text, passwordCount, salt, saltCount, iterations, algorithm, length, key)
          }
        }
      }
    }
    guard status == 1 else { throw .derivationFailed }
    return key
  }
}
