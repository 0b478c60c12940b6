internal import COpenSSL

/// Numbers modulo the order of a curve's group: private keys and their shares.
///
/// A scalar is 32 bytes, big-endian, below the order. Addition and multiplication refuse anything else.
public enum CurveScalar {
  /// Draws a uniformly random scalar from 1 up to the order.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  package static func random(on curve: Curve) throws(CryptoError) -> SecretBytes {
    while true {
      var candidate = try SecretBytes.random(count: Curve.scalarByteCount)
      // The orders have 253 and 252 bits. With the higher bits cleared, half of the draws are below the
      // order.
      let mask: UInt8 =
        switch curve {
        case .ed25519, .ristretto255: 0x1F
        case .stark: 0x0F
        case .secp256k1, .p256: 0xFF
        }
      candidate.withMutableBytes { bytes in bytes[0] &= mask }
      if isKey(candidate, on: curve) { return candidate }
    }
  }

  /// Whether the bytes are valid as a private key: from 1 up to the order.
  public static func isKey(_ scalar: borrowing SecretBytes, on curve: Curve) -> Bool {
    scalar.withBytes { bytes in isBelowOrder(bytes, on: curve) && !isZero(bytes) }
  }

  /// Adds two scalars modulo the order.
  ///
  /// - Throws: ``CryptoError/invalidKey`` for anything but two scalars below the order, or
  ///   ``CryptoError/outOfMemory``.
  public static func add(
    _ a: borrowing SecretBytes, _ b: borrowing SecretBytes, on curve: Curve
  ) throws(CryptoError) -> SecretBytes {
    try combine(a, b, on: curve) { sum, a, b, order, scratch in
      unsafe BN_mod_add(sum.pointer, a.pointer, b.pointer, order.pointer, scratch.pointer)
    }
  }

  /// Multiplies two scalars modulo the order.
  ///
  /// - Throws: As ``add(_:_:on:)``.
  public static func multiply(
    _ a: borrowing SecretBytes, _ b: borrowing SecretBytes, on curve: Curve
  ) throws(CryptoError) -> SecretBytes {
    try combine(a, b, on: curve) { product, a, b, order, scratch in
      unsafe BN_mod_mul(product.pointer, a.pointer, b.pointer, order.pointer, scratch.pointer)
    }
  }

  /// Reduces a secret big-endian number modulo the order of the curve's group, to 32 bytes.
  ///
  /// - Returns: the scalar, which is zero for a multiple of the order.
  /// - Throws: ``CryptoError/invalidLength`` for a number of more than 1024 bytes, or ``CryptoError/outOfMemory``.
  public static func reduced(
    _ number: borrowing SecretBytes, on curve: Curve
  ) throws(CryptoError) -> SecretBytes {
    guard number.count <= unreducedByteCount else { throw .invalidLength }
    let rest = try BigNumber()
    let whole = try BigNumber(secret: number)
    let order = try BigNumber(curve.orderBytes.span)
    let scratch = try ScratchNumbers()
    guard unsafe BN_nnmod(rest.pointer, whole.pointer, order.pointer, scratch.pointer) == 1 else {
      throw .outOfMemory
    }
    return try rest.secretBytes(count: Curve.scalarByteCount)
  }
}

extension CurveScalar {
  private typealias Operation = (
    _ result: borrowing BigNumber, _ a: borrowing BigNumber, _ b: borrowing BigNumber,
    _ order: borrowing BigNumber, _ scratch: borrowing ScratchNumbers
  ) -> Int32

  private static func combine(
    _ a: borrowing SecretBytes, _ b: borrowing SecretBytes, on curve: Curve, _ operation: Operation
  ) throws(CryptoError) -> SecretBytes {
    let inRange = a.withBytes { isBelowOrder($0, on: curve) } && b.withBytes { isBelowOrder($0, on: curve) }
    guard inRange else { throw .invalidKey }
    let result = try BigNumber()
    let status = try operation(
      result, BigNumber(secret: a), BigNumber(secret: b), BigNumber(curve.orderBytes.span), ScratchNumbers())
    guard status == 1 else { throw .outOfMemory }
    return try result.secretBytes(count: Curve.scalarByteCount)
  }

