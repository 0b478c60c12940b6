internal import FuekiCrypto

/// Numbers of up to 256 bits, from decimal digits to 32 big-endian bytes.
enum DecimalNumber {
  static let byteCount = 32

  /// Reads digits that are no secret; nil for anything but digits, and for a number of more than 256 bits.
  static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Reads digits that are no secret; nil for a number of more than 1024 bits too.
  static func long(_ digits: Span<UInt8>) -> [UInt8]? {
    guard digits.count <= 310 else { return nil }
    var number = [UInt8](repeating: 0, count: 128)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Reads the digits of a secret, whose bytes are made in place; nil as for those that are none.
  ///
  /// - Throws: What making a ``SecretBytes`` throws.
  static func secret(_ digits: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    var number = try SecretBytes(count: byteCount)
    let isRead = number.withMutableBytes { span in read(digits, into: &span) }
    guard isRead else { return nil }
    return number
  }

  /// Multiplies by ten and adds, digit for digit, on the bytes themselves.
  private static func read(_ digits: Span<UInt8>, into number: inout MutableSpan<UInt8>) -> Bool {
    guard !digits.isEmpty else { return false }
    for position in digits.indices {
      guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(digits[position]) else { return false }
      var carry = UInt16(digits[position] - UInt8(ascii: "0"))
      for index in number.indices.reversed() {
        carry += UInt16(number[index]) * 10
        number[index] = UInt8(truncatingIfNeeded: carry)
        carry >>= 8
      }
      guard carry == 0 else { return false }
    }
    return true
  }
}
