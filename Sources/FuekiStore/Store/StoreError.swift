public import FuekiSystem

/// Why a wallet's store cannot be used.
public enum StoreError: Error, Equatable, Sendable {
  /// There is no store in the data directory.
  case notThere(path: String)
  /// There already is one.
  case alreadyThere(path: String)
  /// It was created by a newer version of the program.
  case newer(schema: Int, path: String)
  /// The file is a database, but not a Fueki wallet's store.
  case notAStore(path: String)
  /// The file is not a database, or its pages are inconsistent.
  case damaged(path: String)
  /// A row refers to a missing row, which this program never writes.
  case danglingReference(table: String, parent: String, path: String)
  /// The data directory's keychain is damaged or missing.
  case noSoundKeychain(path: String)
  /// A row's columns do not hold a valid record.
  case malformedRow(table: String, row: Int64)
  /// The record is not in the store.
  case noRecord(table: String)
  /// The record breaks these rules of its kind, each a sentence.
  case invalid(table: String, problems: [String])
  /// Another program holds the database too long.
  case busy(path: String)
  /// The system refused a file operation.
  case system(SystemError)
  /// SQLite refused an operation, with its extended result code.
  case database(code: Int32, path: String)
}
