internal import COpenSSL

/// BLS12-381 public keys in the first group, as Ethereum validators use them.
///
/// OpenSSL does not know the curve by name but computes on any given curve: y² = x³ + 4. See
/// draft-irtf-cfrg-pairing-friendly-curves, section 4.2.1, and its appendix C for the encoding.
public enum BLS12381 {
  /// The length of a secret key.
  static let secretKeyByteCount = 32
  /// The length of a compressed public key.
  static let publicKeyByteCount = 48

  /// Multiplies the generator by a secret of 32 big-endian bytes.
  ///
  /// - Returns: the compressed point: x, with its highest three bits set aside for flags.
  /// - Throws: ``CryptoError/invalidKey`` for a secret outside 1 up to the order, ``CryptoError/outOfMemory`` or
  ///   ``CryptoError/unavailable``.
  public static func publicKey(secret: borrowing SecretBytes) throws(CryptoError) -> [UInt8] {
    guard secret.count == secretKeyByteCount else { throw .invalidKey }
    let scratch = try ScratchNumbers()
    let group = try FirstGroup(scratch)
    let number = try BigNumber(secret: secret)
    let isInRange =
      unsafe BN_is_zero(number.pointer) == 0 && BN_cmp(number.pointer, group.order.pointer) < 0
    guard isInRange else { throw .invalidKey }
    return try group.compressedMultiple(number, scratch)
  }

  /// Whether the length and flags fit a compressed point other than infinity.
  public static func isShapedAsPublicKey(_ bytes: [UInt8]) -> Bool {
    bytes.count == publicKeyByteCount && bytes[0] & 0xC0 == compressed
  }

  fileprivate static let compressed: UInt8 = 0x80
  fileprivate static let isLarger: UInt8 = 0x20
}

/// The curve's group of prime order, with its generator.
///
/// Safe because one value owns the group, and no pointer leaves it.
@safe private struct FirstGroup: ~Copyable {
  private static let numbers = (
    field: "1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab",
    order: "73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001",
    cofactor: "396c8c005555e1568c00aaab0000aaab",
    x: "17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb",
    y: "08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1"
  )

  let order: BigNumber
  private let field: BigNumber
  private let group: OpaquePointer

  init(_ scratch: borrowing ScratchNumbers) throws(CryptoError) {
    let field = try Self.number(Self.numbers.field)
    let order = try Self.number(Self.numbers.order)
    let cofactor = try Self.number(Self.numbers.cofactor)
    let a = try BigNumber([0].span)
    let b = try BigNumber([4].span)
    let x = try Self.number(Self.numbers.x)
    let y = try Self.number(Self.numbers.y)
    guard
      let group = unsafe EC_GROUP_new_curve_GFp(field.pointer, a.pointer, b.pointer, scratch.pointer)
    else { throw .unavailable }
    let point = unsafe EC_POINT_new(group)
    let isMade =
      unsafe point != nil
      && EC_POINT_set_affine_coordinates(group, point, x.pointer, y.pointer, scratch.pointer) == 1
      && EC_GROUP_set_generator(group, point, order.pointer, cofactor.pointer) == 1
    unsafe EC_POINT_free(point)
    guard isMade else {
      unsafe EC_GROUP_free(group)
      ERR_clear_error()
      throw .unavailable
    }
    self.field = field
    self.order = order
    unsafe self.group = group
  }

  deinit { unsafe EC_GROUP_free(group) }

  func compressedMultiple(
    _ factor: borrowing BigNumber, _ scratch: borrowing ScratchNumbers
  ) throws(CryptoError) -> [UInt8] {
    guard let point = unsafe EC_POINT_new(group) else { throw .outOfMemory }
    defer { unsafe EC_POINT_clear_free(point) }
    let x = try BigNumber()
    let y = try BigNumber()
    let twice = try BigNumber()
    let isComputed =
      unsafe EC_POINT_mul(group, point, factor.pointer, nil, nil, scratch.pointer) == 1
      && EC_POINT_get_affine_coordinates(group, point, x.pointer, y.pointer, scratch.pointer) == 1
      && BN_add(twice.pointer, y.pointer, y.pointer) == 1
    guard isComputed else {
      ERR_clear_error()
      throw .unavailable
    }
    var bytes = [UInt8](repeating: 0, count: BLS12381.publicKeyByteCount)
    guard unsafe BN_bn2binpad(x.pointer, &bytes, Int32(bytes.count)) == Int32(bytes.count) else {
      throw .invalidPoint
    }
    bytes[0] |= BLS12381.compressed
    // The larger of the two y is above half of the field's prime.
    if unsafe BN_cmp(twice.pointer, field.pointer) > 0 { bytes[0] |= BLS12381.isLarger }
    return bytes
  }

  private static func number(_ digits: String) throws(CryptoError) -> BigNumber {
    guard let bytes = Hex.decode(digits) else { throw .unavailable }
    return try BigNumber(bytes.span)
  }
}
