internal import FuekiSystem
internal import GRDB

/// A look over a whole database before anybody trusts it.
enum StoreCheck {
  /// Checks pages and references, side by side.
  ///
  /// - Throws: ``StoreError/damaged(path:)``, or ``StoreError/danglingReference(table:parent:path:)``.
  static func run(_ path: String) throws {
    try sideBySide([
      { try pages("PRAGMA quick_check(1)", path) },
      {
        // Its columns are the table, the row, the table that the row refers to, and which of its references.
        try read(path) { database in
          guard let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") else { return nil }
          let (table, parent): (String?, String?) = (row[0], row[2])
          return StoreError.danglingReference(table: table ?? "", parent: parent ?? "", path: path)
        }
      },
    ])
  }

  /// Checks the tables of a database that was loaded, and puts it on the device meanwhile.
  ///
  /// Its references need no look: a load takes each parent's row from the row itself.
  ///
  /// - Throws: ``StoreError/damaged(path:)``, and what the system refuses.
  static func runOnLoaded(_ path: String) throws {
    // One table is as large as all others.
    let largest = StoreTable.Name.transactions.rawValue
    let names = try read(path) {
      try String.fetchAll($0, sql: "SELECT name FROM sqlite_schema WHERE type = 'table'")
    }
    try sideBySide([
      { try pages("PRAGMA quick_check('\(largest)')", path) },
      {
        for name in names where name != largest {
          let quoted = name.replacing("'", with: "''")
          if let problem = try pages("PRAGMA quick_check('\(quoted)')", path) { return problem }
        }
        return nil
      },
    ]) {
      // All that changes a disk is done by the thread that calls.
      let (folder, name) = try DataDirectory.split(path)
      try Directory.open(folder).openFileForWriting(name).sync()
    }
  }

  private static func pages(_ check: String, _ path: String) throws -> StoreError? {
    let isSound = try read(path) { try String.fetchAll($0, sql: check) == ["ok"] }
    return isSound ? nil : .damaged(path: path)
  }

  private static func sideBySide(
    _ checks: [@Sendable () throws -> StoreError?], meanwhile: () throws -> Void = {}
  ) throws {
    let workers = OrderedWorkers<StoreError?>(width: checks.count, window: checks.count)
    for check in checks { workers.submit(check) }
    try meanwhile()
    while let problem = try workers.next() {
      if let problem { throw problem }
    }
  }

  private static func read<Answer>(_ path: String, _ body: (Database) throws -> Answer) throws -> Answer {
    try DatabaseFailure.translating(path) {
      var configuration = Configuration()
      configuration.readonly = true
      // Two look at once, and the first to open a write-ahead log that was left looks through it alone.
      configuration.busyMode = .timeout(10)
      return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }
  }
}
