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
