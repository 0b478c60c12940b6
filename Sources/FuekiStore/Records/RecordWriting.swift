internal import FuekiSQLite
internal import FuekiWallet

/// Fields written straight behind what a buffer holds: a million records have no buffers of their own.
extension [UInt8] {
  /// Appends a `bytes` or `string` field, also where it is empty.
  @inline(__always)
  mutating func append(_ field: UInt32, bytes value: Span<UInt8>) {
    append(varint: UInt64(field) << 3 | UInt64(WireType.lengthDelimited.rawValue))
    append(varint: UInt64(value.count))
    append(span: value)
  }

  /// Appends a field that is a number, also where it is zero.
  @inline(__always)
  mutating func append(_ field: UInt32, varint value: UInt64) {
    append(varint: UInt64(field) << 3 | UInt64(WireType.varint.rawValue))
    append(varint: value)
  }

  /// Appends what a closure appends, as a record: with its length before it.
  ///
  /// - Throws: ``FramingError/tooLong(offset:)``, and what the closure throws.
  @inline(__always)
  mutating func appendRecord(_ body: (inout [UInt8]) throws -> Void) throws {
    let start = count
    // Most records have a length of two bytes.
    let expected = 2
    append(0)
    append(0)
    try body(&self)
    let length = count - start - expected
    guard RecordFraming.framedByteCount(length) <= RecordFraming.maximumByteCount else {
      throw FramingError.tooLong(offset: start)
    }
    if length >> 7 > 0, length >> 14 == 0 {
      self[start] = UInt8(truncatingIfNeeded: length) | 0x80
      self[start + 1] = UInt8(truncatingIfNeeded: length >> 7)
    } else {
      replaceSubrange(start..<start + expected, with: RecordFraming.lengthBytes(length))
    }
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
