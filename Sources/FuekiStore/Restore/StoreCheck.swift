internal import FuekiSystem
internal import GRDB

/// A look over a whole database before anybody trusts it.
enum StoreCheck {
  /// Checks pages and references, side by side.
  ///
  /// - Throws: ``StoreError/damaged(path:)``, or ``StoreError/danglingReference(table:parent:path:)``.
  static func run(_ path: String) throws {
    let workers = OrderedWorkers<StoreError?>(width: 2, window: 2)
    workers.submit {
      let isSound = try read(path) { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") == ["ok"] }
      return isSound ? nil : .damaged(path: path)
    }
    workers.submit {
      // Its columns are the table, the row, the table that the row refers to, and which of its references.
      try read(path) { database in
        guard let row = try Row.fetchOne(database, sql: "PRAGMA foreign_key_check") else { return nil }
        let (table, parent): (String?, String?) = (row[0], row[2])
        return StoreError.danglingReference(table: table ?? "", parent: parent ?? "", path: path)
      }
    }
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
