internal import FuekiCrypto

/// Converts decimal digits to big-endian bytes, by default 32.
enum DecimalNumber {
  static let byteCount = 32

  /// Converts public digits; nil for other characters, and for a number over 256 bits.
  static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Converts public digits; nil for a number of more than `byteCount` bytes too.
  static func long(_ digits: Span<UInt8>, byteCount: Int = 128) -> [UInt8]? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Converts a secret's digits in place; nil for invalid digits.
  ///
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  static func secret(
    _ digits: Span<UInt8>, byteCount: Int = DecimalNumber.byteCount
  ) throws(CryptoError) -> SecretBytes? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = try SecretBytes(count: byteCount)
    let isRead = number.withMutableBytes { span in read(digits, into: &span) }
    guard isRead else { return nil }
    return number
  }

  /// Whether the number of digits may fit: the work grows with both digits and bytes.
  private static func isShortEnough(_ digits: Span<UInt8>, _ byteCount: Int) -> Bool {
    digits.count <= byteCount * 5 / 2
  }

  /// Multiplies by ten and adds each digit, directly on the bytes.
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
