internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// The public points of all parties as one or more shares declare them.
struct DeclaredPoints: Hashable {
  struct Point: Hashable {
    /// The x coordinate without zeros in front.
    let place: [UInt8]
    let bytes: [UInt8]
  }

  /// In ascending order of x, so that the same points in another order are the same.
  let points: [Point]

  init(_ descriptor: KeyShareDescriptor) {
    points = descriptor.points.map { point in
      Point(place: KnownShare.place(point.partyID), bytes: [UInt8](point.point))
    }.sorted { a, b in
      a.place.count == b.place.count
        ? a.place.lexicographicallyPrecedes(b.place) : a.place.count < b.place.count
    }
  }

  init(_ shares: [KnownShare]) {
    points = shares.map { Point(place: $0.place, bytes: $0.bestPoint) }
  }

  subscript(place: [UInt8]) -> [UInt8]? { points.first { $0.place == place }?.bytes }

  /// Whether both can be of one polynomial: they have parties in common, and the same point for each of these.
  func agrees(with other: DeclaredPoints) -> Bool {
    let both = points.compactMap { point in other[point.place].map { $0 == point.bytes } }
    return !both.isEmpty && both.allSatisfy(\.self)
  }

  func areValid(on curve: Curve) -> Bool {
    points.allSatisfy { point in CurvePoint.isValid(point.bytes, on: curve) }
  }

  /// Compares the points with the group's key, which is the value at zero.
  ///
  /// Nil where two x are the same number, one is zero or too long, or a point is none: nothing can be compared then.
  func fit(to groupKey: [UInt8], on curve: Curve) throws(CryptoError) -> PointPolynomial.Fit? {
    do {
      return try PointPolynomial([([], groupKey)] + points.map { ($0.place, $0.bytes) }, on: curve).fit()
    } catch {
      guard error.isAboutInput else { throw error }
      return nil
    }
  }
}

extension CryptoError {
  /// Whether the fault is in the input, and not in the machine.
  var isAboutInput: Bool {
    switch self {
    case .invalidKey, .invalidPoint, .invalidLength: true
    default: false
    }
  }
}
