internal import FuekiSystem

/// A recovery file next to an archive.
public struct ParityFile: Hashable, Sendable {
  /// The file's name.
  public let name: String
  /// The file's length.
  public let byteCount: UInt64
  /// The name that it was made under, which another program may have given a number since.
  public let ownName: String

  init(name: String, byteCount: UInt64, ownName: String? = nil) {
    self.name = name
    self.byteCount = byteCount
    self.ownName = ownName ?? name
  }

  private var hasOwnName: Bool { ExactText(name) == ExactText(ownName) }

  /// Returns the recovery files in a folder for an archive's name, with the index first.
  ///
  /// A numbered file counts if the unnumbered one is missing.
  static func all(
    in directory: borrowing Directory, of archive: String
  ) throws(SystemError) -> [ParityFile] {
    var files: [ParityFile] = []
    var numbered: [ParityFile] = []
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text else { continue }
      let ownName = ParityName.withoutNumber(name) ?? name
      guard ParityName.isOne(ownName, of: archive) else { continue }
      let file = ParityFile(name: name, byteCount: try directory.status(of: name).size, ownName: ownName)
      if file.hasOwnName { files.append(file) } else { numbered.append(file) }
    }
    for file in numbered where !files.contains(where: { ExactText($0.ownName) == ExactText(file.ownName) }) {
      files.append(file)
    }
    return files.sorted { $0.ownName < $1.ownName }
  }
}
