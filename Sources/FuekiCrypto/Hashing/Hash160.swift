internal import COpenSSL

/// RIPEMD-160 of SHA-256, from which Bitcoin derives a key's addresses.
public enum Hash160 {
  /// Hashes bytes to 20 bytes.
  ///
  /// - Returns: the hash.
  /// - Throws: ``CryptoError/unavailable`` if the system's OpenSSL omits RIPEMD-160.
  public static func hash(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard let algorithm = unsafe EVP_MD_fetch(nil, "RIPEMD160", nil) else {
      ERR_clear_error()
      throw .unavailable
    }
    defer { unsafe EVP_MD_free(algorithm) }
    let inner = SHA256.hash(bytes.span).bytes
    var hash = [UInt8](repeating: 0, count: 20)
    let status = unsafe EVP_Digest(inner, inner.count, &hash, nil, algorithm, nil)
    guard status == 1 else { throw .unavailable }
    return hash
  }
}
