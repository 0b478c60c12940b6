internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// A folder that archives are written to and found in.
public struct Target: Hashable, Sendable {
  /// Whether other machines can see the folder.
  public enum Kind: String, Sendable {
    /// A folder of this machine, or a disk in a drawer.
    case local
    /// A folder that a service copies elsewhere. What is not declared counts as this.
    case synced
  }

  /// The folder's path.
  public let path: String
  /// What is known of it.
  public let kind: Kind

  /// A folder, which must be there: a target that is made by mistake hides that the disk is not plugged in.
  public init(path: String, kind: Kind = .synced) {
    self.path = path
    self.kind = kind
  }

  /// Everything in the folder that is, or claims to be, an archive: newest first, no secret needed.
  ///
  /// - Throws: ``BackupError/noTarget(path:)`` where the folder is not there.
  public func entries() throws -> [TargetEntry] {
    let directory = try open()
    var entries: [TargetEntry] = []
    for entry in try directory.list() where entry.kind == .file {
      guard let found = TargetEntry(entry, in: directory) else { continue }
      entries.append(found)
    }
    Conflicts.mark(&entries)
    return entries.sorted { $0.isNewer(than: $1) }
  }

  /// Removes what an earlier run of this machine left half-written.
  ///
  /// The caller holds the machine's lock, or a run that is still writing would lose its file.
  func removeLeftovers(machine: String) throws {
    let directory = try open()
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text, TemporaryArchive.isLeftover(name, of: machine) else { continue }
      try directory.remove(name)
    }
  }

  /// Makes sure that there is room before anything is written.
  ///
  /// - Throws: an error with `isNoSpace` where fewer bytes are free.
  func checkRoom(for byteCount: UInt64) throws {
    let directory = try open()
    // A file system that cannot say how much is free is found out by writing.
    guard let free = try? directory.freeBytes(), free < byteCount else { return }
    throw SystemError.noSpace(path: path)
  }

  func open() throws -> Directory {
    do {
      return try Directory.open(path)
    } catch  where error.isNotFound {
      throw BackupError.noTarget(path: path)
    }
  }
}
