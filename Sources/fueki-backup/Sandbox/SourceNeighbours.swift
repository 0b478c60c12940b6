internal import FuekiSystem

/// What a collector reads next to a source's file: a database's logs, and files of the same wallet.
enum SourceNeighbours {
  /// The folder of a file, and that of the real file if it is a link; a folder has what it needs in itself.
  static func folders(of path: String) -> Set<String> {
    Set(
      [path, CurrentProcess.absolutePath(of: path)].compactMap { path in
        (try? FileStatus.of(path))?.kind == .file ? PathParts(path).folder : nil
      })
  }
}
