internal import GRDBSQLite

/// A statement's current row.
///
/// It cannot be kept or copied, and the statement cannot advance while a closure has it, because the row
/// refers to SQLite's own memory, which the next step frees. Columns are counted from 0.
@safe
public struct SQLRow: ~Copyable {
  /// A value's type, which in SQLite can differ from row to row in any column.
  public enum Kind: Int32, Sendable {
    case integer = 1
    case real = 2
    case text = 3
    case blob = 4
    case null = 5
  }

  @usableFromInline let handle: OpaquePointer

  @usableFromInline
  @unsafe
  init(_ handle: OpaquePointer) { unsafe self.handle = handle }

  /// Returns the type of a column's value; NULL if there is no such column.
  public func kind(_ column: Int) -> Kind {
    Kind(rawValue: unsafe sqlite3_column_type(handle, Int32(column))) ?? .null
  }

  /// Returns a column's integer, converted by SQLite from other types; nil for NULL.
  @inlinable
  public func integer(_ column: Int) -> Int64? {
    let (isNull, value) = number(column)
    return isNull ? nil : value
  }

  /// Returns a column's real number, converted by SQLite from other types.
  public func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, Int32(column)) }

  /// Passes the bytes of a blob or text, or of a number's text, to `body`; nil for NULL.
  ///
  /// A text is passed completely, including any U+0000, and is not necessarily UTF-8.
  @inlinable
  public func withBytes<Answer, Failure: Error>(
    _ column: Int, _ body: (Span<UInt8>?) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    let (isNull, bytes) = unsafe bytes(column)
    guard !isNull else { return try body(nil) }
    return try body(unsafe Span(_unsafeElements: bytes))
  }

  @usableFromInline
  func number(_ column: Int) -> (isNull: Bool, value: Int64) {
    let value = unsafe sqlite3_column_int64(handle, Int32(column))
    // Only zero is ambiguous with NULL.
    guard value == 0 else { return (false, value) }
    return (unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL, 0)
  }

  @usableFromInline
  @unsafe
  func bytes(_ column: Int) -> (isNull: Bool, bytes: UnsafeBufferPointer<UInt8>) {
    // The order matters: reading the blob may convert the value, and its length is right only afterwards.
    guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else {
      // A missing address means an empty value or NULL.
      return unsafe (sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL, .init(start: nil, count: 0))
    }
    let count = unsafe Int(sqlite3_column_bytes(handle, Int32(column)))
    return unsafe (false, .init(start: start.assumingMemoryBound(to: UInt8.self), count: count))
  }

  @usableFromInline
  @unsafe
  static func step(_ handle: OpaquePointer) throws(StatementError) -> Bool {
    let code = unsafe sqlite3_step(handle)
    if code == SQLITE_ROW { return true }
    guard code == SQLITE_DONE else {
      unsafe sqlite3_reset(handle)
      throw .refused(code: code)
    }
    return false
  }

  @usableFromInline
  @unsafe
  static func reset(_ handle: OpaquePointer) { unsafe sqlite3_reset(handle) }
}
