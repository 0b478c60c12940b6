/// An encoded field.
public struct WireField: Equatable, Sendable {
  /// A field's value, or its position.
  public enum Value: Equatable, Sendable {
    /// A number.
    case varint(UInt64)
    /// Eight bytes, as a little-endian number.
    case fixed64(UInt64)
    /// Four bytes, as a little-endian number.
    case fixed32(UInt32)
    /// The range of the content of a text, bytes or message.
    case content(Range<Int>)
  }

  /// The field's number.
  public let number: UInt32
  /// The field's value, or its position.
  public let value: Value
  /// The range of the whole field, including its tag.
  public let range: Range<Int>

  /// The number of a `uint32` or `uint64` field.
  public func varint() throws(WireError) -> UInt64 {
    guard case .varint(let value) = value else { throw .wrongType(field: number) }
    return value
  }

  /// The number of a `uint32` field.
  public func uint32() throws(WireError) -> UInt32 {
    guard let value = UInt32(exactly: try varint()) else { throw .invalidValue(field: number) }
    return value
  }

  /// The number of a `sint64` field.
  public func zigzag() throws(WireError) -> Int64 {
    let value = try varint()
    return Int64(bitPattern: value >> 1) ^ -Int64(bitPattern: value & 1)
  }

  /// Returns the range of a length-delimited field's content.
  public func content() throws(WireError) -> Range<Int> {
    guard case .content(let range) = value else { throw .wrongType(field: number) }
    return range
  }

  /// Returns a copy of a length-delimited field's content.
  public func bytes(in message: Span<UInt8>) throws(WireError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(copying: message.extracting(try content()))
    return bytes
  }

  /// The text of a `string` field.
  public func text(in message: Span<UInt8>) throws(WireError) -> String {
    let content = message.extracting(try content())
    guard let text = try? UTF8Span(validating: content) else { throw .invalidValue(field: number) }
    return String(copying: text)
  }
}
