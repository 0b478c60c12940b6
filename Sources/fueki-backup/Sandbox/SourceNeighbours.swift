internal import FuekiSync
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

/// The wallets that a node may copy for a sandboxed process.
enum NodeWalletFiles {
  private static let depth = 5
  private static let most = 10_000

  /// Returns the wallet files at or below these paths.
  ///
  /// They are found before the sandbox is entered: a process in it chooses among them, and names no other.
  static func below(_ paths: [String]) -> [String] {
    var found: [String] = []
    var count = 0
    var level = paths.map(CurrentProcess.absolutePath(of:))
    for _ in 0..<depth {
      var next: [String] = []
      for path in level {
        if NodeWallet.isName(path) { found.append(path) }
        for entry in (try? Directory.open(path).list()) ?? [] {
          count += 1
          guard count <= most else { return found }
          let inner = "\(path)/\(PathText.text(entry.name))"
          if entry.kind == .directory || NodeWallet.isName(inner) { next.append(inner) }
        }
      }
      level = next
    }
    return found
  }
}
