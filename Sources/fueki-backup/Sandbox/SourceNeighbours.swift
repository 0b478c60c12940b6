internal import FuekiSystem

/// The files next to a source's file that a collector reads with it: a database's logs, and files of the same wallet.
enum SourceNeighbours {
  /// Returns the paths of the files next to a file, and next to the real file if it is a link.
  static func paths(of path: String) -> [String] {
    Set([path, CurrentProcess.absolutePath(of: path)]).flatMap { path -> [String] in
      guard (try? FileStatus.of(path))?.kind == .file else { return [] }
      let parts = PathParts(path)
      let dot = parts.name.dropFirst().lastIndex(of: ".")
      let stem = dot.map { String(parts.name[..<$0]) } ?? parts.name
      let entries = (try? Directory.open(parts.folder).list()) ?? []
      return entries.map { PathText.text($0.name) }
        .filter { $0 == "database" || $0.hasPrefix(stem) && $0 != parts.name }.map { "\(parts.folder)/\($0)" }
    }
  }
}
