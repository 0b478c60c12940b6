internal import GRDBSQLite

/// The current row of a statement or of a ``RowLoop``.
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

  /// Where SQLite has the values.
  @unsafe
  private enum Source {
    case statement(OpaquePointer)
    case arguments(UnsafeBufferPointer<OpaquePointer?>)
  }

  private let source: Source

  @usableFromInline
  @unsafe
  init(_ handle: OpaquePointer) { unsafe source = .statement(handle) }

  /// Creates the row of a function's arguments, during its call.
  @unsafe
  init(_ arguments: UnsafeBufferPointer<OpaquePointer?>) { unsafe source = .arguments(arguments) }

  /// Returns the type of a column's value; NULL if there is no such column.
  public func kind(_ column: Int) -> Kind { Kind(rawValue: code(column)) ?? .null }

  /// Returns a column's integer, converted by SQLite from other types; nil for NULL.
  @inlinable
  public func integer(_ column: Int) -> Int64? {
    let (isNull, value) = number(column)
    return isNull ? nil : value
  }

  /// Returns a column's real number, converted by SQLite from other types.
  public func real(_ column: Int) -> Double {
    switch unsafe source {
    case .statement(let handle): return unsafe sqlite3_column_double(handle, Int32(column))
    case .arguments(let values):
      guard let value = unsafe Self.value(column, of: values) else { return 0 }
      return unsafe sqlite3_value_double(value)
    }
  }

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
    let value =
      switch unsafe source {
      case .statement(let handle): unsafe sqlite3_column_int64(handle, Int32(column))
      case .arguments(let values):
        unsafe Self.value(column, of: values).map { unsafe sqlite3_value_int64($0) } ?? 0
      }
    // Only zero is ambiguous with NULL.
    guard value == 0 else { return (false, value) }
    return (code(column) == SQLITE_NULL, 0)
  }

  @usableFromInline
  @unsafe
  func bytes(_ column: Int) -> (isNull: Bool, bytes: UnsafeBufferPointer<UInt8>) {
    // The order matters: reading the blob may convert the value, and its length is right only afterwards.
    let (start, count): (UnsafeRawPointer?, Int32)
    switch unsafe source {
    case .statement(let handle):
      unsafe start = sqlite3_column_blob(handle, Int32(column))
      unsafe count = start == nil ? 0 : sqlite3_column_bytes(handle, Int32(column))
    case .arguments(let values):
      let value = unsafe Self.value(column, of: values)
      unsafe start = value.flatMap { unsafe sqlite3_value_blob($0) }
      unsafe count = start == nil ? 0 : sqlite3_value_bytes(value)
    }
    // A missing address means an empty value or NULL.
    guard let start = unsafe start else {
      return unsafe (code(column) == SQLITE_NULL, .init(start: nil, count: 0))
    }
    return unsafe (false, .init(start: start.assumingMemoryBound(to: UInt8.self), count: Int(count)))
  }

  private func code(_ column: Int) -> Int32 {
    switch unsafe source {
    case .statement(let handle): return unsafe sqlite3_column_type(handle, Int32(column))
    case .arguments(let values):
      guard let value = unsafe Self.value(column, of: values) else { return SQLITE_NULL }
      return unsafe sqlite3_value_type(value)
    }
  }

  @unsafe
  @inline(__always)
  private static func value(_ column: Int, of values: UnsafeBufferPointer<OpaquePointer?>) -> OpaquePointer? {
    unsafe column < values.count ? values[column] : nil
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
