internal import FuekiSQLite
internal import FuekiSystem
internal import GRDB

/// Translates SQLite's result codes to ``StoreError``.
enum DatabaseFailure {
  /// Runs database work and translates SQLite's errors.
  ///
  /// Other errors pass through.
  static func translating<Answer>(_ path: String, _ body: () throws -> Answer) throws -> Answer {
    do {
      return try body()
    } catch let error as DatabaseError {
      throw storeError(error.extendedResultCode, path)
    } catch StatementError.refused(let code) {
      throw storeError(ResultCode(rawValue: code), path)
    } catch let error as SystemError {
      throw StoreError.system(error)
    }
  }

  private static func storeError(_ code: ResultCode, _ path: String) -> StoreError {
    switch code.primaryResultCode {
    case .SQLITE_NOTADB, .SQLITE_CORRUPT: .damaged(path: path)
    case .SQLITE_BUSY, .SQLITE_LOCKED: .busy(path: path)
    case .SQLITE_FULL: .system(.noSpace(path: path))
    default: .database(code: code.rawValue, path: path)
    }
  }
}
