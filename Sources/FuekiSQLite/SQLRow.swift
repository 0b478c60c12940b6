internal import GRDBSQLite

/// The row that a statement stands at.
///
/// It can be neither kept nor copied, and while a closure has it, the statement cannot go on: what it gives is SQLite's
/// own memory, which the next step takes away. Columns are counted from 0.
@safe
public struct SQLRow: ~Copyable {
  /// A value's type, which in SQLite any row may choose for any column.
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

  /// The type of a column's value; NULL where there is no such column.
  public func kind(_ column: Int) -> Kind {
    Kind(rawValue: unsafe sqlite3_column_type(handle, Int32(column))) ?? .null
  }

  /// A column's number, as SQLite converts other values to one; nil for NULL.
  @inlinable
  public func integer(_ column: Int) -> Int64? {
    let (isNull, value) = number(column)
    return isNull ? nil : value
  }

  /// A column's real number, as SQLite converts other values to one.
  public func real(_ column: Int) -> Double { unsafe sqlite3_column_double(handle, Int32(column)) }

  /// Gives the bytes of a blob or text; of a number those of its text, and nil for NULL.
  ///
  /// A text's bytes are all there are, U+0000 among them, and not necessarily UTF-8.
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
    // Asking for the type as well is for zeros alone.
    guard value == 0 else { return (false, value) }
    return (unsafe sqlite3_column_type(handle, Int32(column)) == SQLITE_NULL, 0)
  }

  @usableFromInline
  @unsafe
  func bytes(_ column: Int) -> (isNull: Bool, bytes: UnsafeBufferPointer<UInt8>) {
    // In this order: asking for the blob may convert the value, and only then is its length the right one.
    guard let start = unsafe sqlite3_column_blob(handle, Int32(column)) else {
      // What has no address is empty, or NULL.
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
