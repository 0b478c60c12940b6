public import FuekiSystem

/// What stops the use of a wallet's store.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no store in the data directory.
  case notThere(path: String)
  /// There is one already.
  case alreadyThere(path: String)
  /// A newer version of the program made it.
  case newer(schema: Int, path: String)
  /// The file is a database, but no store of a Fueki wallet.
  case notAStore(path: String)
  /// The file is no database, or its pages contradict one another.
  case damaged(path: String)
  /// A row refers to one that is not there, which no store of this program's own does.
  case danglingReference(table: String, parent: String, path: String)
  /// The data directory's keychain is damaged, or gone.
  case noSoundKeychain(path: String)
  /// A row has not the record that its columns should hold.
  case malformedRow(table: String, row: Int64)
  /// The record is not in the store.
  case noRecord(table: String)
  /// Another program holds the database for too long.
  case busy(path: String)
  /// The system refused a file operation.
  case system(SystemError)
  /// SQLite refused an operation, with its extended result code.
  case database(code: Int32, path: String)
}
