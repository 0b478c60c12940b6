internal import COpenSSL

/// A point of secp256k1, P-256 or Starknet's curve, with its group.
///
/// All three groups have cofactor 1, so every point of the curve except infinity is in the right group. Safe
/// because one value owns both objects and no pointer leaves it.
@safe struct WeierstrassPoint: ~Copyable {
  private let group: OpaquePointer
  private let point: OpaquePointer

  /// Creates the point at infinity.
  init(on curve: NamedCurve) throws(CryptoError) {
    guard let group = unsafe try curve.makeGroup() else { throw .unavailable }
    guard let point = unsafe EC_POINT_new(group) else {
      unsafe EC_GROUP_free(group)
      throw .outOfMemory
    }
    unsafe self.group = group
    unsafe self.point = point
  }

  /// Multiplies the generator by a scalar.
  init(multiplyingBaseBy scalar: borrowing SecretBytes, on curve: NamedCurve) throws(CryptoError) {
    let result = try WeierstrassPoint(on: curve)
    let number = try BigNumber(secret: scalar)
    let scratch = try ScratchNumbers()
    let status = unsafe EC_POINT_mul(result.group, result.point, number.pointer, nil, nil, scratch.pointer)
    guard status == 1 else { throw .outOfMemory }
    self = result
  }

  /// Creates a point from coordinates, and refuses those off the curve.
  init(x: Span<UInt8>, y: Span<UInt8>, on curve: NamedCurve) throws(CryptoError) {
    let result = try WeierstrassPoint(on: curve)
    let x = try BigNumber(x)
    let y = try BigNumber(y)
    let status = unsafe EC_POINT_set_affine_coordinates(result.group, result.point, x.pointer, y.pointer, nil)
    guard status == 1 else { throw WeierstrassPoint.refused() }
    self = result
  }

  /// Reads a compressed point, and refuses an x without a y.
  init(compressed: [UInt8], on curve: NamedCurve) throws(CryptoError) {
    guard compressed.count == 33, compressed[0] == 2 || compressed[0] == 3 else { throw .invalidPoint }
    let result = try WeierstrassPoint(on: curve)
    let status = unsafe EC_POINT_oct2point(result.group, result.point, compressed, compressed.count, nil)
    guard status == 1 else { throw WeierstrassPoint.refused() }
    self = result
  }

  deinit {
    unsafe EC_POINT_clear_free(point)
    unsafe EC_GROUP_free(group)
  }

  /// Writes 02 or 03, then x.
  func compressed() throws(CryptoError) -> [UInt8] {
    try write(count: 33, form: POINT_CONVERSION_COMPRESSED)
  }

  /// Writes 04, then x and y.
  func uncompressed() throws(CryptoError) -> [UInt8] {
    try write(count: 65, form: POINT_CONVERSION_UNCOMPRESSED)
  }

  /// Adds multiples of compressed points; nil if the sum is the point at infinity.
  static func sum(of terms: [PointSum.Term], on curve: NamedCurve) throws(CryptoError) -> [UInt8]? {
    let sum = try WeierstrassPoint(on: curve)
    let product = try WeierstrassPoint(on: curve)
    let scratch = try ScratchNumbers()
    guard unsafe EC_POINT_set_to_infinity(sum.group, sum.point) == 1 else { throw .outOfMemory }
    for term in terms {
      let point = try WeierstrassPoint(compressed: term.point, on: curve)
      let factor = try BigNumber(term.factor.bytes.span)
      let isAdded =
        unsafe EC_POINT_mul(product.group, product.point, nil, point.point, factor.pointer, scratch.pointer)
        == 1
        && EC_POINT_add(sum.group, sum.point, sum.point, product.point, scratch.pointer) == 1
      guard isAdded else { throw .outOfMemory }
    }
    guard unsafe EC_POINT_is_at_infinity(sum.group, sum.point) == 0 else { return nil }
    return try sum.compressed()
  }

  /// Adds a multiple of the generator to a compressed point.
  static func tweaked(
    _ encoded: [UInt8], byBaseTimes factor: [UInt8], on curve: NamedCurve
  ) throws(CryptoError) -> [UInt8] {
    let point = try WeierstrassPoint(compressed: encoded, on: curve)
    let sum = try WeierstrassPoint(on: curve)
    let factor = try BigNumber(factor.span)
    let one = try BigNumber([1].span)
    let scratch = try ScratchNumbers()
    let status = unsafe EC_POINT_mul(
      sum.group, sum.point, factor.pointer, point.point, one.pointer, scratch.pointer)
    guard status == 1 else { throw .outOfMemory }
    guard unsafe EC_POINT_is_at_infinity(sum.group, sum.point) == 0 else { throw .invalidKey }
    return try sum.compressed()
  }

  /// Multiplies a compressed point by a secret scalar.
  ///
  /// The compressed product is equally secret.
  static func product(
    of compressed: [UInt8], and scalar: borrowing SecretBytes, on curve: NamedCurve
  ) throws(CryptoError) -> SecretBytes {
    let point = try WeierstrassPoint(compressed: compressed, on: curve)
    let product = try WeierstrassPoint(on: curve)
    let number = try BigNumber(secret: scalar)
    let scratch = try ScratchNumbers()
    let status =
      unsafe EC_POINT_mul(product.group, product.point, nil, point.point, number.pointer, scratch.pointer)
    guard status == 1 else { throw .outOfMemory }
    let bytes = try SecretBytes(count: 33)
    let written = unsafe bytes.withPointer { bytes in
      unsafe EC_POINT_point2oct(
        product.group, product.point, POINT_CONVERSION_COMPRESSED, bytes, 33, scratch.pointer)
    }
    guard written == 33 else { throw .invalidPoint }
    return bytes
  }

  private func write(count: Int, form: point_conversion_form_t) throws(CryptoError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let written = unsafe EC_POINT_point2oct(group, point, form, &bytes, count, nil)
    // The point at infinity encodes as one byte.
    guard written == count else { throw .invalidPoint }
    return bytes
  }

  /// Clears OpenSSL's error queue, which would otherwise grow with each refusal on this thread.
  private static func refused() -> CryptoError {
    ERR_clear_error()
    return .invalidPoint
  }
}
