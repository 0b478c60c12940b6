/// Reads numbers and lengths in the formats of LevelDB and Snappy; nil at the end of the bytes.
struct LittleEndianReader {
  private let bytes: ArraySlice<UInt8>
  private var position: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    position = bytes.startIndex
  }

  var isAtEnd: Bool { position == bytes.endIndex }

  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= bytes.endIndex - position else { return nil }
    defer { position += count }
    return bytes[position..<position + count]
  }

  /// Reads a number of up to eight bytes.
  mutating func number(_ count: Int) -> UInt64? {
    take(count)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a varint, lowest seven bits first.
  mutating func varint() -> UInt64? {
    var (value, shift) = (UInt64(0), UInt64(0))
    while shift < 64, let byte = take(1)?.first {
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }

  /// Reads a length; nil also if it is out of range.
  mutating func length() -> Int? { varint().flatMap { Int(exactly: $0) } }

  /// Reads bytes preceded by their length.
  mutating func counted() -> ArraySlice<UInt8>? { length().flatMap { take($0) } }
}
