extension CurvePoint {
  /// Adds a multiple of the generator to a point of secp256k1: how a child of a public key, and a Taproot output's
  /// key, are made.
  ///
  /// Neither the point nor the factor may be secret: the time that this takes tells about them.
  ///
  /// - Parameters:
  ///   - point: a compressed point.
  ///   - factor: how many times the generator is added, 32 bytes, big-endian.
  /// - Returns: the sum's compressed encoding.
  /// - Throws: ``CryptoError/invalidKey`` for a factor that is not below the order, and where the sum is the point at
  ///   infinity; ``CryptoError/invalidPoint``, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func tweakedSecp256k1(
    _ point: [UInt8], byBaseTimes factor: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard try PublicScalar(reducing: factor, on: .secp256k1).bytes == factor else { throw .invalidKey }
    return try WeierstrassPoint.tweaked(point, byBaseTimes: factor, on: .secp256k1)
  }
}
