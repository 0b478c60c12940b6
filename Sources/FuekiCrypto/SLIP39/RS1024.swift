/// The checksum of a share: Reed-Solomon over ten-bit symbols, which finds any three wrong words.
///
/// See SLIP-0039, section "Checksum". Nothing branches on the symbols, which are secret.
struct RS1024 {
  static let symbolCount = 3

  private var value: UInt32 = 1

  /// Begins a checksum; extendable shares have another beginning, so that the flag cannot be mistyped.
  init(isExtendable: Bool) {
    for byte in isExtendable ? "shamir_extendable".utf8 : "shamir".utf8 { take(UInt16(byte)) }
  }

  /// Takes in the next symbol.
  mutating func take(_ symbol: UInt16) {
    let top = value >> 20
    value = (value & 0xf_ffff) << 10 ^ UInt32(symbol)
    for bit in 0..<10 { value ^= Self.generator[bit] & (0 &- (top >> UInt32(bit) & 1)) }
  }

  /// Whether the symbols taken so far end with their checksum.
  var holds: Bool { value == 1 }

  /// The checksum of the symbols taken so far, the first of its symbols highest.
  consuming func finish() -> UInt32 {
    for _ in 0..<Self.symbolCount { take(0) }
    return value ^ 1
  }

  private static let generator: InlineArray<10, UInt32> = [
    0x00e0_e040, 0x01c1_c080, 0x0383_8100, 0x0707_0200, 0x0e0e_0009, 0x1c0c_2412, 0x3808_6c24, 0x3090_fc48,
    0x21b1_f890, 0x03f3_f120,
  ]
}
