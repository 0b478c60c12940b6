public import FoundationEssentials

/// A writer of the Protocol Buffers wire format, for records too numerous or too secret for message objects.
///
/// It writes the same bytes as SwiftProtobuf if fields are in ascending order, with fields of implicit
/// presence through the `UnlessEmpty` calls and optional ones through `IfPresent`. See the Protocol Buffers
/// documentation, "Encoding".
public struct WireWriter: Sendable {
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  /// Creates an empty writer.
  public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  /// Discards the bytes and keeps their memory.
  public mutating func removeAll() { bytes.removeAll(keepingCapacity: true) }

  /// Appends encoded fields.
  package mutating func append(raw fields: [UInt8]) { bytes.append(contentsOf: fields) }

  /// Appends encoded fields.
  mutating func append(raw fields: Data) { bytes.append(contentsOf: fields) }

  /// Appends a `uint32`, `uint64` or `bool` field, even if zero.
  public mutating func append(_ field: UInt32, varint value: UInt64) {
    appendTag(field, .varint)
    bytes.append(varint: value)
  }

  /// Appends a `sint32` or `sint64` field, even if zero.
  package mutating func append(_ field: UInt32, zigzag value: Int64) {
    append(field, varint: UInt64(bitPattern: (value << 1) ^ (value >> 63)))
  }

  /// Appends a `double` field, even if zero.
  package mutating func append(_ field: UInt32, real value: Double) {
    appendTag(field, .fixed64)
    for shift in stride(from: 0, to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: value.bitPattern >> UInt64(shift)))
    }
  }

  /// Appends a `bytes` field or an encoded message, even if empty.
  mutating func append(_ field: UInt32, bytes value: Span<UInt8>) {
    appendTag(field, .lengthDelimited)
    bytes.append(varint: UInt64(value.count))
    bytes.append(copying: value)
  }

  /// Appends a `bytes` field or an encoded message, even if empty.
  public mutating func append(_ field: UInt32, bytes value: [UInt8]) {
    appendTag(field, .lengthDelimited)
    bytes.append(varint: UInt64(value.count))
    bytes.append(contentsOf: value)
  }

  /// Appends a `bytes` field or an encoded message, even if empty.
  public mutating func append(_ field: UInt32, bytes value: Data) {
    appendTag(field, .lengthDelimited)
    bytes.append(varint: UInt64(value.count))
    bytes.append(copying: value.span)
  }

  /// Appends a `string` field, even if empty.
  public mutating func append(_ field: UInt32, text value: String) {
    appendTag(field, .lengthDelimited)
    let text = value.utf8Span.span
    bytes.append(varint: UInt64(text.count))
    bytes.append(copying: text)
  }

  /// Appends a `bytes` field with a packed text, even if empty.
  ///
  /// See ``PackedText``.
  package mutating func append(_ field: UInt32, packing value: String) {
    append(field, packing: value.utf8Span.span)
  }

  /// Appends a `bytes` field with a packed text, even if empty.
  ///
  /// The bytes must be UTF-8.
  mutating func append(_ field: UInt32, packing text: Span<UInt8>) {
    appendTag(field, .lengthDelimited)
    guard let form = PackedText.form(of: text) else { return bytes.append(0) }
    bytes.append(varint: UInt64(PackedText.packedByteCount(text.count, form)))
    PackedText.append(text, as: form, to: &bytes)
  }

  /// Appends the tag and length of a `bytes` field whose content is written separately.
  mutating func append(_ field: UInt32, lengthOfBytes count: Int) {
    appendTag(field, .lengthDelimited)
    bytes.append(varint: UInt64(count))
  }

  private mutating func appendTag(_ field: UInt32, _ type: WireType) {
    bytes.append(varint: UInt64(field) << 3 | UInt64(type.rawValue))
  }
}

extension Array where Element == UInt8 {
  /// Appends a number as a minimal varint.
  package mutating func append(varint value: UInt64) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }
}

extension WireWriter {
  /// Appends a `bytes` field of implicit presence.
  mutating func appendUnlessEmpty(_ field: UInt32, bytes value: Data) {
    if !value.isEmpty { append(field, bytes: value) }
  }

  /// Appends a `bytes` field of implicit presence.
  mutating func appendUnlessEmpty(_ field: UInt32, bytes value: Span<UInt8>) {
    if !value.isEmpty { append(field, bytes: value) }
  }

  /// Appends a `string` field of implicit presence.
  package mutating func appendUnlessEmpty(_ field: UInt32, text value: String) {
    if !value.isEmpty { append(field, text: value) }
  }

  /// Appends a `uint32`, `uint64` or `bool` field of implicit presence.
  mutating func appendUnlessZero(_ field: UInt32, varint value: UInt64) {
    if value != 0 { append(field, varint: value) }
  }

  /// Appends an optional `uint32`, `uint64` or `bool` field.
  mutating func appendIfPresent(_ field: UInt32, varint value: UInt64?) {
    if let value { append(field, varint: value) }
  }

  /// Appends an optional `sint32` or `sint64` field.
  mutating func appendIfPresent(_ field: UInt32, zigzag value: Int64?) {
    if let value { append(field, zigzag: value) }
  }

  /// Appends an optional `bytes` field.
  mutating func appendIfPresent(_ field: UInt32, bytes value: Data?) {
    if let value { append(field, bytes: value) }
  }

  /// Appends an optional `string` field.
  mutating func appendIfPresent(_ field: UInt32, text value: String?) {
    if let value { append(field, text: value) }
  }
}

extension Array where Element == UInt8 {
  /// Appends the bytes of a span.
  mutating func append(copying bytes: Span<UInt8>) {
    append(addingCapacity: bytes.count) { output in
      for i in bytes.indices { output.append(bytes[i]) }
    }
  }
}
