internal import FuekiSystem
internal import GRDB

/// The form in which SQLite gets a database's path.
///
/// GRDB passes texts, so a path with bytes that are not UTF-8 goes as a URI, which SQLite decodes to bytes. Without
/// `SQLITE_USE_URI`, with which the distributions build SQLite, it cannot open such a path.
enum DatabasePath {
  private static let scheme = "file:"
  private static let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/-._~".utf8)

  /// Returns the path itself, or its URI if it has other bytes than its text or reads as a URI.
  static func text(_ path: String) -> String {
    let bytes = path.pathBytes
    guard path.utf8.starts(with: scheme.utf8) || !path.utf8.elementsEqual(bytes) else { return path }
    // Two slashes say that no host follows: the path may begin with two of its own.
    let start = bytes.first == UInt8(ascii: "/") ? scheme + "//" : scheme
    return bytes.reduce(into: start) { text, byte in
      if plain.contains(byte) {
        text.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        text += (byte < 0x10 ? "%0" : "%") + String(byte, radix: 16)
      }
    }
  }
}

extension DatabaseQueue {
  /// Opens a database by its path, whatever bytes that has.
  convenience init(at path: String, configuration: Configuration = Configuration()) throws {
    try self.init(path: DatabasePath.text(path), configuration: configuration.keepingTemporaryDataInMemory)
  }
}

extension DatabasePool {
  /// Opens a database by its path, whatever bytes that has.
  convenience init(at path: String, configuration: Configuration) throws {
    try self.init(path: DatabasePath.text(path), configuration: configuration.keepingTemporaryDataInMemory)
  }
}

extension Configuration {
  /// The same, with temporary data in memory.
  ///
  /// Parts of records must not go to a shared directory, and SQLite has one directory for temporary files in a process: set
  /// for one store, it would be in use by others while it is removed.
  fileprivate var keepingTemporaryDataInMemory: Configuration {
    var configuration = self
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA temp_store = MEMORY") }
    return configuration
  }
}