  /// Subtracts the order and examines only the final borrow, so the time reveals nothing about the scalar.
  private static func isBelowOrder(_ bytes: Span<UInt8>, on curve: Curve) -> Bool {
    guard bytes.count == Curve.scalarByteCount else { return false }
    let order = curve.orderBytes
    var borrow = 0
    for index in bytes.indices.reversed() {
      borrow = (Int(bytes[index]) - Int(order[index]) - borrow) >> 8 & 1
    }
    return borrow == 1
  }

  private static func isZero(_ bytes: Span<UInt8>) -> Bool {
    var union: UInt8 = 0
    for index in bytes.indices { union |= bytes[index] }
    return union == 0
  }
}

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

/// An OpenSSL big number, wiped when released.
///
/// Safe because one value owns the number, and only calls that borrow the value receive the pointer.
@safe struct BigNumber: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    guard let number = unsafe BN_secure_new() else { throw .outOfMemory }
    unsafe pointer = number
  }

  /// Reads a big-endian number.
  init(_ bytes: Span<UInt8>) throws(CryptoError) {
    let number = try BigNumber()
    let result = unsafe bytes.withUnsafeBufferPointer { bytes in
      unsafe BN_bin2bn(bytes.baseAddress, Int32(clamping: bytes.count), number.pointer)
    }
    guard unsafe result != nil else { throw .outOfMemory }
    self = number
  }

  /// Reads a big-endian number and requests constant-time arithmetic.
  init(secret: borrowing SecretBytes) throws(CryptoError) {
    let number = try secret.withBytes { (bytes) throws(CryptoError) in try BigNumber(bytes) }
    unsafe BN_set_flags(number.pointer, BN_FLG_CONSTTIME)
    self = number
  }

  deinit { unsafe BN_clear_free(pointer) }

  /// Writes the number big-endian with leading zeros.
  func secretBytes(count: Int) throws(CryptoError) -> SecretBytes {
    let bytes = try SecretBytes(count: count)
    let written = unsafe bytes.withPointer { unsafe BN_bn2binpad(pointer, $0, Int32(clamping: count)) }
    guard written >= 0 else { throw .invalidLength }
    return bytes
  }
}

/// The intermediate numbers of a calculation, wiped when released.
///
/// Safe for the same reason as ``BigNumber``.
@safe struct ScratchNumbers: ~Copyable {
  let pointer: OpaquePointer

  init() throws(CryptoError) {
    guard let context = unsafe BN_CTX_secure_new() else { throw .outOfMemory }
    unsafe pointer = context
  }

  deinit { unsafe BN_CTX_free(pointer) }
}

/// Compares secret factors with a public product, as in Paillier keys.
public enum FactorCheck {
  /// The longest number in bytes, above any key in use.
  private static let byteCountLimit = 2048

  /// Whether two secret numbers, big-endian, are the factors of a public one.
  ///
  /// - Throws: ``CryptoError/invalidLength`` for numbers longer than any key, or ``CryptoError/outOfMemory``.
  public static func areFactors(
    _ first: borrowing SecretBytes, _ second: borrowing SecretBytes, of product: [UInt8]
  ) throws(CryptoError) -> Bool {
    guard max(first.count, second.count, product.count) <= byteCountLimit else { throw .invalidLength }
    let a = try BigNumber(secret: first)
    let b = try BigNumber(secret: second)
    let expected = try BigNumber(product.span)
    let found = try BigNumber()
    let scratch = try ScratchNumbers()
    guard unsafe BN_mul(found.pointer, a.pointer, b.pointer, scratch.pointer) == 1 else { throw .outOfMemory }
    return unsafe BN_cmp(found.pointer, expected.pointer) == 0 && BN_is_zero(expected.pointer) == 0
  }
}
