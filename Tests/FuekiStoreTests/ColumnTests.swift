import FoundationEssentials
import FuekiBackup
import FuekiSQLite
import FuekiStore
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// Compares values read and written by direct SQLite calls with GRDB's.
@Suite struct ColumnTests {
  private static let seeds: [UInt64] = [1, 2, 3, 4]

  @Test(arguments: seeds)
  func `every column of every table is read as GRDB reads it`(_ seed: UInt64) throws {
    let scratch = try TemporaryDirectory()
    var random = random(seed)
    try WalletStore.create(scratch.path("one")).close()
    let queue = try DatabaseQueue(path: DataDirectory.storePath(in: scratch.path("one")))
    try queue.inDatabase { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      try RowLoop.register(in: database)
      for table in try Self.tables(database) {
        let columns = try Self.columns(of: table, database)
        for _ in 0..<20 { try Self.insert(columns.map { _ in .any(&random) }, table, columns, database) }
        let sql = "SELECT \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \(table)"
        let expected = try ColumnValue.rows(database, sql)
        var statement = try SQLStatement(sql, in: database)
        var found = 0
        try statement.forEachRow { row in
          for place in columns.indices {
            let value = Self.value(row, place)
            #expect(value == expected[found][place], "\(table).\(columns[place])")
            #expect((row.integer(place) == nil) == (value == .null))
          }
          found += 1
        }
        #expect(found == 20 && expected.count == 20)

        var loop = try RowLoop(
          columns.map { "\"\($0)\"" }, "FROM \(table)", orderedBy: "row_id", in: database)
        var passed: [[ColumnValue]] = []
        try loop.forEach { row in
          passed.append(columns.indices.map { Self.value(row, $0) })
          for place in columns.indices {
            #expect(
              (row.integer(place) == nil) == (passed.last?[place] == .null), "\(table).\(columns[place])")
          }
          return true
        }
        #expect(passed == expected, "\(table)")
      }
    }
  }

  @Test(arguments: seeds)
  func `rows in memory are stored as GRDB reads them back, with NULL in columns that they lack`(
    _ seed: UInt64
  ) throws {
    var random = random(seed)
    try DatabaseQueue().inDatabase { database in
      try database.execute(sql: "CREATE TABLE any (row_id INTEGER PRIMARY KEY, a, b, c)")
      let table = try MemoryTable("some_rows", in: database)
      var insertion = try SQLStatement(
        "INSERT INTO any (a, b, c) SELECT c0, c1, c2 FROM some_rows", in: database)
      var expected: [[ColumnValue]] = []
      // Each block of rows has a length and width of its own. The values after the columns are not stored.
      for (count, width) in [(1, 3), (0, 3), (100, 4), (17, 2)] {
        let rows = (0..<count).map { _ in (0..<width).map { _ in ColumnValue.any(&random) } }
        var bytes: [UInt8] = [9]
        let values = rows.flatMap { row in row.map { $0.bound(in: &bytes) } }
        try table.run(&insertion, values.span, width: width, in: bytes.span)
        expected += rows.map { Array(($0 + [.null]).prefix(3)) }
      }
      #expect(try ColumnValue.rows(database, "SELECT a, b, c FROM any ORDER BY row_id") == expected)
      // After a statement the table has no rows.
      #expect(try Int.fetchOne(database, sql: "SELECT count(*) FROM some_rows") == 0)
    }
  }

  @Test(arguments: seeds)
  func `every value is stored as GRDB reads it back`(_ seed: UInt64) throws {
    var random = random(seed)
    try DatabaseQueue().inDatabase { database in
      try database.execute(sql: "CREATE TABLE any (row_id INTEGER PRIMARY KEY, a, b, c)")
      var insertion = try SQLStatement(
        "INSERT INTO any (a, b, c, row_id) VALUES (?1, ?2, ?3, ?4)", in: database)
      for number in 1...100 {
        let values = (0..<3).map { _ in ColumnValue.any(&random) }
        var bytes: [UInt8] = [9]
        let bound = values.map { $0.bound(in: &bytes) }
        try insertion.run(bound.span, row: Int64(number), in: bytes.span)
        let stored = try ColumnValue.rows(database, "SELECT a, b, c FROM any WHERE row_id = \(number)")
        #expect(stored == [values])
      }
    }
  }

  @Test(arguments: seeds)
  func `a random store comes back column by column`(_ seed: UInt64) throws {
    let scratch = try TemporaryDirectory()
    var random = random(seed)
    try WalletStore.create(scratch.path("one")).close()
    try DatabaseQueue(path: DataDirectory.storePath(in: scratch.path("one"))).inDatabase { database in
      try database.execute(sql: "PRAGMA foreign_keys = OFF")
      for table in try Self.tables(database) where !Self.left.contains(table) {
        let columns = try Self.columns(of: table, database)
        // A restore chooses the parents' row ids. `extra` and wire fields have a fixed encoding.
        let free = columns.filter { !$0.hasSuffix("_row") && !Self.encoded.contains($0) }
        for _ in 0..<20 {
          let values = try free.map { try ColumnValue.fitting(Self.type(of: $0, table, database), &random) }
          try Self.insert(values, table, free, database)
        }
      }
    }
    for (from, to) in [("one", "two"), ("two", "three")] {
      try Pipeline.write(try Pipeline.bundle(scratch.path(from)), to: scratch.path("\(from).fueki"))
      let destination = try StoreDestination(dataDirectory: scratch.path(to))
      try Pipeline.restore(scratch.path("\(from).fueki"), into: destination)
    }
    let first = try Pipeline.records(scratch.path("one.fueki")).messages
    #expect(first.values.allSatisfy { $0.count >= 20 } && !first.isEmpty)
    #expect(try Pipeline.records(scratch.path("two.fueki")).messages == first)
    let (one, two, three) = (
      try Self.contents(scratch.path("one")), try Self.contents(scratch.path("two")),
      try Self.contents(scratch.path("three"))
    )
    #expect(two == three)
    for (table, rows) in one {
      // A field of implicit presence does not distinguish an empty or zero value from an absent one.
      let restored = try #require(two[table])
      #expect(restored.count == rows.count, "\(table)")
      for (before, after) in zip(rows, restored) {
        let same = zip(before, after).allSatisfy { $0 == $1 || $0.isAbsent && $1 == .null }
        #expect(same, "\(table): \(before) became \(after)")
      }
    }
  }

  /// Tables excluded from the comparison.
  ///
  /// A receipt's row changes if its transaction has no id, and descriptors are decoded as messages with 32-bit
  /// numbers.
  private static let left: Set<String> = ["marks", "receipts", "key_share_descriptors"]
  private static let encoded: Set<String> = ["details", "logs", "claims", "points", "extra"]

  /// Returns the rows of each record table.
  private static func contents(_ directory: String) throws -> [String: [[ColumnValue]]] {
    try DatabaseQueue(path: DataDirectory.storePath(in: directory)).read { database in
      var all: [String: [[ColumnValue]]] = [:]
      for table in try tables(database) where !left.contains(table) {
        // Sorted by name, because migrations leave the columns in another order.
        let columns = try columns(of: table, database).filter { !$0.hasSuffix("_row") }.sorted()
        let sql =
          "SELECT \(columns.map { "\"\($0)\"" }.joined(separator: ", ")) FROM \(table) ORDER BY row_id"
        all[table] = try ColumnValue.rows(database, sql)
      }
      return all
    }
  }

  private static func tables(_ database: Database) throws -> [String] {
    try String.fetchAll(
      database,
      sql: """
        SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'grdb%'
        AND name NOT IN ('meta', 'price_cache', 'sessions', 'thread_co_authors', 'message_citations')
        """)
  }

  private static func columns(of table: String, _ database: Database) throws -> [String] {
    try String.fetchAll(
      database, sql: "SELECT name FROM pragma_table_info(?) WHERE name <> 'row_id'", arguments: [table])
  }

  private static func type(of column: String, _ table: String, _ database: Database) throws -> String {
    try String.fetchOne(
      database, sql: "SELECT type FROM pragma_table_info(?) WHERE name = ?", arguments: [table, column]) ?? ""
  }

  private static func insert(
    _ values: [ColumnValue], _ table: String, _ columns: [String], _ database: Database
  ) throws {
    let places = values.map { if case .text = $0 { "CAST(? AS TEXT)" } else { "?" } }
    let names = columns.map { "\"\($0)\"" }
    // A receipt's row id is that of its transaction.
    let row =
      table == "receipts" ? (", row_id", ", (SELECT coalesce(max(row_id), 0) + 1 FROM receipts)") : ("", "")
    try database.execute(
      sql: """
        INSERT INTO \(table) (\(names.joined(separator: ", "))\(row.0))
        VALUES (\(places.joined(separator: ", "))\(row.1))
        """, arguments: StatementArguments(values.map(\.databaseValue)))
  }

  private static func value(_ row: borrowing SQLRow, _ column: Int) -> ColumnValue {
    switch row.kind(column) {
    case .null: .null
    case .integer: .integer(row.integer(column) ?? 0)
    case .real: .real(row.real(column))
    case .text: .text(row.withBytes(column) { $0?.copied() ?? [] })
    case .blob: .blob(row.withBytes(column) { $0?.copied() ?? [] })
    }
  }
}
