internal import COpenSSL

/// Derivation of keys by many rounds of HMAC-SHA-256, for what others have chosen it; archives use ``Argon2id``.
///
/// See RFC 8018, section 5.2.
public enum PBKDF2 {
  /// Derives a key.
  ///
  /// - Throws: ``CryptoError/derivationFailed`` for no iterations, ``CryptoError/invalidLength`` for an empty key,
  ///   or what making a ``SecretBytes`` throws.
  public static func derive(
    from password: borrowing SecretBytes, salt: borrowing SecretBytes, iterations: Int, count: Int
  ) throws(CryptoError) -> SecretBytes {
    guard let iterations = Int32(exactly: iterations), iterations > 0 else { throw .derivationFailed }
    guard count > 0, let length = Int32(exactly: count), let passwordCount = Int32(exactly: password.count),
      let saltCount = Int32(exactly: salt.count)
    else { throw .invalidLength }
    let key = try SecretBytes(count: count)
    let status = unsafe key.withPointer { key in
      unsafe salt.withPointer { salt in
        unsafe password.withPointer { password in
          unsafe password.withMemoryRebound(to: CChar.self, capacity: Int(passwordCount)) { text in
            unsafe PKCS5_PBKDF2_HMAC(
              text, passwordCount, salt, saltCount, iterations, EVP_sha256(), length, key)
          }
        }
      }
    }
    guard status == 1 else { throw .derivationFailed }
    return key
  }
}
