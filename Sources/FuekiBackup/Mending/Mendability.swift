public import FuekiArchive
internal import FuekiSystem

/// Whether the recovery files next to an archive can repair its damage.
public enum Mendability: Equatable, Sendable {
  /// It can: so many recovery blocks are needed, of so many.
  case possible(needed: Int, available: Int)
  /// It cannot.
  case impossible(needed: Int, available: Int)
  /// Unknown: the program is not installed, or cannot read the recovery files.
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

  /// Whether a folder contains any recovery files.
  public static func isAny(in folder: String) -> Bool {
    let names = (try? Directory.open(folder).list().compactMap(\.text)) ?? []
    return names.contains { ParityName.isOne($0) }
  }

  /// The programs that recovery needs; empty if one is not installed.
  public static var programs: [String] { PAR2.programs ?? [] }
}

extension VerificationResult {
  /// Tries the recovery files on a possibly damaged archive; nil if it is intact or has none.
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
