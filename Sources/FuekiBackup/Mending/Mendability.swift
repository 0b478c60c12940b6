public import FuekiArchive
internal import FuekiSystem

/// Whether what is damaged in an archive can be made good with the recovery files beside it.
public enum Mendability: Equatable, Sendable {
  /// It can: so many recovery blocks are needed, of so many.
  case possible(needed: Int, available: Int)
  /// It cannot.
  case impossible(needed: Int, available: Int)
  /// Nobody knows: the program is not installed, or cannot read the recovery files.
  case unknown(MendError)
}

extension Verdict {
  /// Whether it may come of damage, which other bytes would undo.
  public var mayBeDamage: Bool {
    switch self {
    case .damaged, .incomplete, .notAnArchive, .forged, .tooNew, .overLimit, .unreadable: true
    case .intact, .untrusted, .older, .forked, .wrongSecret, .baseMissing: false
    }
  }
}

/// The recovery files beside archives of this machine's.
public enum Parity {
  /// The recovery files of the archive at a path; none of one on a remote.
  public static func files(besideArchive path: String) -> [ParityFile] { set(besideArchive: path).files }

  /// The recovery files of the archive at a path, and the name that the archive has in them.
  ///
  /// A browser gives a number to a second copy, `NAME (1).fueki`: the recovery files then have the name without it.
  static func set(besideArchive path: String) -> (archiveName: String, files: [ParityFile]) {
    let parts = PathParts(path)
    guard !RclonePath.isOne(path) else { return (parts.name, []) }
    for name in [parts.name, ParityName.withoutNumber(parts.name)].compactMap(\.self) {
      let files = (try? ParityFile.all(in: Directory.open(parts.folder), of: name)) ?? []
      if !files.isEmpty { return (name, files) }
    }
    return (parts.name, [])
  }

  /// Whether any recovery files lie in a folder.
  public static func isAny(in folder: String) -> Bool {
    let names = (try? Directory.open(folder).list().compactMap(\.text)) ?? []
    return names.contains { ParityName.isOne($0) }
  }

  /// The programs that using them starts; none where one is not installed.
  public static var programs: [String] { PAR2.programs ?? [] }
}

extension VerificationResult {
  /// Tries the recovery files on an archive that may be damaged; nil where it is not, or has none.
  func mendability(in folder: ParityFolder, progress: () throws -> Void) throws -> Mendability? {
    let (archiveName, files) = Parity.set(besideArchive: path)
    guard verdict.mayBeDamage, !files.isEmpty else { return nil }
    let parts = PathParts(path)
    do {
      defer { folder.empty() }
      try folder.link(path, as: archiveName)
      for file in files { try folder.link("\(parts.folder)/\(file.name)", as: file.ownName) }
      let size = (try? ArchiveFile.open(at: path).byteCount()) ?? 0
      let outcome = try PAR2(in: folder, byteCount: size).run(
        "verify", on: [files[0].ownName]
      ) { _ in try progress() }
      guard let found = outcome.found, let recovery = outcome.recovery else {
        return .unknown(.parityUnusable(path: path))
      }
      let needed = found.all - found.whole
      switch outcome.status {
      case 1: return .possible(needed: needed, available: recovery)
      case 2: return .impossible(needed: needed, available: recovery)
      default: return .unknown(.parityUnusable(path: path))
      }
    } catch let error as MendError {
      return .unknown(error)
    } catch let error as SystemError where !error.isInterrupted {
      return .unknown(.system(error))
    }
  }
}
