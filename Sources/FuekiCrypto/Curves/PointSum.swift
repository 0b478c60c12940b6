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
