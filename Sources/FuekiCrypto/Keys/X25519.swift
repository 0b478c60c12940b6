internal import CSodium

/// Key agreement on Curve25519 (RFC 7748), whose keys age encodes as `age1…` and `AGE-SECRET-KEY-1…`.
public enum X25519 {
  /// The length of a private key, a public key and a product.
  public static let byteCount = 32

  /// Computes the public key of a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/unavailable``.
  public static func publicKey(of privateKey: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    guard privateKey.count == byteCount else { throw .invalidKey }
    try Sodium.start()
    var publicKey = [UInt8](repeating: 0, count: byteCount)
    let result = unsafe privateKey.withPointer { unsafe crypto_scalarmult_base(&publicKey, $0) }
    guard result == 0 else { throw .invalidKey }
    return publicKey
  }

  /// Multiplies a public key by a private key.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for another length, ``CryptoError/invalidPoint`` if the product is
  ///   all zeros: the public key has small order, and no secret would be shared (RFC 7748, section 6.1).
  public static func product(
    _ privateKey: borrowing SecretBytes, _ publicKey: [UInt8]
  ) throws(CryptoError) -> SecretBytes {
    guard privateKey.count == byteCount, publicKey.count == byteCount else { throw .invalidKey }
    let product = try SecretBytes(count: byteCount)
    let result = unsafe product.withPointer { product in
      unsafe privateKey.withPointer { unsafe crypto_scalarmult(product, $0, publicKey) }
    }
    guard result == 0 else { throw .invalidPoint }
    return product
  }
}
