import FuekiSQLite
import GRDB
import Testing

/// A loop inside SQLite passes the rows that stepping does, and ends when it has to.
@Suite struct RowLoopTests {
  private struct Refusal: Error {}

  /// A table of 1,000 rows: the number, and its square.
  private static func withRows(_ body: (Database) throws -> Void) throws {
    try DatabaseQueue().inDatabase { database in
      try RowLoop.register(in: database)
      try database.execute(
        sql: """
          CREATE TABLE squares (row_id INTEGER PRIMARY KEY, square);
          WITH RECURSIVE numbers (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM numbers WHERE n < 1000)
          INSERT INTO squares SELECT n, n * n FROM numbers;
          """)
      try body(database)
    }
  }

  private static let range = "FROM squares WHERE row_id BETWEEN ? AND ?"

  /// Returns the numbers of the rows that a loop passes until one is the last.
  private static func numbers(
    _ columns: [String], _ first: Int64, _ last: Int64, until end: Int64 = .max, _ database: Database
  ) throws -> [Int64] {
    var loop = try RowLoop(columns, range, orderedBy: "row_id", in: database)
    var found: [Int64] = []
    try loop.forEach(first, last) { row in
      let number = row.integer(0) ?? 0
      #expect(row.integer(1) == number * number)
      found.append(number)
      return number < end
    }
    return found
  }

  /// Few columns are a function's arguments; for more than a function takes, the loop steps.
  static let widths = [2, 99, 100, 402]

  private static func columns(_ width: Int) -> [String] {
    ["row_id", "square"] + [String](repeating: "NULL", count: width - 2)
  }

  @Test(arguments: widths)
  func `rows come in order, and those of a range only`(_ width: Int) throws {
    let columns = Self.columns(width)
    try Self.withRows { database in
      let all = try Self.numbers(columns, 1, 1000, database)
      #expect(all == Array(1...1000))
      #expect(try Self.numbers(columns, 998, 2000, database) == [998, 999, 1000])
      #expect(try Self.numbers(columns, 2000, 3000, database) == [])
    }
  }

  @Test(arguments: widths)
  func `a loop that its closure ends can begin again`(_ width: Int) throws {
    let columns = Self.columns(width)
    try Self.withRows { database in
      #expect(try Self.numbers(columns, 5, 1000, until: 7, database) == [5, 6, 7])
      var loop = try RowLoop(columns, Self.range, orderedBy: "row_id", in: database)
      for _ in 0..<3 {
        var count = 0
        try loop.forEach(1, 10) { _ in
          count += 1
          return count < 4
        }
        #expect(count == 4)
      }
    }
  }

  @Test(arguments: widths)
  func `an error of the closure is thrown as it is`(_ width: Int) throws {
    let columns = Self.columns(width)
    try Self.withRows { database in
      var loop = try RowLoop(columns, Self.range, orderedBy: "row_id", in: database)
      #expect(throws: Refusal.self) { try loop.forEach(1, 10) { _ in throw Refusal() } }
      #expect(try Self.numbers(columns, 1, 3, database) == [1, 2, 3])
    }
  }

  @Test func `other statements work during a loop, loops among them`() throws {
    try Self.withRows { database in
      var loop = try RowLoop(["row_id"], Self.range, orderedBy: "row_id", in: database)
      var sums: [Int64] = []
      try loop.forEach(1, 3) { row in
        let number = row.integer(0) ?? 0
        let square = try Int64.fetchOne(
          database.cachedStatement(sql: "SELECT square FROM squares WHERE row_id = ?"), arguments: [number])
        let inner = try Self.numbers(["row_id", "square"], 1, number, database)
        sums.append((square ?? 0) + inner.reduce(0, +))
        return true
      }
      #expect(sums == [2, 7, 15])
    }
  }

  @Test func `SQLite's own errors are thrown`() throws {
    try Self.withRows { database in
      var loop = try RowLoop(
        ["abs(-9223372036854775807 - 1)"], "FROM squares", orderedBy: "row_id", in: database)
      #expect(throws: StatementError.self) {
        _ = try RowLoop(["absent"], "FROM squares", orderedBy: "row_id", in: database)
      }
      #expect(throws: StatementError.self) { try loop.forEach { _ in true } }
    }
  }

  @Test func `a database cannot call the function itself`() throws {
    try Self.withRows { database in
      try database.execute(sql: "CREATE VIEW own AS SELECT fueki_each_row(NULL, square) FROM squares")
      #expect(throws: DatabaseError.self) { try Row.fetchAll(database, sql: "SELECT * FROM own") }
      #expect(throws: DatabaseError.self) {
        try Row.fetchAll(database, sql: "SELECT fueki_each_row(1, square) FROM squares")
      }
      #expect(throws: DatabaseError.self) { try Row.fetchAll(database, sql: "SELECT fueki_each_row()") }
    }
  }
}
