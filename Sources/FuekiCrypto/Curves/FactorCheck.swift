internal import COpenSSL

/// Compares secret factors with a public product, as in Paillier keys.
public enum FactorCheck {
  /// The longest number in bytes, above any key in use.
  private static let byteCountLimit = 2048

  /// Whether two secret numbers, big-endian, are the factors of a public one.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for numbers longer than any key, or ``CryptoError/outOfMemory``.
  public static func areFactors(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes, of product: [UInt8]
  ) throws(CryptoError) -> Bool {
    guard max(first.count, second.count, product.count) <= byteCountLimit else { throw .invalidLength }
    let a = try BigNumber(secret: first)
    let b = try BigNumber(secret: second)
    let expected = try BigNumber(product.span)
    let found = try BigNumber()
    let scratch = try ScratchNumbers()
    guard unsafe BN_mul(found.pointer, a.pointer, b.pointer, scratch.pointer) == 1 else { throw .outOfMemory }
    return unsafe BN_cmp(found.pointer, expected.pointer) == 0 && BN_is_zero(expected.pointer) == 0
  }
}
