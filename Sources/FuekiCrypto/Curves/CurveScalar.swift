internal import COpenSSL

/// Numbers modulo the order of a curve's group: private keys and their shares.
///
/// A scalar is 32 bytes, big-endian, below the order. Addition and multiplication refuse anything else.
public enum CurveScalar {
  /// Draws a uniformly random scalar from 1 up to the order.
  ///
  /// - Throws: ``CryptoError/outOfMemory`` or ``CryptoError/unavailable``.
  public static func random(on curve: Curve) throws(CryptoError) -> SecretBytes {
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
