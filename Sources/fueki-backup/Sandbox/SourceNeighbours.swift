internal import FuekiSystem

/// The folders in which a collector reads other files of a wallet next to its source: a database's logs, and the like.
enum SourceNeighbours {
  /// Returns the folder of a file, and that of the real file if it is a link; none for a folder.
  static func folders(of path: String) -> Set<ExactText> {
    Set(
      [path, CurrentProcess.absolutePath(of: path)].compactMap { path in
        (try? FileStatus.of(path))?.kind == .file ? ExactText(PathParts(path).folder) : nil
      })
  }
}
