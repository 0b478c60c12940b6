/// Varints as in a column form: minimal, and of at most 64 bits.
enum MinimalVarint {
  /// Returns the length of the varint at `start`; nil if it is invalid or does not end before `end`.
  @inline(__always)
  static func width(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Int? {
    guard start < end else { return nil }
    guard bytes[start] >= 0x80 else { return 1 }
    return longWidth(bytes, at: start, end: end)
  }

  /// Reads the varint at `position` and advances it; nil if it is invalid or does not end before `end`.
  @inline(__always)
  static func read(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt64? {
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

  private static func longWidth(_ bytes: Span<UInt8>, at start: Int, end: Int) -> Int? {
    var width = 1
    while width < 10, start + width < end {
      let byte = bytes[start + width]
      width += 1
      guard byte < 0x80 else { continue }
      // A last byte of zero is not minimal, and a tenth byte has room for one bit.
      return byte > 0 && (width < 10 || byte == 1) ? width : nil
    }
    return nil
  }

  private static func longValue(_ bytes: Span<UInt8>, at position: inout Int, end: Int) -> UInt64? {
    guard let width = longWidth(bytes, at: position, end: end) else { return nil }
    var value: UInt64 = 0
    for place in 0..<width { value |= UInt64(bytes[position + place] & 0x7F) << UInt64(7 * place) }
    position += width
    return value
  }
}
