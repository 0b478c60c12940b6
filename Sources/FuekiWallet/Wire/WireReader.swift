package import FuekiArchive

/// A strict reader of the Protocol Buffers wire format, for messages whose content must not be copied freely.
///
/// It holds a position, not the bytes, which are passed to each call. It accepts neither groups nor varints
/// that are not minimal.
public struct WireReader: Sendable {
  private var position = 0

  /// Creates a reader at the first field.
  public init() {}

  /// Returns the next field; nil at the message's end.
  public mutating func next(in message: Span<UInt8>) throws(WireError) -> WireField? {
    guard position < message.count else { return nil }
    let start = position
    let tag = try varint(in: message)
    guard let number = UInt32(exactly: tag >> 3), 1...0x1fff_ffff ~= number,
      let type = WireType(rawValue: UInt8(tag & 7))
    else { throw .invalidTag }
    let value: WireField.Value
    switch type {
    case .varint: value = .varint(try varint(in: message))
    case .fixed64: value = .fixed64(try fixed(8, in: message))
    case .fixed32: value = .fixed32(UInt32(truncatingIfNeeded: try fixed(4, in: message)))
    case .lengthDelimited:
      let length = try varint(in: message)
      guard length <= UInt64(message.count - position) else { throw .truncated }
      value = .content(position..<(position + Int(length)))
      position += Int(length)
    }
    return WireField(number: number, value: value, range: start..<position)
  }

  /// Reads a message's top-level fields, to validate them.
  package static func walk(_ message: Span<UInt8>) throws(WireError) {
    var reader = WireReader()
    while try reader.next(in: message) != nil {}
  }

  private mutating func varint(in message: Span<UInt8>) throws(WireError) -> UInt64 {
    guard let value = Varint.read(message, at: &position, end: message.count) else {
      throw Varint.isCut(message, at: position, end: message.count) ? .truncated : .varintNotMinimal
    }
    return value
  }

  private mutating func fixed(_ count: Int, in message: Span<UInt8>) throws(WireError) -> UInt64 {
    guard count <= message.count - position else { throw .truncated }
    var value: UInt64 = 0
    for i in 0..<count { value |= UInt64(message[position + i]) << UInt64(8 * i) }
    position += count
    return value
  }
}

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
  func uint32() throws(WireError) -> UInt32 {
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

/// The encoding of a field's value.
public enum WireType: UInt8, Sendable {
  /// Seven bits per byte, lowest first.
  case varint = 0
  /// Eight bytes, little-endian.
  case fixed64 = 1
  /// A varint length, and that many bytes.
  case lengthDelimited = 2
  /// Four bytes, little-endian.
  case fixed32 = 5
}

/// Why bytes are not a valid message.
public enum WireError: Error, Equatable, Sendable {
  /// The bytes end inside a field.
  case truncated
  /// A varint is not minimal, or exceeds 64 bits.
  case varintNotMinimal
  /// A field's number or wire type is invalid.
  case invalidTag
  /// A field's wire type contradicts the schema.
  case wrongType(field: UInt32)
  /// A singular field occurs twice.
  case repeated(field: UInt32)
  /// A field's value is invalid by the schema.
  case invalidValue(field: UInt32)
}

/// Reads numbers and lengths in Bitcoin's formats.
extension ByteReader {
  /// Reads a big-endian number of up to eight bytes.
  package mutating func bigEndian(_ byteCount: Int) throws(Exhausted) -> UInt64 {
    try bytes(byteCount).reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a variable-length number (CompactSize).
  package mutating func compactSize() throws(Exhausted) -> UInt64 {
    switch try u8() {
    case 0xFD: UInt64(try u16())
    case 0xFE: UInt64(try u32())
    case 0xFF: try u64()
    case let first: UInt64(first)
    }
  }

  /// Reads bytes after a CompactSize that counts them.
  package mutating func counted() throws(Exhausted) -> [UInt8] {
    try bytes(Int(clamping: try compactSize()))
  }
}
