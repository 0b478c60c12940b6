public import GRDB
internal import GRDBSQLite

/// A prepared statement on a connection that GRDB owns.
///
/// Rows are read and values bound as spans over existing memory, without copying. A statement must be used on
/// the thread that has the database, and released before the connection is closed.
@safe
public struct SQLStatement: ~Copyable {
  // Constant until `deinit`, and owned by this value alone.
  @usableFromInline let handle: OpaquePointer
  private let parameterCount: Int

  /// Prepares one statement of SQL.
  ///
  /// - Throws: ``StatementError/refused(code:)``.
  public init(_ sql: String, in database: Database) throws(StatementError) {
    try self.init(bytes: Array(sql.utf8), in: database)
  }

  /// Prepares one statement of SQL with a path in it, whose bytes need not be UTF-8.
  ///
  /// - Throws: ``StatementError/refused(code:)``.
  init(bytes sql: [UInt8], in database: Database) throws(StatementError) {
    var prepared: OpaquePointer?
    let connection = unsafe database.sqliteConnection
    let code = unsafe sql.withUnsafeBufferPointer { sql in
      unsafe sql.withMemoryRebound(to: CChar.self) { sql in
        unsafe sqlite3_prepare_v2(connection, sql.baseAddress, Int32(clamping: sql.count), &prepared, nil)
      }
    }
    guard code == SQLITE_OK, let handle = unsafe prepared else { throw .refused(code: code) }
    unsafe self.handle = handle
    parameterCount = unsafe Int(sqlite3_bind_parameter_count(handle))
  }

  deinit { unsafe sqlite3_finalize(handle) }

  // MARK: rows

  /// Restarts the statement with integer parameters.
  ///
  /// - Throws: ``StatementError/refused(code:)``.
  public mutating func begin(_ numbers: Int64...) throws(StatementError) {
    precondition(numbers.count == parameterCount, "each parameter has its value")
    unsafe sqlite3_reset(handle)
    for (place, number) in numbers.enumerated() {
      try check(unsafe sqlite3_bind_int64(handle, Int32(place + 1), number))
    }
  }

  /// Advances to the next row.
  ///
  /// - Returns: false at the end.
  /// - Throws: ``StatementError/refused(code:)``.
  @inlinable
  public mutating func step() throws(StatementError) -> Bool { try unsafe SQLRow.step(handle) }

  /// Passes the current row to `body`.
  ///
  /// Before the first row and after the last, all columns are NULL.
  @inlinable
  public func withRow<Answer, Failure: Error>(
    _ body: (borrowing SQLRow) throws(Failure) -> Answer
  ) throws(Failure) -> Answer {
    try body(unsafe SQLRow(handle))
  }

  /// Passes each remaining row to `body`.
  @inlinable
  public mutating func forEachRow(_ body: (borrowing SQLRow) throws -> Void) throws {
    while try step() { try withRow(body) }
  }

  // MARK: values

  /// Executes a modifying statement once.
  ///
  /// SQLite reads texts and blobs in place, during this call only.
  ///
  /// - Parameters:
  ///   - values: the values of the first parameters.
  ///   - row: the value of one more parameter, if any.
  ///   - bytes: the bytes to which the values' ranges refer.
  /// - Throws: ``StatementError/refused(code:)``.
  public mutating func run(
    _ values: Span<SQLValue>, row: Int64? = nil, in bytes: Span<UInt8>
  ) throws(StatementError) {
    let given = values.count + (row == nil ? 0 : 1)
    // All parameters are bound, so none keeps bytes of an earlier call.
    precondition(given == parameterCount, "each parameter has its value")
    let code = unsafe bytes.withUnsafeBufferPointer { bytes in
      for place in values.indices {
        let code = unsafe values[place].bind(to: handle, Int32(place + 1), in: bytes)
        guard code == SQLITE_OK else { return code }
      }
      if let row {
        let code = unsafe sqlite3_bind_int64(handle, Int32(given), row)
        guard code == SQLITE_OK else { return code }
      }
      return runToEnd()
    }
    try check(code)
  }

  /// Executes a modifying statement with its parameters as they are bound.
  ///
  /// - Returns: SQLite's extended result code.
  mutating func runToEnd() -> Int32 {
    let code = unsafe sqlite3_step(handle)
    let end = unsafe sqlite3_reset(handle)
    return code == SQLITE_DONE || code == SQLITE_ROW ? end : code
  }

  private func check(_ code: Int32) throws(StatementError) {
    guard code == SQLITE_OK else { throw .refused(code: code) }
  }
}

/// Iterates over the rows of a statement that GRDB has prepared, bound and cached.
public enum PreparedRows {
  /// Executes a statement with its arguments set, and passes each row to `body`, which must not use the
  /// statement.
  ///
  /// - Throws: ``StatementError/refused(code:)``, and the errors of `body`.
  @inlinable
  public static func forEach(
    of statement: borrowing GRDB.Statement, _ body: (borrowing SQLRow) throws -> Void
  ) throws {
    let handle = unsafe statement.sqliteStatement
    defer { unsafe SQLRow.reset(handle) }
    while try unsafe SQLRow.step(handle) { try body(unsafe SQLRow(handle)) }
  }
}
