internal import GRDB
internal import FuekiSystem

/// The passage from SQLite's result codes to ``StoreError``.
enum DatabaseFailure {
  /// Runs database work and turns SQLite's errors into the store's; other errors pass.
  static func translating<Answer>(_ path: String, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw storeError(error, path)
    } catch let error as SystemError {
      throw StoreError.system(error)
    }
  }

  private static func storeError(_ error: DatabaseError, _ path: String) -> StoreError {
    switch error.resultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
    case .SQLITE_FULL: .system(.noSpace(path: path))
    default: .database(code: error.extendedResultCode.rawValue, path: path)
    }
  }
}
