internal import FuekiArchive
internal import FuekiSystem

/// The recovery files next to this machine's archives.
public enum Parity {
  /// The recovery files of the archive at a path; none of one on a remote.
  public static func files(besideArchive path: String) -> [ParityFile] { set(besideArchive: path).files }

  /// Returns the recovery files of the archive at a path, and the archive's name in them.
  ///
  /// A browser adds a number to a second copy, `NAME (1).fueki`: its recovery files then use the name without it.
  static func set(besideArchive path: String) -> (archiveName: String, files: [ParityFile]) {
    let parts = PathParts(path)
    guard !RclonePath.isOne(path) else { return (parts.name, []) }
    for name in [parts.name, ParityName.withoutNumber(parts.name)].compactMap(\.self) {
      let files = (try? ParityFile.all(in: Directory.open(parts.folder), of: name)) ?? []
      if !files.isEmpty { return (name, files) }
    }
    return (parts.name, [])
  }

  /// Returns the same without files that are too long to be recovery files of the archive.
  ///
  /// Anyone who can write to the folder can put a file there that takes no room and has any length.
  static func usableSet(besideArchive path: String) -> (archiveName: String, files: [ParityFile]) {
    let (archiveName, files) = set(besideArchive: path)
    guard !files.isEmpty else { return (archiveName, files) }
    let whole = try? StoredArchive(reading: ArchiveFile.open(at: path, symbolicLinks: .refuse))
    let limit = Limits.archiveBytes.upperBound
    let most = ParityAmount.mostBytes(of: min(whole?.statedByteCount ?? limit, limit))
    return (archiveName, files.filter { $0.byteCount <= most })
  }

  /// Whether a folder contains any recovery files.
  public static func isAny(in folder: String) -> Bool {
    let names = (try? Directory.open(folder).list().compactMap(\.text)) ?? []
    return names.contains { ParityName.isOne($0) }
  }

  /// The programs that recovery needs; empty if one is not installed.
  public static var programs: [String] { PAR2.programs ?? [] }
}
