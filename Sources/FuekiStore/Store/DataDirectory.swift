internal import FuekiSystem

/// The contents of a wallet's data directory.
public enum DataDirectory {
  /// The database.
  static let storeName = "wallet.sqlite"
  /// The sealed keychain.
  static let keychainName = "keychain.sealed"
  /// The directory of files with secrets, each sealed with a key in the keychain.
  static let secretFilesName = "secret-files"

  /// Returns the path of the database in a data directory.
  public static func storePath(in directory: String) -> String { path(storeName, in: directory) }

  /// Returns the path of the keychain in a data directory.
  static func keychainPath(in directory: String) -> String { path(keychainName, in: directory) }

  /// Returns the path of the directory of sealed files in a data directory.
  static func secretFilesPath(in directory: String) -> String { path(secretFilesName, in: directory) }

  private static func path(_ name: String, in directory: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Splits a path into its parent directory and its name.
  static func split(_ path: String) throws(SystemError) -> (parent: String, name: String) {
    var plain = Substring(path)
    while plain.utf8.count > 1, plain.hasSuffix("/") { plain.removeLast() }
    let parts = PathParts(String(plain))
    guard !["", ".", ".."].contains(parts.name) else {
      throw SystemError(.invalid, call: "open", path: path)
    }
    return (parts.folder, parts.name)
  }
}
