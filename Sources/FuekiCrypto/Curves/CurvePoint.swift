/// Public points of the curves in their compressed encodings: SEC 1, or RFC 8032 for Ed25519.
public enum CurvePoint {
  /// Multiplies the generator by a scalar of 32 big-endian bytes.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for a scalar outside 1 up to the order, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func multiplyBase(
    _ scalar: borrowing SecretBytes, on curve: Curve
  ) throws(CryptoError) -> [UInt8] {
    guard CurveScalar.isKey(scalar, on: curve) else { throw .invalidKey }
    switch curve {
    case .secp256k1: return try WeierstrassPoint(multiplyingBaseBy: scalar, on: .secp256k1).compressed()
    case .p256: return try WeierstrassPoint(multiplyingBaseBy: scalar, on: .p256).compressed()
    case .stark: return try WeierstrassPoint(multiplyingBaseBy: scalar, on: .stark).compressed()
    case .ed25519: return try EdwardsPoint.multiplyBase(scalar)
    case .ristretto255: return try RistrettoPoint.multiplyBase(scalar)
    }
  }

  /// Encodes a point given by its coordinates, big-endian, of at most 32 bytes each.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` for coordinates that are not below the field's prime or not on the
  ///   curve, on Ed25519 for a point outside the prime-order group, and for Ristretto, which has no coordinates.
  public static func compressed(x: [UInt8], y: [UInt8], on curve: Curve) throws(CryptoError) -> [UInt8] {
    let x = try fieldElement(x)
    let y = try fieldElement(y)
    switch curve {
    case .secp256k1: return try WeierstrassPoint(x: x.span, y: y.span, on: .secp256k1).compressed()
    case .p256: return try WeierstrassPoint(x: x.span, y: y.span, on: .p256).compressed()
    case .stark: return try WeierstrassPoint(x: x.span, y: y.span, on: .stark).compressed()
    case .ed25519: return try EdwardsPoint.compressed(x: x, y: y)
    case .ristretto255: throw .invalidPoint
    }
  }

  /// Whether the bytes are the one compressed encoding of a point, the neutral one and small orders excepted.
  public static func isValid(_ point: [UInt8], on curve: Curve) -> Bool {
    switch curve {
    case .secp256k1: isCompressed(point, on: .secp256k1)
    case .p256: isCompressed(point, on: .p256)
    case .stark: isCompressed(point, on: .stark)
    case .ed25519: EdwardsPoint.isValid(point)
    case .ristretto255: RistrettoPoint.isValid(point)
    }
  }

  /// Finds the coordinates x ‖ y, 64 bytes, that an EVM address is the hash of.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` if the bytes are not a compressed point of secp256k1.
  public static func uncompressedSecp256k1(_ compressed: [UInt8]) throws(CryptoError) -> [UInt8] {
    let encoding = try WeierstrassPoint(compressed: compressed, on: .secp256k1).uncompressed()
    return Array(encoding.dropFirst())
  }

  private static func isCompressed(_ point: [UInt8], on curve: NamedCurve) -> Bool {
    do throws(CryptoError) {
      _ = try WeierstrassPoint(compressed: point, on: curve)
      return true
    } catch {
      return false
    }
  }

  private static func fieldElement(_ bytes: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard bytes.count <= 32 else { throw .invalidPoint }
    return [UInt8](repeating: 0, count: 32 - bytes.count) + bytes
  }
}
