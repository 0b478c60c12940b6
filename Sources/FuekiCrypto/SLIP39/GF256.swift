/// Arithmetic in the field of 256 elements, modulo x⁸ + x⁴ + x³ + x + 1.
///
/// Without tables of logarithms: which of their lines is read would show in the processor's cache.
enum GF256 {
  /// Multiplies in a time that does not depend on the factors.
  static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (a, product): (UInt8, UInt8) = (a, 0)
    for bit in 0..<8 {
      product ^= a & (0 &- (b >> UInt8(bit) & 1))
      a = a << 1 ^ 0x1b & (0 &- (a >> 7))
    }
    return product
  }

  /// The element that gives 1 with this one, which is its 254th power; 0 for 0.
  static func inverse(_ a: UInt8) -> UInt8 {
    var (power, product) = (a, 1 as UInt8)
    for _ in 0..<7 {
      power = multiply(power, power)
      product = multiply(product, power)
    }
    return product
  }
}
