public import FoundationEssentials

extension WireWriter {
  /// Appends a `bytes` field of implicit presence.
  public mutating func appendUnlessEmpty(_ field: UInt32, bytes value: Data) {
    if !value.isEmpty { append(field, bytes: value) }
  }

  /// Appends a `bytes` field of implicit presence.
  public mutating func appendUnlessEmpty(_ field: UInt32, bytes value: Span<UInt8>) {
    if !value.isEmpty { append(field, bytes: value) }
  }

  /// Appends a `string` field of implicit presence.
  public mutating func appendUnlessEmpty(_ field: UInt32, text value: String) {
    if !value.isEmpty { append(field, text: value) }
  }

  /// Appends a `bytes` field of implicit presence with a packed text.
  public mutating func appendUnlessEmpty(_ field: UInt32, packing value: String) {
    if !value.isEmpty { append(field, packing: value) }
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
