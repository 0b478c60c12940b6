/// The curves whose keys and key shares the wallets hold.
public enum Curve: String, Sendable, CaseIterable {
  /// The curve of Bitcoin and Ethereum. See SEC 2 section 2.4.1.
  case secp256k1
  /// The curve of ES256 and of secure elements, also called prime256v1. See FIPS 186-4 section D.1.2.3.
  case p256
  /// The twisted Edwards curve of Ed25519. See RFC 8032 section 5.1.
  case ed25519
  /// The group of prime order over Ed25519's curve, of some FROST shares. See RFC 9496.
  case ristretto255
  /// The curve of Starknet.
  case stark

  /// The length of every scalar, big-endian whatever the curve.
  public static let scalarByteCount = 32

  /// The length of a compressed point.
  public var compressedByteCount: Int {
    switch self {
    case .secp256k1, .p256, .stark: 33
    case .ed25519, .ristretto255: 32
    }
  }

  /// The order of the group that the generator makes, as a big-endian number.
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
