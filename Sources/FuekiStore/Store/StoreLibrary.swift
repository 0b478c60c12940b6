internal import GRDB

/// The library that the store is built on, as it is on this machine.
public enum StoreLibrary {
  /// SQLite's version, such as "3.40.1".
  ///
  /// - Throws: what opening a database in memory throws.
  public static func version() throws -> String {
    try DatabaseQueue().read { try String.fetchOne($0, sql: "SELECT sqlite_version()") ?? "" }
  }

  /// Has SQLite write what does not fit in memory to a folder, and nowhere else.
  ///
  /// - Throws: what SQLite refuses, such as a folder that is not there.
  public static func keepTemporaryFiles(in directory: String) throws {
    try DatabaseQueue().inDatabase { try StoreLoader.setTemporaryFolder(directory, $0) }
  }
}
