internal import FuekiSQLite
internal import FuekiWallet

/// Appends encoded fields to a shared buffer, because a million records need no buffers of their own.
extension [UInt8] {
  /// Appends a `bytes` or `string` field, even if empty.
  @inline(__always)
  mutating func append(_ field: UInt32, bytes value: Span<UInt8>) {
    append(varint: UInt64(field) << 3 | UInt64(WireType.lengthDelimited.rawValue))
    append(varint: UInt64(value.count))
    append(span: value)
  }

  /// Appends a numeric field, even if zero.
  @inline(__always)
  mutating func append(_ field: UInt32, varint value: UInt64) {
    append(varint: UInt64(field) << 3 | UInt64(WireType.varint.rawValue))
    append(varint: value)
  }
}

extension Span<UInt8> {
  /// Whether the bytes are UTF-8.
  var isUTF8: Bool {
    var all: UInt8 = 0
    for i in indices { all |= self[i] }
    return all < 0x80 || (try? UTF8Span(validating: self)) != nil
  }
}
