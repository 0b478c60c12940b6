internal import COpenSSL

/// The curves whose keys and key shares the wallets hold.
public enum Curve: String, Sendable, CaseIterable {
  /// The curve of Bitcoin and Ethereum. See SEC 2 section 2.4.1.
  case secp256k1
  /// The curve of ES256 and of secure elements, also called prime256v1. See FIPS 186-4 section D.1.2.3.
  case p256
  /// The twisted Edwards curve of Ed25519. See RFC 8032 section 5.1.
  case ed25519
  /// The prime-order group over Ed25519's curve, used by some FROST shares.
  ///
  /// See RFC 9496.
  case ristretto255
  /// The curve of Starknet.
  case stark

  /// The length of a scalar in bytes, big-endian on every curve.
  public static let scalarByteCount = 32

  /// The length of a compressed point.
  public var compressedByteCount: Int {
    switch self {
    case .secp256k1, .p256, .stark: 33
    case .ed25519, .ristretto255: 32
    }
  }

  /// The order of the generator's group, as a big-endian number.
  var order: InlineArray<4, UInt64> {
    switch self {
    case .secp256k1:
      [0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFE, 0xBAAE_DCE6_AF48_A03B, 0xBFD2_5E8C_D036_4141]
    case .p256: [0xFFFF_FFFF_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0xBCE6_FAAD_A717_9E84, 0xF3B9_CAC2_FC63_2551]
    case .ed25519, .ristretto255: [0x1000_0000_0000_0000, 0, 0x14DE_F9DE_A2F7_9CD6, 0x5812_631A_5CF5_D3ED]
    case .stark: [0x0800_0000_0000_0010, 0xFFFF_FFFF_FFFF_FFFF, 0xB781_126D_CAE7_B232, 0x1E66_A241_ADC6_4D2F]
    }
  }

  /// The order's 32 bytes, big-endian.
  var orderBytes: [UInt8] {
    var bytes: [UInt8] = []
    let order = order
    for index in order.indices {
      for shift in stride(from: 56, through: 0, by: -8) {
        bytes.append(UInt8(truncatingIfNeeded: order[index] >> shift))
      }
    }
    return bytes
  }
}

/// The short Weierstrass curves, both those built into OpenSSL and Starknet's.
enum NamedCurve {
  case secp256k1, p256, stark

  /// Creates the group, which the caller frees; nil if OpenSSL fails.
  func makeGroup() throws(CryptoError) -> OpaquePointer? {
    switch self {
    case .secp256k1: unsafe EC_GROUP_new_by_curve_name(NID_secp256k1)
    case .p256: unsafe EC_GROUP_new_by_curve_name(NID_X9_62_prime256v1)
    case .stark: unsafe try StarkCurve.makeGroup()
    }
  }
}

/// Starknet's curve y² = x³ + x + b, from its documentation; all numbers are big-endian.
private enum StarkCurve {
  private static let prime: [UInt8] =
    [0x08] + [UInt8](repeating: 0, count: 6) + [0x11] + [UInt8](repeating: 0, count: 23) + [0x01]
  private static let coefficient: [UInt8] = [
    0x06, 0xF2, 0x14, 0x13, 0xEF, 0xBE, 0x40, 0xDE, 0x15, 0x0E, 0x59, 0x6D, 0x72, 0xF7, 0xA8, 0xC5,
    0x60, 0x9A, 0xD2, 0x6C, 0x15, 0xC9, 0x15, 0xC1, 0xF4, 0xCD, 0xFC, 0xB9, 0x9C, 0xEE, 0x9E, 0x89,
  ]
  private static let generator: (x: [UInt8], y: [UInt8]) = (
    [
      0x01, 0xEF, 0x15, 0xC1, 0x85, 0x99, 0x97, 0x1B, 0x7B, 0xEC, 0xED, 0x41, 0x5A, 0x40, 0xF0, 0xC7,
      0xDE, 0xAC, 0xFD, 0x9B, 0x0D, 0x18, 0x19, 0xE0, 0x3D, 0x72, 0x3D, 0x8B, 0xC9, 0x43, 0xCF, 0xCA,
    ],
    [
      0x00, 0x56, 0x68, 0x06, 0x0A, 0xA4, 0x97, 0x30, 0xB7, 0xBE, 0x48, 0x01, 0xDF, 0x46, 0xEC, 0x62,
      0xDE, 0x53, 0xEC, 0xD1, 0x1A, 0xBE, 0x43, 0xA3, 0x28, 0x73, 0x00, 0x0C, 0x36, 0xE8, 0xDC, 0x1F,
    ]
  )

  static func makeGroup() throws(CryptoError) -> OpaquePointer? {
    let prime = try BigNumber(prime.span)
    let one = try BigNumber([1].span)
    let coefficient = try BigNumber(coefficient.span)
    let order = try BigNumber(Curve.stark.orderBytes.span)
    let x = try BigNumber(generator.x.span)
    let y = try BigNumber(generator.y.span)
    let scratch = try ScratchNumbers()
    guard
      let group = unsafe EC_GROUP_new_curve_GFp(
        prime.pointer, one.pointer, coefficient.pointer, scratch.pointer)
    else { throw .unavailable }
    guard let point = unsafe EC_POINT_new(group) else {
      unsafe EC_GROUP_free(group)
      throw .outOfMemory
    }
    defer { unsafe EC_POINT_free(point) }
    let isMade =
      unsafe EC_POINT_set_affine_coordinates(group, point, x.pointer, y.pointer, scratch.pointer) == 1
      && EC_GROUP_set_generator(group, point, order.pointer, one.pointer) == 1
    guard isMade else {
      unsafe EC_GROUP_free(group)
      throw .unavailable
    }
    return unsafe group
  }
}
