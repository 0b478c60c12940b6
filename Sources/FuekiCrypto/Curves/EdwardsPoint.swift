internal import COpenSSL
internal import CSodium

/// Points of Ed25519's prime-order group, encoded as in RFC 8032 section 5.1.2.
enum EdwardsPoint {
  /// p = 2^255 - 19, big-endian.
  private static let prime: [UInt8] = [0x7F] + [UInt8](repeating: 0xFF, count: 30) + [0xED]

  /// d = -121665/121666 modulo p, big-endian.
  ///
  /// See RFC 8032 section 5.1.
  private static let coefficient: [UInt8] = [
    0x52, 0x03, 0x6C, 0xEE, 0x2B, 0x6F, 0xFE, 0x73, 0x8C, 0xC7, 0x40, 0x79, 0x77, 0x79, 0xE8, 0x98,
    0x00, 0x70, 0x0A, 0x4D, 0x41, 0x41, 0xD8, 0xAB, 0x75, 0xEB, 0x4D, 0xCA, 0x13, 0x59, 0x78, 0xA3,
  ]

  /// Whether the bytes are a canonical point of the prime-order group other than the neutral point.
  static func isValid(_ point: [UInt8]) -> Bool {
    guard point.count == Curve.ed25519.compressedByteCount, Sodium.isReady else { return false }
    return unsafe crypto_core_ed25519_is_valid_point(point) == 1
  }

  /// Multiplies the generator by a scalar already checked to be from 1 up to the order.
  static func multiplyBase(_ scalar: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    var littleEndian = try SecretBytes(count: scalar.count)
    littleEndian.withMutableBytes { target in
      scalar.withBytes { source in
        for index in source.indices { target[source.count - 1 - index] = source[index] }
      }
    }
    var point = [UInt8](repeating: 0, count: Curve.ed25519.compressedByteCount)
    let status = unsafe littleEndian.withPointer { scalar in
      unsafe crypto_scalarmult_ed25519_base_noclamp(&point, scalar)
    }
    guard status == 0 else { throw .invalidKey }
    return point
  }

  /// Adds multiples of points of the prime-order group; nil if the sum is the neutral point.
  static func sum(of terms: [PointSum.Term]) throws(CryptoError) -> [UInt8]? {
    try Sodium.start()
    let neutral = [1] + [UInt8](repeating: 0, count: Curve.ed25519.compressedByteCount - 1)
    var sum = neutral
    for term in terms where !term.factor.isZero {
      var product = neutral
      var total = neutral
      let isAdded =
        unsafe crypto_scalarmult_ed25519_noclamp(&product, Array(term.factor.bytes.reversed()), term.point)
        == 0
        && crypto_core_ed25519_add(&total, sum, product) == 0
      guard isAdded else { throw .invalidPoint }
      sum = total
    }
    return sum == neutral ? nil : sum
  }

  /// Encodes 32-byte big-endian coordinates, and refuses those outside the group.
  static func compressed(x: [UInt8], y: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard try isOnCurve(x: x, y: y) else { throw .invalidPoint }
    var point = Array(y.reversed())
    point[31] |= (x[31] & 1) << 7
    guard isValid(point) else { throw .invalidPoint }
    return point
  }

  /// Whether both coordinates are below p and -x² + y² = 1 + d·x²·y².
  private static func isOnCurve(x: [UInt8], y: [UInt8]) throws(CryptoError) -> Bool {
    guard x.lexicographicallyPrecedes(prime), y.lexicographicallyPrecedes(prime) else { return false }
    let p = try BigNumber(prime.span)
    let x = try BigNumber(x.span)
    let y = try BigNumber(y.span)
    let d = try BigNumber(coefficient.span)
    let one = try BigNumber([1].span)
    let left = try BigNumber()
    let right = try BigNumber()
    let scratch = try ScratchNumbers()
    let isComputed =
      unsafe BN_mod_sqr(x.pointer, x.pointer, p.pointer, scratch.pointer) == 1
      && BN_mod_sqr(y.pointer, y.pointer, p.pointer, scratch.pointer) == 1
      && BN_mod_sub(left.pointer, y.pointer, x.pointer, p.pointer, scratch.pointer) == 1
      && BN_mod_mul(right.pointer, x.pointer, y.pointer, p.pointer, scratch.pointer) == 1
      && BN_mod_mul(right.pointer, right.pointer, d.pointer, p.pointer, scratch.pointer) == 1
      && BN_mod_add(right.pointer, right.pointer, one.pointer, p.pointer, scratch.pointer) == 1
    guard isComputed else { throw .outOfMemory }
    return unsafe BN_cmp(left.pointer, right.pointer) == 0
  }
}

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
