internal import FuekiSystem

/// A place that archives are written to and found in: a folder, or a folder of a remote that rclone knows.
public struct Target: Hashable, Sendable {
  /// Whether other machines can see the archives.
  public enum Kind: String, Sendable {
    /// A folder of this machine, or a disk in a drawer.
    case local
    /// A folder that a service copies elsewhere. What is not declared counts as this.
    case synced
    /// A folder of one of rclone's remotes, `rclone:remote:path`.
    case rclone
  }

  /// The folder's path, or `rclone:remote:path`.
  public let path: String
  /// What is known of it.
  public let kind: Kind
  /// Whether files are only added to it: nothing there is renamed, replaced or removed.
  public var isAppendOnly = false

  /// A folder, which must be there: a target that is made by mistake hides that the disk is not plugged in.
  ///
  /// - Parameters:
  ///   - path: the folder's; one that begins with `rclone:` is a remote's, of whatever kind.
  ///   - kind: what is known of a folder.
  public init(path: String, kind: Kind = .synced) {
    guard RclonePath.isOne(path) else {
      self.path = path
      self.kind = kind
      return
    }
    self.path = RclonePath.trimmed(path)
    self.kind = .rclone
  }

  /// The target that an archive lies in, by the archive's path.
  public init(holding archive: String) {
    let path = Substring(archive)
    let isRemote = RclonePath.isOne(archive)
    guard let end = path.lastIndex(where: { $0 == "/" || isRemote && $0 == ":" }) else {
      self.init(path: ".")
      return
    }
    // A slash or a colon that begins the path belongs to it.
    let isRoot = path[end] == ":" || end == path.startIndex || path[path.index(before: end)] == ":"
    self.init(path: String(isRoot ? path[...end] : path[..<end]))
  }

  /// Whether archives leave this machine for where somebody else may read them.
  public var isSeenByOthers: Bool { kind != .local }

  /// Where it is, by whatever path or link it was named.
  public var place: String { kind == .rclone ? path : CurrentProcess.absolutePath(of: path) }

  /// What tells the folder's file system from others; nil where the target is no folder of this machine.
  ///
  /// - Throws: why the folder cannot be opened.
  func fileSystem() throws -> UInt64? { kind == .rclone ? nil : try Directory.open(path).fileSystem() }

  /// How the target is reached.
  ///
  /// - Throws: ``TargetError/malformedTarget(path:)``.
  var storage: any TargetStorage {
    get throws {
      guard RclonePath.isOne(path) else { return FolderStorage(path: path, isAppendOnly: isAppendOnly) }
      return RcloneStorage(folder: try RclonePath(path), isAppendOnly: isAppendOnly)
    }
  }

  /// Makes sure that the target is there, without reading any archive.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` where it is not, and why it cannot be reached.
  public func check() throws { try storage.check() }

  /// Everything in the target that is, or claims to be, an archive: newest first, no secret needed.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` where it is not there.
  public func entries() throws -> [TargetEntry] {
    var entries = try storage.entries()
    Conflicts.mark(&entries)
    return NewestFirst.order(entries)
  }

  /// Writes, makes durable, reads back, renames and removes, as publishing an archive does; where files are only added,
  /// no more than one file is made, once.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` where the target is not there,
  ///   ``TargetError/readBackDiffers(path:)`` where it loses bytes, `SystemError` where it cannot be written to.
  public func tryOut() throws -> TargetTrial { try storage.tryOut() }
}

extension Target {
  /// Whether a file in a target's folder is an archive, a recovery file of one or an unfinished one, by its name.
  package static func isOwnFile(named name: String) -> Bool {
    name.hasSuffix(ArchiveName.suffix) || ParityName.isOne(name) || ParityName.isSetAside(name)
      || TemporaryName.isOne(name)
  }
}
