internal import FuekiBackup
internal import FuekiSystem

extension Directory {
  /// Visits the entries in byte order of names, and those of the directories that the visitor enters.
  ///
  /// It follows no links.
  ///
  /// - Parameters:
  ///   - names: the path from the first directory to this one.
  ///   - visit: gets an entry's directory, the entry, and its path from the first directory; returns whether to enter
  ///     it if it is a directory.
  ///   - unopened: gets the path of each inner directory that cannot be opened or listed. The walk goes on.
  /// - Throws: errors of listing this directory, those of the closures, and an interruption.
  borrowing func walk(
    below names: [[UInt8]] = [],
    _ visit: (_ folder: borrowing Directory, _ entry: DirectoryEntry, _ path: [[UInt8]]) throws -> Bool,
    unopened: (_ path: [[UInt8]], SystemError) throws -> Void
  ) throws {
    try walk(list(), below: names, visit, unopened: unopened)
  }

  private borrowing func walk(
    _ entries: [DirectoryEntry], below names: [[UInt8]],
    _ visit: (_ folder: borrowing Directory, _ entry: DirectoryEntry, _ path: [[UInt8]]) throws -> Bool,
    unopened: (_ path: [[UInt8]], SystemError) throws -> Void
  ) throws {
    for entry in entries {
      try Interrupted.check()
      let path = names + [entry.name]
      guard try visit(self, entry, path), entry.kind == .directory else { continue }
      let inner: Directory
      do throws(SystemError) {
        inner = try openDirectory(entry.name)
      } catch {
        try unopened(path, error)
        continue
      }
      let innerEntries: [DirectoryEntry]
      do throws(SystemError) {
        innerEntries = try inner.list()
      } catch {
        try unopened(path, error)
        continue
      }
      try inner.walk(innerEntries, below: path, visit, unopened: unopened)
    }
  }

  /// Returns the names of the regular files in byte order.
  borrowing func fileNames() throws(SystemError) -> [[UInt8]] {
    try list().filter { $0.kind == .file }.map(\.name)
  }
}
