internal import GRDBSQLite

/// The methods by which SQLite reads a ``MemoryTable``, from the first row to the last.
enum MemoryModule {
  /// A table on a connection, with SQLite's part first.
  @unsafe
  private struct Table {
    var base = unsafe sqlite3_vtab()
    let rows: UnsafeMutablePointer<Rows>
  }

  /// A place among the rows.
  @unsafe
  private struct Cursor {
    var base = unsafe sqlite3_vtab_cursor()
    let rows: UnsafeMutablePointer<Rows>
    var row = 0
  }

  /// The module, which SQLite does not copy.
  nonisolated(unsafe) static let pointer: UnsafePointer<sqlite3_module> = {
    let module = UnsafeMutablePointer<sqlite3_module>.allocate(capacity: 1)
    unsafe module.initialize(to: methods())
    return unsafe UnsafePointer(module)
  }()

  @unsafe
  private static func methods() -> sqlite3_module {
    var methods = sqlite3_module()
    // Without xCreate the table exists on its own, and no statement creates another.
    unsafe methods.xConnect = { connection, rows, _, _, table, _ in
      guard let rows = unsafe rows?.assumingMemoryBound(to: Rows.self) else { return SQLITE_MISUSE }
      let columns = (0..<MemoryTable.columnCount).map { "c\($0)" }.joined(separator: ", ")
      let code = unsafe sqlite3_declare_vtab(connection, "CREATE TABLE rows (\(columns))")
      guard code == SQLITE_OK else { return code }
      let made = UnsafeMutablePointer<Table>.allocate(capacity: 1)
      unsafe made.initialize(to: Table(rows: rows))
      unsafe table?.pointee = unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab.self)
      return SQLITE_OK
    }
    unsafe methods.xDisconnect = { table in
      unsafe UnsafeMutableRawPointer(table)?.deallocate()
      return SQLITE_OK
    }
    unsafe methods.xBestIndex = { _, _ in SQLITE_OK }
    unsafe methods.xOpen = { table, cursor in
      guard let table = unsafe UnsafeMutableRawPointer(table)?.assumingMemoryBound(to: Table.self)
      else { return SQLITE_MISUSE }
      let made = UnsafeMutablePointer<Cursor>.allocate(capacity: 1)
      unsafe made.initialize(to: Cursor(rows: table.pointee.rows))
      unsafe cursor?.pointee =
        unsafe UnsafeMutableRawPointer(made).assumingMemoryBound(to: sqlite3_vtab_cursor.self)
      return SQLITE_OK
    }
    unsafe methods.xClose = { cursor in
      unsafe UnsafeMutableRawPointer(cursor)?.deallocate()
      return SQLITE_OK
    }
    unsafe methods.xFilter = { cursor, _, _, _, _ in
      unsafe MemoryModule.place(cursor)?.pointee.row = 0
      return SQLITE_OK
    }
    unsafe methods.xNext = { cursor in
      unsafe MemoryModule.place(cursor)?.pointee.row += 1
      return SQLITE_OK
    }
    unsafe methods.xEof = { cursor in
      guard let cursor = unsafe MemoryModule.place(cursor) else { return 1 }
      return unsafe cursor.pointee.row < cursor.pointee.rows.pointee.count ? 0 : 1
    }
    unsafe methods.xColumn = { cursor, context, column in
      guard let cursor = unsafe MemoryModule.place(cursor) else { return SQLITE_MISUSE }
      unsafe cursor.pointee.rows.pointee.give(cursor.pointee.row, Int(column), to: context)
      return SQLITE_OK
    }
    unsafe methods.xRowid = { cursor, row in
      unsafe row?.pointee = Int64(MemoryModule.place(cursor)?.pointee.row ?? 0)
      return SQLITE_OK
    }
    return methods
  }

  @unsafe
  @inline(__always)
  private static func place(
    _ cursor: UnsafeMutablePointer<sqlite3_vtab_cursor>?
  ) -> UnsafeMutablePointer<Cursor>? {
    unsafe UnsafeMutableRawPointer(cursor)?.assumingMemoryBound(to: Cursor.self)
  }
}
