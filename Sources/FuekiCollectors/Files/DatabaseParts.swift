internal import FuekiBackup
internal import FuekiSystem

/// A file that belongs to a database: the database's own file lacks the changes that are still in it.
struct DatabasePart {
  /// Where it is.
  let path: [UInt8]
  /// Its name below the source's folder.
  let name: [UInt8]
  /// Where it goes back to: next to the place of the database, which may be a link.
  let place: [UInt8]
}

/// The files that belong to a database.
///
/// SQLite keeps a rollback journal or a write-ahead log next to a database, Berkeley DB its logs in a folder next to it. Both
/// are next to the real file, wherever a link to that is.
enum DatabaseParts {
  private static let slash = UInt8(ascii: "/")
  private static let logFolder = Array("database".utf8)
  private static let entryLimit = 1000

  /// Whether a file belongs to a database next to it, which is backed up with its parts.
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
  ///   - isDestroyed: whether its content no longer tells which database it was.
  /// - Returns: the files, in their order; none if the file is no database or has all of its changes.
  static func all(of found: borrowing FoundFile, isDestroyed: Bool = false) -> [DatabasePart] {
    let real = found.realPath
    var parts: [DatabasePart] = []
    for ending in PassingFiles.endings where isRegular(real + ending) {
      parts.append(
        DatabasePart(path: real + ending, name: found.name + ending, place: found.placePath + ending))
    }
    guard isDestroyed || isBerkeley(found.file) else { return parts }
    // Next to a link there are none, unless the program was told to look for the wallet there.
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

  /// The names of Berkeley DB's logs in a folder, in their order.
  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let entries = try? Directory.open(PathText.text(folder)).list() else { return [] }
    return Array(
      entries.lazy.filter { $0.kind == .file && PassingFiles.isLogName($0.name) }.map(\.name)
        .prefix(entryLimit))
  }

  /// The bytes of a path up to its last slash, which is in them.
  private static func folder(of path: [UInt8]) -> [UInt8] {
    path.lastIndex(of: slash).map { Array(path[...$0]) } ?? []
  }
}
