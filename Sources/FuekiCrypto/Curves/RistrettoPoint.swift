internal import CSodium

/// Elements of the group ristretto255, encoded as in RFC 9496.
enum RistrettoPoint {
  private static let neutral = [UInt8](repeating: 0, count: Curve.ristretto255.compressedByteCount)

  /// Whether the bytes are the canonical encoding of an element other than the neutral one.
  static func isValid(_ point: [UInt8]) -> Bool {
    guard point.count == neutral.count, point != neutral, Sodium.isReady else { return false }
    return unsafe crypto_core_ristretto255_is_valid_point(point) == 1
  }

  /// Multiplies the generator by a scalar already checked to be from 1 up to the order.
  static func multiplyBase(_ scalar: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    try Sodium.start()
    var littleEndian = try SecretBytes(count: scalar.count)
    littleEndian.withMutableBytes { target in
      scalar.withBytes { source in
        for index in source.indices { target[source.count - 1 - index] = source[index] }
      }
    }
    var point = neutral
    let status = unsafe littleEndian.withPointer { scalar in
      unsafe crypto_scalarmult_ristretto255_base(&point, scalar)
    }
    guard status == 0 else { throw .invalidKey }
    return point
  }

  /// Adds multiples of elements; nil if the sum is the neutral element.
  static func sum(of terms: [PointSum.Term]) throws(CryptoError) -> [UInt8]? {
    try Sodium.start()
    var sum = neutral
    for term in terms where !term.factor.isZero {
      var product = neutral
      var total = neutral
      let isAdded =
        unsafe crypto_scalarmult_ristretto255(&product, Array(term.factor.bytes.reversed()), term.point) == 0
        && crypto_core_ristretto255_add(&total, sum, product) == 0
      guard isAdded else { throw .invalidPoint }
      sum = total
    }
    return sum == neutral ? nil : sum
  }
}
