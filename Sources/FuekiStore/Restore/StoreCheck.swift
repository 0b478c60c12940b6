internal import FuekiSystem
internal import GRDB

/// Checks a complete database before it is trusted.
enum StoreCheck {
  /// Checks pages and references in parallel.
  ///
  /// - Throws: ``StoreError/damaged(path:)``, or ``StoreError/danglingReference(table:parent:path:)``.
  static func run(_ path: String) throws {
    try sideBySide([
      { try pages("PRAGMA quick_check(1)", path) },
      {
        // The columns are the table, the row, the referenced table, and the index of the reference.
        try read(path) { database in
          guard let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") else { return nil }
          let (table, parent): (String?, String?) = (row[0], row[2])
          return StoreError.danglingReference(table: table ?? "", parent: parent ?? "", path: path)
        }
      },
    ])
  }

  /// Checks the tables of a loaded database, and meanwhile syncs it to the device.
  ///
  /// References need no check, because a load takes each parent's row from the row itself.
  ///
  /// - Throws: ``StoreError/damaged(path:)``, and errors of the system.
  static func runOnLoaded(_ path: String) throws {
    // One table is as large as all others together.
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
      // All disk changes are made by the calling thread.
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
      // Two connections check at once, and the first to open a leftover write-ahead log recovers it alone.
      configuration.busyMode = .timeout(10)
      return try DatabaseQueue(at: path, configuration: configuration).read(body)
    }
  }
}
