internal import FuekiCrypto

/// Numbers from decimal digits to big-endian bytes, 32 of them where nothing else is asked for.
enum DecimalNumber {
  static let byteCount = 32

  /// Reads digits that are no secret; nil for anything but digits, and for a number of more than 256 bits.
  static func bytes(_ digits: Span<UInt8>) -> [UInt8]? {
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Reads digits that are no secret; nil for a number of more bytes too.
  static func long(_ digits: Span<UInt8>, byteCount: Int = 128) -> [UInt8]? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = [UInt8](repeating: 0, count: byteCount)
    var span = number.mutableSpan
    return read(digits, into: &span) ? number : nil
  }

  /// Reads the digits of a secret, whose bytes are made in place; nil as for those that are none.
  ///
  /// - Throws: What making a ``SecretBytes`` throws.
  static func secret(
    _ digits: Span<UInt8>, byteCount: Int = DecimalNumber.byteCount
  ) throws(CryptoError) -> SecretBytes? {
    guard isShortEnough(digits, byteCount) else { return nil }
    var number = try SecretBytes(count: byteCount)
    let isRead = number.withMutableBytes { span in read(digits, into: &span) }
    guard isRead else { return nil }
    return number
  }

  /// Whether so many digits may fit: reading takes time that grows with the digits and the bytes.
  private static func isShortEnough(_ digits: Span<UInt8>, _ byteCount: Int) -> Bool {
    digits.count <= byteCount * 5 / 2
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
