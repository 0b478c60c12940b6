public import FuekiArchive
public import FuekiCrypto
public import FuekiSystem

/// An event of a running repair, for display.
public enum MendEvent: Sendable {
  /// The archive is read to its end.
  case verifying
  /// It and its recovery files are copied.
  case copying
  /// Blocks are looked for and computed.
  case repairing(percent: Int)
  /// The result is being read.
  case checking
  /// Secrets are tried on it.
  case opening
}

/// The outcome of a repair.
public struct MendOutcome: Sendable {
  /// Where the result is.
  public enum Place: Sendable {
    /// The archive was whole, and nothing was changed.
    case untouched
    /// The result has the archive's name: it is the user's, and the original archive.
    ///
    /// The damaged file has another path.
    case named(OwnArchive, damaged: String)
    /// The result is next to the damaged file under a name of its own, and the damaged file has its name still.
    case beside(path: String, Ownership)
  }

  /// The archive's file.
  public let path: String
  /// The digest that names the archive.
  public let digest: Digest?
  /// Where the result is.
  public let place: Place
  /// How many blocks were repaired.
  public let blocks: Int
  /// Whether this machine, a checkpoint or the caller knew the archive's digest.
  public let isOfKnownDigest: Bool
  /// The authenticity of the result, as far as known; nil if nothing was changed.
  public let authenticity: Authenticity?

  init(
    path: String, digest: Digest?, place: Place = .untouched, blocks: Int = 0, isOfKnownDigest: Bool = false,
    authenticity: Authenticity? = nil
  ) {
    self.path = path
    self.digest = digest
    self.place = place
    self.blocks = blocks
    self.isOfKnownDigest = isOfKnownDigest
    self.authenticity = authenticity
  }
}

/// An error that prevents a repair or the creation of recovery files.
public enum MendError: Error, Equatable, Sendable {
  /// The program that makes and uses recovery files is not installed.
  case noProgram
  /// The archive has no recovery files next to it.
  case noParity(path: String)
  /// More is damaged than the recovery files can make good.
  case beyondParity(path: String, needed: Int, available: Int)
  /// The recovery files are damaged themselves, or another archive's.
  case parityUnusable(path: String)
  /// They produce another archive, or none.
  case otherArchive(path: String)
  /// The archive is on a remote.
  case onRemote(path: String)
  /// The program did not do its work.
  case programFailed(said: String)
  /// The system did not run `par2`, or not to its end.
  case system(SystemError)
  /// The program's output exceeds the possible size of the archive.
  case tooMuchWritten
}

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

/// The archive that a damaged file was, by its trailer, if that is whole, and by the id in its name.
///
/// Anyone who can write to the folder can write both. So they only say which archive was meant; whose it is, ownership
/// decides.
struct DamagedIdentity {
  /// The relation of an archive to the file's facts.
  enum Match {
    /// It is the archive that the trailer states or the name means.
    case same
    /// Neither identifies the archive, or its seals are unconfirmed.
    case unsaid
    /// They mean another archive.
    case other
  }

  private let name: String
  private let archive: StoredArchive?

  init(of path: String) {
    name = PathParts(path).name
    archive = try? StoredArchive(reading: ArchiveFile.open(at: path, symbolicLinks: .refuse))
  }

  /// Compares the file's facts with an archive.
  ///
  /// - Parameters:
  ///   - repaired: the archive.
  ///   - witness: knows the seals of the vault's archives, which an archive's digest does not cover.
  ///   - opens: whether a secret opened the archive, which requires its own seals.
  /// - Returns: the relation of the archive to the file's facts.
  func match(_ repaired: StoredArchive, _ witness: SealWitness, opens: Bool = false) -> Match {
    let isTrailerSame = archive?.statedDigest == repaired.statedDigest
    if isTrailerSame, archive?.trailerDigest == repaired.trailerDigest { return .same }
    let isNameSame = ArchiveName.shortID(inName: name) == repaired.statedDigest.shortID
    guard isTrailerSame || isNameSame else {
      return archive == nil && ArchiveName.shortID(inName: name) == nil ? .unsaid : .other
    }
    if opens || witness.vouches(for: repaired) { return .same }
    // The digest is right, and a trailer with other seals was there: one of the two was made up.
    return isTrailerSame ? .other : .unsaid
  }
}
