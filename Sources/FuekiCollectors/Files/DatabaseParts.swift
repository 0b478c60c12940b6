internal import FuekiBackup
internal import FuekiSystem

/// A file that belongs to a database, with changes that the database file lacks.
struct DatabasePart {
  /// Its path.
  let path: [UInt8]
  /// Its name relative to the source's directory.
  let name: [UInt8]
  /// Its place for putting it back: next to the database's place, which may be a link.
  let place: [UInt8]
}

/// Finds the files that belong to a database.
///
/// SQLite keeps a rollback journal or a write-ahead log next to a database, and Berkeley DB keeps its logs in
/// a directory next to it. Both are next to the real file, not to a link.
enum DatabaseParts {
  private static let slash = UInt8(ascii: "/")
  private static let logFolder = Array("database".utf8)
  private static let entryLimit = 1000

  /// Whether a file belongs to a database next to it, with which it is backed up.
  static func isPart(_ path: [UInt8]) -> Bool {
    if let database = PassingFiles.database(ofLog: path) {
      return isRegular(database)
    }
    guard let folder = PassingFiles.folder(ofLog: path),
      let directory = try? Directory.open(PathText.text(folder)),
      let entries = try? directory.list(), entries.count <= entryLimit
    else { return false }
    return entries.contains { entry in
      guard entry.kind == .file, let file = try? directory.openFile(entry.name) else { return false }
      return isBerkeley(file)
    }
  }

  /// Finds the files that belong to a file.
  ///
  /// - Parameters:
  ///   - found: the file.
  ///   - isDestroyed: whether its content no longer shows the type of database.
  /// - Returns: the files in order; empty if the file is not a database, or is complete.
  static func all(of found: borrowing FoundFile, isDestroyed: Bool = false) -> [DatabasePart] {
    let real = found.realPath
    var parts: [DatabasePart] = []
    for ending in PassingFiles.endings where isRegular(real + ending) {
      parts.append(
        DatabasePart(path: real + ending, name: found.name + ending, place: found.placePath + ending))
    }
    guard isDestroyed || isBerkeley(found.file) else { return parts }
    // Normally there are none next to a link, unless the program was configured with the link.
    let folders = [folder(of: real), folder(of: found.path)].map { $0 + logFolder }
    let logs = folders.lazy.map { (folder: $0, names: names(in: $0)) }.first { !$0.names.isEmpty }
    for log in logs?.names ?? [] {
      parts.append(
        DatabasePart(
          path: (logs?.folder ?? []) + [slash] + log,
          name: folder(of: found.name) + logFolder + [slash] + log,
          place: folder(of: found.placePath) + logFolder + [slash] + log))
    }
    return parts
  }

  private static func isRegular(_ path: [UInt8]) -> Bool {
    (try? File.openRegular(path, symbolicLinks: .refuse)) != nil
  }

  private static func isBerkeley(_ file: borrowing File) -> Bool {
    let beginning = file.beginning(32)
    return LegacyWallet.isLikely(beginning.span)
  }

  /// Returns the names of Berkeley DB's logs in a directory, in order.
  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let entries = try? Directory.open(PathText.text(folder)).list() else { return [] }
    return Array(
      entries.lazy.filter { $0.kind == .file && PassingFiles.isLogName($0.name) }.map(\.name)
        .prefix(entryLimit))
  }

  /// Returns a path up to and including its last slash.
  private static func folder(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: slash).map { Array(path[...$0]) } ?? []
  }
}
