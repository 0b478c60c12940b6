internal import FuekiSystem
internal import GRDB

/// A look over a whole database before anybody trusts it.
enum StoreCheck {
  /// Checks pages and references, side by side.
  ///
  /// - Throws: ``StoreError/damaged(path:)``.
  static func run(_ path: String) throws {
    let workers = OrderedWorkers<Bool>(width: 2, window: 2)
    workers.submit {
      try read(path) { try String.fetchAll($0, sql: "PRAGMA quick_check(1)") == ["ok"] }
    }
    workers.submit { try read(path) { try Row.fetchOne($0, sql: "PRAGMA foreign_key_check") == nil } }
    while let isSound = try workers.next() {
      guard isSound else { throw StoreError.damaged(path: path) }
    }
  }

  private static func read(_ path: String, _ body: (Database) throws -> Bool) throws -> Bool {
    try DatabaseFailure.translating(path) {
      var configuration = Configuration()
      configuration.readonly = true
      // Two look at once, and the first to open a write-ahead log that was left looks through it alone.
      configuration.busyMode = .timeout(10)
      return try DatabaseQueue(path: path, configuration: configuration).read(body)
    }
  }
}
