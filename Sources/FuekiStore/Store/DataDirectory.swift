internal import FuekiSystem

/// What is in a wallet's data directory.
public enum DataDirectory {
  /// The database.
  public static let storeName = "wallet.sqlite"
  /// The sealed keychain.
  public static let keychainName = "keychain.sealed"
  /// The folder of files that hold secrets, each sealed with a key that the keychain has.
  public static let secretFilesName = "secret-files"

  /// The path of the database in a data directory.
  public static func storePath(in directory: String) -> String { path(storeName, in: directory) }

  /// The path of the keychain in a data directory.
  public static func keychainPath(in directory: String) -> String { path(keychainName, in: directory) }

  /// The path of the folder of sealed files in a data directory.
  static func secretFilesPath(in directory: String) -> String { path(secretFilesName, in: directory) }

  private static func path(_ name: String, in directory: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Splits a path into the directory above it and its own name.
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
