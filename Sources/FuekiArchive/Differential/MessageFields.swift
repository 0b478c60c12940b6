/// The fields of a Protocol Buffers message of any schema, which record identities in unknown sections need.
///
/// Varints need not be minimal, because writers differ. Groups are not supported.
struct MessageFields {
  /// The bytes are not a sequence of fields.
  struct Malformed: Error {}

  /// A field's number and the position of its content.
  struct Field {
    let number: UInt32
    let wireType: FieldTag.WireType
    /// The value of a varint; 0 for other wire types.
    let value: UInt64
    /// The range of the bytes of other wire types, without their length.
    let content: Range<Int>
  }

  private var position: Int
  private let end: Int

  /// Starts before the first field of the message in `range` of the bytes passed to ``next(in:)``.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next field; nil at the message's end.
  mutating func next(in bytes: Span<UInt8>) throws(Malformed) -> Field? {
    guard position < end else { return nil }
    guard let tag = FieldTag(try varint(in: bytes)) else { throw Malformed() }
    var value: UInt64 = 0
    var count = 0
    switch tag.wireType {
    case .varint: value = try varint(in: bytes)
    case .eightBytes: count = 8
    case .fourBytes: count = 4
    case .lengthDelimited:
      let length = try varint(in: bytes)
      guard length <= UInt64(end - position) else { throw Malformed() }
      count = Int(length)
    }
    guard count <= end - position else { throw Malformed() }
    defer { position += count }
    return Field(
      number: tag.rawValue >> 3, wireType: tag.wireType, value: value, content: position..<position + count)
  }

  private mutating func varint(in bytes: Span<UInt8>) throws(Malformed) -> UInt64 {
    guard let value = Varint.readAny(bytes, at: &position, end: end) else { throw Malformed() }
    return value
  }
}
