public import GRDB
internal import GRDBSQLite

/// A query whose rows SQLite passes to a closure from its own loop.
///
/// A step leaves that loop for every row and validates the statement again. Here, rows become the arguments of an
/// aggregate function (<https://www.sqlite.org/appfunc.html>), which takes a third less time for rows of some fifteen
/// columns. It must be used on the thread that has the database, and released before the connection is closed.
@safe
public struct RowLoop: ~Copyable {
  /// The most arguments that SQLite passes to a function, in the library's narrowest form.
  private static let mostColumns = 99
  private static let function = "fueki_each_row"
  private static let pointerType: StaticString = "fueki-row-loop"

  private let statement: SQLStatement
  private let isFunction: Bool
  private let firstParameter: Int32

  /// Adds the function to a connection, for all of its loops.
  ///
  /// - Throws: ``StatementError/refused(code:)``.
  public static func register(in database: Database) throws(StatementError) {
    let connection = unsafe database.sqliteConnection
    let code = unsafe sqlite3_create_function_v2(
      // A database's own triggers and views cannot call it.
      connection, function, -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, nil, nil,
      { context, count, arguments in unsafe RowLoop.pass(context, count, arguments) },
      { context in unsafe sqlite3_result_null(context) }, nil)
    guard code == SQLITE_OK else { throw .refused(code: code) }
  }

  /// Prepares a query.
  ///
  /// - Parameters:
  ///   - columns: the expressions of the columns.
  ///   - rest: the query from `FROM` on, without an order.
  ///   - order: the order of the rows, which must be the order in which SQLite finds them.
  ///   - database: a connection with the function.
  /// - Throws: ``StatementError/refused(code:)``.
  public init(
    _ columns: [String], _ rest: String, orderedBy order: String, in database: Database
  ) throws(StatementError) {
    isFunction = columns.count <= Self.mostColumns
    firstParameter = isFunction ? 2 : 1
    let list = columns.joined(separator: ", ")
    // An aggregate has no order of its own, and one row.
    let sql =
      isFunction ? "SELECT \(Self.function)(?, \(list)) \(rest)" : "SELECT \(list) \(rest) ORDER BY \(order)"
    statement = try SQLStatement(sql, in: database)
  }

  /// Passes each row to `body` until it returns false.
  ///
  /// - Parameters:
  ///   - numbers: the parameters of the query.
  ///   - body: receives the rows. It may use other statements of the connection.
  /// - Throws: ``StatementError/refused(code:)``, and the errors of `body`.
  public mutating func forEach(
    _ numbers: Int64..., body: (borrowing SQLRow) throws -> Bool
  ) throws {
    let handle = unsafe statement.handle
    unsafe sqlite3_reset(handle)
    for (place, number) in numbers.enumerated() {
      let code = unsafe sqlite3_bind_int64(handle, firstParameter + Int32(place), number)
      guard code == SQLITE_OK else { throw StatementError.refused(code: code) }
    }
    guard isFunction else {
      while try unsafe SQLRow.step(handle), try unsafe body(SQLRow(handle)) {}
      return
    }
    try withoutActuallyEscaping(body) { body in
      var call = Call(body: body)
      let code = unsafe withUnsafeMutablePointer(to: &call) { call in
        let type = unsafe UnsafeRawPointer(Self.pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
        unsafe sqlite3_bind_pointer(handle, 1, call, type, nil)
        let code = unsafe sqlite3_step(handle)
        unsafe sqlite3_reset(handle)
        unsafe sqlite3_bind_null(handle, 1)
        return code
      }
      if let failure = call.failure { throw failure }
      guard call.isStopped || code == SQLITE_ROW else { throw StatementError.refused(code: code) }
    }
  }

  /// The function's closure and state during a loop.
  private struct Call {
    let body: (borrowing SQLRow) throws -> Bool
    var failure: (any Error)?
    var isStopped = false
  }

  @unsafe
  private static func pass(
    _ context: OpaquePointer?, _ count: Int32, _ arguments: UnsafeMutablePointer<OpaquePointer?>?
  ) {
    let type = unsafe UnsafeRawPointer(pointerType.utf8Start).assumingMemoryBound(to: CChar.self)
    guard let arguments = unsafe arguments, count > 0,
      let address = unsafe sqlite3_value_pointer(arguments[0], type)
    else { return unsafe sqlite3_result_error_code(context, SQLITE_MISUSE) }
    let call = unsafe address.assumingMemoryBound(to: Call.self)
    do {
      let row = unsafe SQLRow(UnsafeBufferPointer(start: arguments + 1, count: Int(count) - 1))
      guard try unsafe !call.pointee.body(row) else { return }
      unsafe call.pointee.isStopped = true
    } catch {
      unsafe call.pointee.failure = error
    }
    // The loop ends with an error, its only way to end early.
    unsafe sqlite3_result_error_code(context, SQLITE_ABORT)
  }
}
