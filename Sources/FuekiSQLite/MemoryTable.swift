public import GRDB
internal import GRDBSQLite

/// A table whose rows are in memory, from which one `INSERT … SELECT` copies them all.
///
/// With a statement for each row, every value is bound by a call of its own. The table is virtual, shares its name with its
/// module (<https://www.sqlite.org/vtab.html>), and has the columns `c0` to `c63`. It must be used on the thread that has
/// the database, and released before the connection is closed, which frees ``rows``.
@safe
public final class MemoryTable {
  /// The number of columns, of which those beyond the rows' values are NULL.
  public static let columnCount = 64

  private let rows: UnsafeMutablePointer<Rows>

  /// Adds an empty table to a connection.
  ///
  /// - Parameters:
  ///   - name: a name that no other table has, without special characters.
  ///   - database: the connection.
  /// - Throws: ``StatementError/refused(code:)``.
  public init(_ name: String, in database: Database) throws(StatementError) {
    unsafe rows = .allocate(capacity: 1)
    unsafe rows.initialize(to: Rows())
    let connection = unsafe database.sqliteConnection
    let code = unsafe sqlite3_create_module_v2(connection, name, MemoryModule.pointer, rows) { rows in
      unsafe rows?.deallocate()
    }
    guard code == SQLITE_OK else { throw .refused(code: code) }
  }

  /// Executes a statement that selects from the table, once, while the table has these rows.
  ///
  /// SQLite reads texts and blobs in place, during this call only.
  ///
  /// - Parameters:
  ///   - statement: a modifying statement without parameters.
  ///   - values: the rows' values, one row after the other.
  ///   - width: the number of values in a row.
  ///   - bytes: the bytes to which the values' ranges refer.
  /// - Throws: ``StatementError/refused(code:)``.
  public func run(
    _ statement: inout SQLStatement, _ values: Span<SQLValue>, width: Int, in bytes: Span<UInt8>
  ) throws(StatementError) {
    precondition(width > 0 && values.count % width == 0, "rows are complete")
    let code = unsafe values.withUnsafeBufferPointer { values in
      unsafe bytes.withUnsafeBufferPointer { bytes in
        unsafe rows.pointee = unsafe Rows(values: values, width: width, bytes: bytes)
        defer { unsafe rows.pointee = Rows() }
        return statement.runToEnd()
      }
    }
    guard code == SQLITE_OK else { throw .refused(code: code) }
  }
}

/// The rows of a ``MemoryTable`` during a statement.
@unsafe
struct Rows {
  private let values: UnsafeBufferPointer<SQLValue>
  private let width: Int
  private let bytes: UnsafeBufferPointer<UInt8>
  let count: Int

  init() {
    unsafe self.init(
      values: UnsafeBufferPointer(start: nil, count: 0), width: 1,
      bytes: UnsafeBufferPointer(start: nil, count: 0))
  }

  init(values: UnsafeBufferPointer<SQLValue>, width: Int, bytes: UnsafeBufferPointer<UInt8>) {
    unsafe (self.values, self.width, self.bytes) = (values, width, bytes)
    unsafe count = values.count / width
  }

  /// Passes a value to SQLite, which reads it before the next row.
  @inline(__always)
  func give(_ row: Int, _ column: Int, to context: OpaquePointer?) {
    guard unsafe row < count && column < width else { return unsafe sqlite3_result_null(context) }
    unsafe values[row * width + column].give(to: context, in: bytes)
  }
}
