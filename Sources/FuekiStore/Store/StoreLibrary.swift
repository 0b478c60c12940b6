internal import GRDB

/// The installed SQLite library.
public enum StoreLibrary {
  /// SQLite's version, such as "3.40.1".
  ///
  /// - Throws: errors of opening a database in memory.
  public static func version() throws -> String {
    try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") ?? "" }
  }
}
