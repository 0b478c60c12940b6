/// Checks that public points are values of one polynomial, multiplied by the generator.
///
/// The public points of a threshold scheme are such values, and the group's key is the value at zero. With a
/// threshold of t, all points and the key fit one polynomial of t coefficients. Only points are computed; no
/// secret is involved.
public struct PointPolynomial: Sendable {
  /// How well the points fit one polynomial.
  public enum Fit: Equatable, Sendable {
    /// All points fit a polynomial of this many coefficients, with at least one point to spare.
    case all(coefficients: Int)
    /// All but the point at this place fit, and without it there is still at least one point to spare.
    case allBut(place: Int, coefficients: Int)
    /// Two or more points do not fit, or there are too few points to identify the wrong one.
    case unclear
  }

  /// The most points compared.
  ///
  /// The work grows with the square of their number.
  public static let pointLimit = 129

  private let curve: Curve
  private let places: [PublicScalar]
  private let points: [[UInt8]]

  /// - Parameters:
  ///   - values: x as a big-endian number of at most 32 bytes, and the compressed point.
  ///   - curve: the curve of all points.
  /// - Throws: ``CryptoError/invalidPoint`` for a point not on the curve, ``CryptoError/invalidKey`` if two x
  ///   are equal modulo the order, ``CryptoError/invalidLength`` for a longer x or too many points.
  public init(_ values: [(x: [UInt8], point: [UInt8])], on curve: Curve) throws(CryptoError) {
    guard values.count <= Self.pointLimit else { throw .invalidLength }
    var places: [PublicScalar] = []
    for value in values {
      guard CurvePoint.isValid(value.point, on: curve) else { throw .invalidPoint }
      places.append(try PublicScalar(reducing: value.x, on: curve))
    }
    guard Set(places).count == places.count else { throw .invalidKey }
    self.init(places, values.map(\.point), on: curve)
  }

  private init(_ places: [PublicScalar], _ points: [[UInt8]], on curve: Curve) {
    self.curve = curve
    self.places = places
    self.points = points
  }

  /// Finds the polynomial of fewest coefficients that fits the points.
  ///
  /// The sums over i of v(i)·x(i)^k·P(i), with v(i) = 1 / product of x(i) - x(j), are neutral for every k up
  /// to n - 1 - t if and only if all n points fit a polynomial of t coefficients. If only point i does not
  /// fit, each sum is x(i) times the previous one, which identifies i. These are the syndromes of a
  /// Reed-Solomon code.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public func fit() throws(CryptoError) -> Fit {
    let weights = try weights()
    if let coefficients = try coefficientCount(weights) { return .all(coefficients: coefficients) }
    guard points.count >= 3, let first = try sum(weights) else { return .unclear }
    let second = try sum(raised(weights))
    for place in points.indices {
      let expected = try PointSum.of([.init(factor: places[place], point: first)], on: curve)
      guard expected == second else { continue }
      let rest = without(place)
      guard let coefficients = try rest.coefficientCount(rest.weights()) else { continue }
      return .allBut(place: place, coefficients: coefficients)
    }
    return .unclear
  }

  /// The coefficient count of the polynomial of all points; nil if it equals the number of points.
  private func coefficientCount(_ weights: [PublicScalar]) throws(CryptoError) -> Int? {
    guard points.count >= 2, try sum(weights) == nil else { return nil }
    var factors = weights
    for power in 1..<points.count {
      factors = try raised(factors)
      guard try sum(factors) == nil else { return points.count - power }
    }
    return 1
  }

  /// Every v(i).
  private func weights() throws(CryptoError) -> [PublicScalar] {
    let one = try PublicScalar.one(on: curve)
    var weights: [PublicScalar] = []
    for place in places.indices {
      var product = one
      for other in places.indices where other != place {
        product = try product.times(places[place].minus(places[other]))
      }
      weights.append(try one.divided(by: product))
    }
    return weights
  }

  /// Multiplies each factor by its x(i).
  private func raised(_ factors: [PublicScalar]) throws(CryptoError) -> [PublicScalar] {
    var raised: [PublicScalar] = []
    for (factor, place) in zip(factors, places) { raised.append(try factor.times(place)) }
    return raised
  }

  /// The sum of the points times their factors; nil if it is the neutral point.
  private func sum(_ factors: [PublicScalar]) throws(CryptoError) -> [UInt8]? {
    try PointSum.of(zip(factors, points).map { PointSum.Term(factor: $0, point: $1) }, on: curve)
  }

  private func without(_ place: Int) -> PointPolynomial {
    var (places, points) = (places, points)
    places.remove(at: place)
    points.remove(at: place)
    return PointPolynomial(places, points, on: curve)
  }
}

extension CurvePoint {
  /// Interpolates a group's key, the value at zero, from its shares' public points.
  ///
  /// - Parameters:
  ///   - shares: each share's x, a big-endian number of at most 32 bytes, and its compressed point.
  ///   - curve: the curve of all points.
  /// - Returns: the key's compressed point.
  /// - Throws: ``CryptoError/invalidKey`` for an x that is zero modulo the order or used twice;
  ///   ``CryptoError/invalidPoint`` for a point not on the curve, or if the value cannot be a key;
  ///   ``CryptoError/invalidLength`` for a longer x or no shares.
  public static func interpolateAtZero(
    _ shares: [(x: [UInt8], point: [UInt8])], on curve: Curve
  ) throws(CryptoError) -> [UInt8] {
    guard !shares.isEmpty else { throw .invalidLength }
    var places: [PublicScalar] = []
    for share in shares {
      guard isValid(share.point, on: curve) else { throw .invalidPoint }
      places.append(try PublicScalar(reducing: share.x, on: curve))
    }
    guard Set(places).count == places.count, !places.contains(where: \.isZero) else { throw .invalidKey }
    var terms: [PointSum.Term] = []
    for place in places.indices {
      var numerator = try PublicScalar.one(on: curve)
      var denominator = numerator
      for other in places.indices where other != place {
        numerator = try numerator.times(places[other])
        denominator = try denominator.times(places[other].minus(places[place]))
      }
      terms.append(.init(factor: try numerator.divided(by: denominator), point: shares[place].point))
    }
    guard let key = try PointSum.of(terms, on: curve) else { throw .invalidPoint }
    return key
  }
}
