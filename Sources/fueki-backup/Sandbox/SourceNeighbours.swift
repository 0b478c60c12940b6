internal import FuekiSystem

/// The folders in which a collector reads other files next to a source's file: a database's logs, and files of the same wallet.
enum SourceNeighbours {
  /// Returns the folder of a file, and that of the real file if it is a link; none for a folder.
  static func folders(of path: String) -> Set<String> {
    Set(
      [path, CurrentProcess.absolutePath(of: path)].compactMap { path in
        (try? FileStatus.of(path))?.kind == .file ? PathParts(path).folder : nil
      })
  }
}
