/// Files that come and go while their database stays: journals, logs and tables of SQLite, Berkeley DB and LevelDB.
///
/// Such a file is a part of the database next to it. A later backup without it lacks nothing, as long as it has the
/// database.
package enum PassingFiles {
  /// The endings of the names of the files that SQLite keeps next to a database.
  package static let endings = ["-journal", "-wal", "-shm"].map { Array($0.utf8) }

  private static let slash = UInt8(ascii: "/")

  /// The path of the database that a path's file belongs to by its ending; nil if it has none of SQLite's.
  package static func database(ofLog path: [UInt8]) -> [UInt8]? {
    endings.first {
      path.count > $0.count && path.suffix($0.count) == $0[...] && path[path.count - $0.count - 1] != slash
    }
    .map { Array(path.dropLast($0.count)) }
  }

  /// The folder whose Berkeley databases a log belongs to; nil if a path is no such log's.
  package static func folder(ofLog path: [UInt8]) -> [UInt8]? {
    let parts = split(path)
    guard parts.count >= 2, let name = parts.last, isLogName(name),
      parts[parts.count - 2] == Array("database".utf8)
    else { return nil }
    let folder = Array(parts.dropLast(2).joined(separator: [slash]))
    return parts.count == 2 ? Array(".".utf8) : folder.isEmpty ? [slash] : folder
  }

  /// Whether a name is that of one of Berkeley DB's logs: `log.` and ten digits.
  package static func isLogName(_ name: [UInt8]) -> Bool {
    name.count == 14 && name.starts(with: Array("log.".utf8)) && name.dropFirst(4).allSatisfy(isDigit)
  }

  /// Whether one of an archive's files belongs to another.
  ///
  /// - Parameters:
  ///   - path: the file's place, or its path below a source.
  ///   - all: the places or paths of all files of the archive.
  ///   - folders: the folders of all files that belong to no other by their names.
  /// - Returns: whether its database is among them.
  package static func belongs(_ path: [UInt8], among all: Set<[UInt8]>, in folders: Set<[UInt8]>) -> Bool {
    if let database = database(ofLog: path) { return all.contains(database) }
    if let folder = folder(ofLog: path) { return folders.contains(folder == Array(".".utf8) ? [] : folder) }
    let parts = split(path)
    guard let name = parts.last, isOfLevelDB(name) else { return false }
    return all.contains(Array((parts.dropLast() + [current]).joined(separator: [slash])))
  }

  /// Returns for each file the path of the unit that it belongs to: a database and its logs have the same.
  ///
  /// - Parameter paths: the files' places, or their paths below a source.
  /// - Returns: the paths, in the order of `paths`.
  package static func owners(of paths: [[UInt8]]) -> [[UInt8]] {
    let logged = Set(paths.compactMap(folder(ofLog:)).map(folderName))
    let tables = Set(paths.filter { split($0).last == current }.map(parent))
    return paths.map { path in
      if let folder = folder(ofLog: path) { return folderName(folder) + logs }
      let file = database(ofLog: path) ?? path
      let folder = parent(file)
      if logged.contains(folder) { return folder + logs }
      guard tables.contains(folder), let name = split(file).last, name == current || isOfLevelDB(name) else {
        return file
      }
      return folder + [slash] + current
    }
  }

  private static let current = Array("CURRENT".utf8)
  private static let logs = Array("/database/".utf8)

  private static func parent(_ path: [UInt8]) -> [UInt8] {
    Array(split(path).dropLast().joined(separator: [slash]))
  }

  /// As ``parent(_:)`` has it.
  private static func folderName(_ folder: [UInt8]) -> [UInt8] {
    folder == [UInt8(ascii: ".")] || folder == [slash] ? [] : folder
  }

  /// The folder of a path that belongs to no other by its name; nil if it does.
  package static func ownFolder(_ path: [UInt8]) -> [UInt8]? {
    guard database(ofLog: path) == nil, folder(ofLog: path) == nil else { return nil }
    return parent(path)
  }

  private static func isOfLevelDB(_ name: [UInt8]) -> Bool {
    if ["LOG", "LOG.old", "LOCK"].contains(where: { Array($0.utf8) == name }) { return true }
    let manifest = Array("MANIFEST-".utf8)
    if name.starts(with: manifest) {
      return name.count > manifest.count && name.dropFirst(manifest.count).allSatisfy(isDigit)
    }
    let digits = name.prefix(while: isDigit)
    return digits.count >= 6
      && [".log", ".ldb", ".sst"].contains { Array($0.utf8)[...] == name.dropFirst(digits.count) }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }

  private static func split(_ path: [UInt8]) -> [[UInt8]] {
    path.split(separator: slash, omittingEmptySubsequences: false).map(Array.init)
  }
}
