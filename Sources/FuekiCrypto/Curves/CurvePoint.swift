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

/// Sums of multiples of public points.
enum PointSum {
  struct Term {
    let factor: PublicScalar
    let point: [UInt8]
  }

  /// Adds up multiples of valid points; nil where the sum is the group's neutral point, which has no encoding.
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

extension CurvePoint {
  /// Adds up public points; nil where the sum is the neutral point, which has no encoding.
  ///
  /// - Throws: ``CryptoError/invalidPoint`` for a point that is none of the curve's, or what the library refuses.
  public static func sum(of points: [[UInt8]], on curve: Curve) throws(CryptoError) -> [UInt8]? {
    let one = try PublicScalar.one(on: curve)
    for point in points where !isValid(point, on: curve) { throw .invalidPoint }
    return try PointSum.of(points.map { PointSum.Term(factor: one, point: $0) }, on: curve)
  }

  /// The value at a place of the polynomial whose coefficients, times the generator, are given: what Feldman's
  /// commitments say of a share.
  ///
  /// - Parameters:
  ///   - coefficients: compressed points, that of the constant first.
  ///   - place: x as a big-endian number of at most 32 bytes.
  ///   - curve: the curve of all of them.
  /// - Returns: the value's compressed point; nil where it is the neutral one.
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
