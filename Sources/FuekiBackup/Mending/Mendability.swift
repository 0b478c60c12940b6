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

extension VerificationResult {
  /// Tries the recovery files on a possibly damaged archive; nil if it is intact or has none.
  func mendability(in folder: ParityFolder, progress: () throws -> Void) throws -> Mendability? {
    let (archiveName, files) = Parity.usableSet(besideArchive: path)
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
