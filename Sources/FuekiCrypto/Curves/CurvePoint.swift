/// Compressed public points: SEC 1, or RFC 8032 for Ed25519.
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

  /// Encodes a point from its big-endian coordinates of at most 32 bytes each.
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

  /// Whether the bytes are a canonical compressed point, excluding the neutral point and small orders.
  public static func isValid(_ point: [UInt8], on curve: Curve) -> Bool {
    switch curve {
    case .secp256k1: isCompressed(point, on: .secp256k1)
    case .p256: isCompressed(point, on: .p256)
    case .stark: isCompressed(point, on: .stark)
    case .ed25519: EdwardsPoint.isValid(point)
    case .ristretto255: RistrettoPoint.isValid(point)
    }
  }

  /// Returns the coordinates x ‖ y, 64 bytes, whose hash is an EVM address.
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

extension CurvePoint {
  /// Adds public points; nil if the sum is the neutral point, which has no encoding.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` for a point not on the curve, or the library's error.
  public static func sum(of points: [[UInt8]], on curve: Curve) throws(CryptoError) -> [UInt8]? {
    let one = try PublicScalar.one(on: curve)
    for point in points where !isValid(point, on: curve) { throw .invalidPoint }
    return try PointSum.of(points.map { PointSum.Term(factor: one, point: $0) }, on: curve)
  }

  /// Evaluates a committed polynomial: a share's public point by Feldman's commitments.
  ///
  /// - Parameters:
  ///   - coefficients: compressed points, the coefficients times the generator, constant first.
  ///   - place: x as a big-endian number of at most 32 bytes.
  ///   - curve: the curve of all points.
  /// - Returns: the value's compressed point; nil if it is the neutral point.
  /// - Throws: As ``sum(of:on:)``.
  public static func value(
    of coefficients: [[UInt8]], at place: [UInt8], on curve: Curve
  ) throws(CryptoError) -> [UInt8]? {
    let place = try PublicScalar(reducing: place, on: curve)
    var power = try PublicScalar.one(on: curve)
    var terms: [PointSum.Term] = []
    for point in coefficients {
      guard isValid(point, on: curve) else { throw .invalidPoint }
      terms.append(.init(factor: power, point: point))
      power = try power.times(place)
    }
    return try PointSum.of(terms, on: curve)
  }
}

extension CurvePoint {
  /// Adds a multiple of the generator to a point of secp256k1, as in child public keys and Taproot output
  /// keys.
  ///
  /// Neither the point nor the factor may be secret, because the running time depends on them.
  ///
  /// - Parameters:
  ///   - point: a compressed point.
  ///   - factor: the multiple of the generator, 32 bytes, big-endian.
  /// - Returns: the sum's compressed encoding.
  /// - Throws: ``CryptoError/invalidKey`` if the factor is not below the order or the sum is the point at
  ///   infinity; ``CryptoError/invalidPoint``, ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func tweakedSecp256k1(
    _ point: [UInt8], byBaseTimes factor: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    guard try PublicScalar(reducing: factor, on: .secp256k1).bytes == factor else { throw .invalidKey }
    return try WeierstrassPoint.tweaked(point, byBaseTimes: factor, on: .secp256k1)
  }
}

/// Sums of multiples of public points.
enum PointSum {
  struct Term {
    let factor: PublicScalar
    let point: [UInt8]
  }

  /// Adds multiples of valid points; nil if the sum is the neutral point, which has no encoding.
  static func of(_ terms: [Term], on curve: Curve) throws(CryptoError) -> [UInt8]? {
    switch curve {
    case .secp256k1: try WeierstrassPoint.sum(of: terms, on: .secp256k1)
    case .p256: try WeierstrassPoint.sum(of: terms, on: .p256)
    case .stark: try WeierstrassPoint.sum(of: terms, on: .stark)
    case .ed25519: try EdwardsPoint.sum(of: terms)
    case .ristretto255: try RistrettoPoint.sum(of: terms)
    }
  }
}
