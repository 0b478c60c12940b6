internal import GRDBSQLite

/// A parameter's value.
///
/// Texts and blobs are ranges of some bytes, within their first 4 GiB.
public enum SQLValue: Equatable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  /// A text in UTF-8, which may contain U+0000.
  case text(start: UInt32, count: UInt32)
  case blob(start: UInt32, count: UInt32)

  /// The range of a text or blob; nil for other values.
  public var range: Range<Int>? {
    switch self {
    case .text(let start, let count), .blob(let start, let count): Int(start)..<Int(start) + Int(count)
    case .null, .integer, .real: nil
    }
  }

  /// Creates a text or blob from a range of bytes.
  public init(_ range: Range<Int>, isText: Bool) {
    let (start, count) = (UInt32(range.lowerBound), UInt32(range.count))
    self = isText ? .text(start: start, count: count) : .blob(start: start, count: count)
  }

  /// Binds the value until the parameter's next binding, because SQLite keeps the address.
  @unsafe
  func bind(to handle: OpaquePointer, _ parameter: Int32, in bytes: UnsafeBufferPointer<UInt8>) -> Int32 {
    switch self {
    case .null: return unsafe sqlite3_bind_null(handle, parameter)
    case .integer(let value): return unsafe sqlite3_bind_int64(handle, parameter, value)
    case .real(let value): return unsafe sqlite3_bind_double(handle, parameter, value)
    case .text(let start, let count):
      let text = unsafe Self.address(start, count, in: bytes)
      return unsafe sqlite3_bind_text(handle, parameter, text, Int32(count), nil)
    case .blob(let start, let count):
      let blob = unsafe Self.address(start, count, in: bytes)
      return unsafe sqlite3_bind_blob(handle, parameter, blob, Int32(count), nil)
    }
  }

  /// Returns the value to SQLite from a virtual table's column; SQLite keeps the address until the next row.
  @unsafe
  func give(to context: OpaquePointer?, in bytes: UnsafeBufferPointer<UInt8>) {
    switch self {
    case .null: unsafe sqlite3_result_null(context)
    case .integer(let value): unsafe sqlite3_result_int64(context, value)
    case .real(let value): unsafe sqlite3_result_double(context, value)
    case .text(let start, let count):
      unsafe sqlite3_result_text(context, Self.address(start, count, in: bytes), Int32(count), nil)
    case .blob(let start, let count):
      unsafe sqlite3_result_blob(context, Self.address(start, count, in: bytes), Int32(count), nil)
    }
  }

  // Without an address, SQLite would treat an empty value as NULL.
  private static let empty: StaticString = ""

  @unsafe
  private static func address(
    _ start: UInt32, _ count: UInt32, in bytes: UnsafeBufferPointer<UInt8>
  ) -> UnsafePointer<CChar> {
    precondition(UInt64(start) + UInt64(count) <= UInt64(bytes.count), "a value is in its own bytes")
    guard count > 0, let base = bytes.baseAddress else {
      return unsafe UnsafeRawPointer(empty.utf8Start).assumingMemoryBound(to: CChar.self)
    }
    return unsafe UnsafeRawPointer(base + Int(start)).assumingMemoryBound(to: CChar.self)
  }
}
