internal import FuekiSystem

/// The two files of a wallet's data directory.
public enum DataDirectory {
  /// The database.
  public static let storeName = "wallet.sqlite"
  /// The sealed keychain.
  public static let keychainName = "keychain.sealed"

  /// The path of the database in a data directory.
  public static func storePath(in directory: String) -> String { path(storeName, in: directory) }

  /// The path of the keychain in a data directory.
  public static func keychainPath(in directory: String) -> String { path(keychainName, in: directory) }

  private static func path(_ name: String, in directory: String) -> String {
    directory.hasSuffix("/") ? directory + name : "\(directory)/\(name)"
  }

  /// Splits a path into the directory above it and its own name.
  static func split(_ path: String) throws(SystemError) -> (parent: String, name: String) {
    var bytes = Array(path.utf8)
    while bytes.count > 1, bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
    let slash = bytes.lastIndex(of: UInt8(ascii: "/"))
    let name = String(decoding: bytes[(slash.map { $0 + 1 } ?? 0)...], as: UTF8.self)
    guard !name.isEmpty, name != ".", name != ".." else {
      throw SystemError(code: 22, call: "open", path: path)
    }
    guard let slash else { return (".", name) }
    return (slash == 0 ? "/" : String(decoding: bytes[..<slash], as: UTF8.self), name)
  }
}
