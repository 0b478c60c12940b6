internal import FuekiBackup

/// The files of an export under other names than their own.
enum RenamedFileLines {
  private static let shown = 20

  /// Prints both names of each file, one line per file.
  static func print(_ files: [RenamedFile], _ console: Console) {
    for file in files.prefix(shown) {
      console.warning(
        "\(file.written) is the file \(file.path): its own name is taken, or the file system does not accept it"
      )
    }
    if files.count > shown { console.warning("and \(files.count - shown) more under other names") }
  }
}

/// A file under another name than its own, in `export --json`.
struct RenamedFileDocument: Encodable {
  let path: String
  let written: String

  init(_ file: RenamedFile) { (path, written) = (file.path, file.written) }
}
