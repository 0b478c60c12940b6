internal import COpenSSL

/// A public number modulo a group's order: a key share's x coordinate, or a factor computed from some.
///
/// These numbers are not secret, so running times may depend on them.
struct PublicScalar: Hashable {
  /// 32 bytes, big-endian, below the order.
  let bytes: [UInt8]
  let curve: Curve

  /// Reduces a big-endian number of at most 32 bytes: tss-lib's x coordinates are not reduced.
  init(reducing number: [UInt8], on curve: Curve) throws(CryptoError) {
    guard number.count <= Curve.scalarByteCount else { throw .invalidLength }
    try self.init(number, reducedOn: curve)
  }

  fileprivate init(_ number: [UInt8], reducedOn curve: Curve) throws(CryptoError) {
    let result = try BigNumber()
    let unreduced = try BigNumber(number.span)
    let order = try BigNumber(curve.orderBytes.span)
    let scratch = try ScratchNumbers()
    let status = unsafe BN_nnmod(result.pointer, unreduced.pointer, order.pointer, scratch.pointer)
    guard status == 1 else { throw .outOfMemory }
    try self.init(result, on: curve)
  }

  static func one(on curve: Curve) throws(CryptoError) -> PublicScalar {
    try PublicScalar(reducing: [1], on: curve)
  }

  private init(_ number: borrowing BigNumber, on curve: Curve) throws(CryptoError) {
    var bytes = [UInt8](repeating: 0, count: Curve.scalarByteCount)
    let written = unsafe BN_bn2binpad(number.pointer, &bytes, Int32(Curve.scalarByteCount))
    guard written >= 0 else { throw .invalidLength }
    self.bytes = bytes
    self.curve = curve
  }

  var isZero: Bool { bytes.allSatisfy { $0 == 0 } }

  func minus(_ other: PublicScalar) throws(CryptoError) -> PublicScalar {
    try combined(with: other) { result, a, b, order, scratch in
      unsafe BN_mod_sub(result.pointer, a.pointer, b.pointer, order.pointer, scratch.pointer) == 1
    }
  }

  func times(_ other: PublicScalar) throws(CryptoError) -> PublicScalar {
    try combined(with: other) { result, a, b, order, scratch in
      unsafe BN_mod_mul(result.pointer, a.pointer, b.pointer, order.pointer, scratch.pointer) == 1
    }
  }

  /// Divides this number by another, which must not be zero.
  func divided(by other: PublicScalar) throws(CryptoError) -> PublicScalar {
    guard !other.isZero else { throw .invalidLength }
    return try combined(with: other) { result, a, b, order, scratch in
      unsafe BN_mod_inverse(result.pointer, b.pointer, order.pointer, scratch.pointer) != nil
        && BN_mod_mul(result.pointer, a.pointer, result.pointer, order.pointer, scratch.pointer) == 1
    }
  }

  private func combined(
    with other: PublicScalar,
    _ operation: (
      borrowing BigNumber, borrowing BigNumber, borrowing BigNumber, borrowing BigNumber,
      borrowing ScratchNumbers
    ) -> Bool
  ) throws(CryptoError) -> PublicScalar {
    let result = try BigNumber()
    let a = try BigNumber(bytes.span)
    let b = try BigNumber(other.bytes.span)
    let order = try BigNumber(curve.orderBytes.span)
    let scratch = try ScratchNumbers()
    guard operation(result, a, b, order, scratch) else { throw .outOfMemory }
    return try PublicScalar(result, on: curve)
  }
}

extension CurveScalar {
  /// The longest number accepted for reduction: some programs use a party's whole name as a number.
  static let unreducedByteCount = 1024

  /// Reduces a public big-endian number modulo the order of the curve's group, to 32 bytes.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for a number of more than 1024 bytes, or ``CryptoError/outOfMemory``.
  public static func reduced(_ number: [UInt8], on curve: Curve) throws(CryptoError) -> [UInt8] {
    guard number.count <= unreducedByteCount else { throw .invalidLength }
    return try PublicScalar(number, reducedOn: curve).bytes
  }
}
