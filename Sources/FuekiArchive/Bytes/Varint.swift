/// The varints of Protocol Buffers, of at most 64 bits: seven bits in each byte, the lowest ones first.
///
/// The format requires the minimal form of each number. Record identities accept longer forms, because writers differ.
package enum Varint {
  /// The length of the longest varint.
  private static let longest = 10

  /// Returns the length of the varint at `start`; nil if it is invalid or does not end before `end`.
  @inline(__always)
  static func width(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Int? {
    guard start < end else { return nil }
    guard bytes[start] >= 0x80 else { return 1 }
    return longWidth(bytes, at: start, end: end)
  }

  /// Reads the minimal varint at `position` and advances it; nil if it is invalid or does not end before `end`.
  @inlinable
  @inline(__always)
  package static func read(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt64? {
    guard position < end else { return nil }
    let first = bytes[position]
    guard first >= 0x80 else {
      position += 1
      return UInt64(first)
    }
    return longValue(bytes, at: &position, end: end)
  }

  /// Returns the length of a value's varint.
  @inline(__always)
  static func width(of value: UInt64) -> Int {
    value < 0x80 ? 1 : (70 - (value | 1).leadingZeroBitCount) / 7
  }

  /// Writes a value and advances `position`.
  @inline(__always)
  static func write(_ value: UInt64, to bytes: inout MutableSpan<UInt8>, at position: inout Int) {
    var rest = value
    while rest >= 0x80 {
      bytes[position] = UInt8(truncatingIfNeeded: rest) | 0x80
      rest >>= 7
      position += 1
    }
    bytes[position] = UInt8(truncatingIfNeeded: rest)
    position += 1
  }

  /// Reads a varint that need not be minimal, and advances `position`; nil if it is invalid or does not end before
  /// `end`.
  static func readAny(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt64? {
    value(bytes, at: &position, end: end, isMinimal: false)
  }

  /// Whether a varint at `start` would go on after `end`.
  package static func isCut(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Bool {
    end - start < longest && (start..<end).allSatisfy { bytes[$0] >= 0x80 }
  }

  private static func longWidth(_ bytes: Span<UInt8>, at start: Int, end: Int, isMinimal: Bool = true) -> Int?
  {
    var width = 0
    while width < longest, start + width < end {
      let byte = bytes[start + width]
      width += 1
      guard byte < 0x80 else { continue }
      // A tenth byte has room for one bit, and a last byte of zero is not minimal.
      guard width < longest || byte <= 1 else { return nil }
      return isMinimal && byte == 0 && width > 1 ? nil : width
    }
    return nil
  }

  /// Reads the minimal varint at `position`; it has more than one byte.
  @usableFromInline
  static func longValue(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt64? {
    value(bytes, at: &position, end: end, isMinimal: true)
  }

  private static func value(
    _ bytes: Span<UInt8>, at position: inout Int, end: Int, isMinimal: Bool
  ) -> UInt64? {
    guard let width = longWidth(bytes, at: position, end: end, isMinimal: isMinimal) else { return nil }
    var value: UInt64 = 0
    for place in 0..<width { value |= UInt64(bytes[position + place] & 0x7F) << UInt64(7 * place) }
    position += width
    return value
  }
}
