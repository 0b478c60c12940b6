/// A cursor over a file's bytes, which checks every length against the rest before allocating.
package struct ByteReader {
  /// Thrown for reading past the end, or for leaving bytes unread.
  package struct Exhausted: Error {
    package init() {}
  }

  private let bytes: [UInt8]
  private(set) var position: Int
  private let end: Int

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = 0
    end = bytes.count
  }

  package var remaining: Int { end - position }

  package mutating func u8() throws(Exhausted) -> UInt8 {
    guard remaining >= 1 else { throw Exhausted() }
    defer { position += 1 }
    return bytes[position]
  }

  package mutating func u16() throws(Exhausted) -> UInt16 { try integer() }
  package mutating func u32() throws(Exhausted) -> UInt32 { try integer() }
  package mutating func u64() throws(Exhausted) -> UInt64 { try integer() }

  package mutating func bytes(_ count: Int) throws(Exhausted) -> [UInt8] {
    guard count >= 0, count <= remaining else { throw Exhausted() }
    defer { position += count }
    return Array(bytes[position..<position + count])
  }

  /// Reads a varint, minimal or not.
  mutating func varint() throws(Exhausted) -> UInt64 {
    var next = position
    guard let value = Varint.readAny(bytes.span, at: &next, end: end) else { throw Exhausted() }
    position = next
    return value
  }

  package func finish() throws(Exhausted) {
    guard remaining == 0 else { throw Exhausted() }
  }

  private mutating func integer<I: FixedWidthInteger & UnsignedInteger>() throws(Exhausted) -> I {
    let width = I.bitWidth / 8
    guard remaining >= width else { throw Exhausted() }
    var value: I = 0
    for i in (0..<width).reversed() { value = value << 8 | I(bytes[position + i]) }
    position += width
    return value
  }
}

extension [UInt8] {
  /// Appends a number as little-endian bytes, the byte order of the whole format (fueki-archive(5), CONVENTIONS).
  @inlinable
  package mutating func append<I: FixedWidthInteger & UnsignedInteger>(littleEndian value: I) {
    for i in 0..<I.bitWidth / 8 { append(UInt8(truncatingIfNeeded: value >> (I(i) * 8))) }
  }

  /// The ASCII bytes of a label of the format, with no terminator.
  static func label(_ text: StaticString) -> [UInt8] { Array(text.description.utf8) }
}

extension Span<UInt8> {
  /// Returns the little-endian number at an offset.
  ///
  /// The caller ensures that the bytes exist.
  @inlinable
  package func littleEndian<I: FixedWidthInteger & UnsignedInteger>(_ type: I.Type, at offset: Int) -> I {
    var value: I = 0
    for i in 0..<I.bitWidth / 8 { value |= I(self[offset + i]) << (I(i) * 8) }
    return value
  }
}
