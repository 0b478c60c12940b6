internal import GRDB

/// The installed SQLite library.
public enum StoreLibrary {
  /// SQLite's version, such as "3.40.1".
  ///
  /// - Throws: errors of opening a database in memory.
  public static func version() throws -> String {
    try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") ?? "" }
  }

  /// Sets SQLite's directory for temporary files.
  ///
  /// - Throws: errors of SQLite, such as for a missing directory.
  public static func keepTemporaryFiles(in directory: String) throws {
    try DatabaseQueue().inDatabase { try StoreLoader.setTemporaryFolder(directory, $0) }
  }
}
