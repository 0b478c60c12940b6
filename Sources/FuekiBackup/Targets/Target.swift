internal import FuekiArchive
public import FuekiSystem

/// A place that archives are written to and found in: a folder, or a folder of a remote that rclone knows.
public struct Target: Hashable, Sendable {
  /// Whether other machines can see the archives.
  public enum Kind: String, Sendable {
    /// A folder of this machine, or a disk in a drawer.
    case local
    /// A folder that a service copies elsewhere. This is the default.
    case synced
    /// A folder of one of rclone's remotes, `rclone:remote:path`.
    case rclone
  }

  private let exactPath: ExactText
  /// The known kind.
  public let kind: Kind
  /// Whether the configuration says that files are only added to it.
  public var isDeclaredAppendOnly = false
  /// Whether files are only added to it: nothing there is renamed, replaced or removed.
  ///
  /// A folder that the system keeps so (`chattr +a`) needs no declaration.
  public var isAppendOnly: Bool { isDeclaredAppendOnly || isKeptAppendOnly }

  /// Creates a target from an existing folder: making a missing one by mistake would hide an unmounted disk.
  ///
  /// - Parameters:
  ///   - path: the folder's path. One that begins with `rclone:` is a remote's, whatever the kind.
  ///   - kind: the known kind of a folder.
  public init(path: String, kind: Kind = .synced) {
    guard RclonePath.isOne(path) else {
      exactPath = ExactText(Self.trimmed(path))
      self.kind = kind
      return
    }
    exactPath = ExactText(RclonePath.trimmed(path))
    self.kind = .rclone
  }

  /// Whether the system lets files only be added to the folder.
  private var isKeptAppendOnly: Bool {
    kind != .rclone && ((try? Directory.open(path))?.onlyTakesNewNames() ?? false)
  }

  /// Creates the target that contains an archive, from the archive's path.
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

  /// The folder's path, or `rclone:remote:path`.
  public var path: String { exactPath.text }

  /// Whether archives leave this machine for a place where others may read them.
  public var isSeenByOthers: Bool { kind != .local }

  /// Its place, independent of the path or link that leads there.
  ///
  /// A remote's own folder has one place, with and without a slash. The few servers that distinguish them
  /// still show both to one login.
  public var place: ExactText {
    guard kind == .rclone else { return ExactText(CurrentProcess.absolutePath(of: path)) }
    return path.hasSuffix(":/") ? ExactText(String(path.dropLast())) : exactPath
  }

  /// Removes trailing slashes from a folder's path, except from the root.
  private static func trimmed(_ path: String) -> String {
    let end = path.utf8.lastIndex { $0 != UInt8(ascii: "/") }
    return end.map { String(path[...$0]) } ?? (path.isEmpty ? path : "/")
  }

  /// An identifier of the folder's file system; nil if the target is no local folder.
  ///
  /// - Throws: the reason that the folder cannot be opened.
  func fileSystem() throws -> UInt64? { kind == .rclone ? nil : try Directory.open(path).fileSystem() }

  /// How the target is reached.
  ///
  /// - Throws: ``TargetError/malformedTarget(path:)``.
  var storage: any TargetStorage { get throws { try storage(keeping: nil) } }

  private func storage(keeping copies: RemoteCopies?) throws -> any TargetStorage {
    guard RclonePath.isOne(path) else { return FolderStorage(path: path, isAppendOnly: isAppendOnly) }
    return RcloneStorage(folder: try RclonePath(path), isAppendOnly: isAppendOnly, copies: copies)
  }

  /// Checks that the target exists, without reading any archive.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` if it does not, and the reason that it cannot be reached.
  public func check() throws { try storage.check() }

  /// Lists all files in the target that are, or claim to be, archives, newest first, without a secret.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` if it does not exist; ``FindingError/denied(_:)`` if this user may not
  ///   read it.
  public func entries() throws -> [TargetEntry] { try entries(keeping: nil) }

  /// Lists the files like ``entries()``, and has a remote's small archives read whole into `copies`.
  func entries(keeping copies: RemoteCopies?) throws -> [TargetEntry] {
    var entries: [TargetEntry]
    do {
      entries = try storage(keeping: copies).entries()
    } catch {
      guard let denied = DeniedArchives(error, of: self) else { throw error }
      throw FindingError.denied(denied)
    }
    Conflicts.mark(&entries)
    return NewestFirst.order(entries)
  }

  /// Writes, syncs, reads back, renames and removes a file, as publishing an archive does.
  ///
  /// An append-only target gets no more than one file, once.
  ///
  /// - Throws: ``TargetError/noTarget(path:)`` if the target is missing, ``TargetError/readBackDiffers(path:)`` if it
  ///   loses bytes, `SystemError` if it is not writable.
  public func tryOut() throws -> TargetTrial { try storage.tryOut() }
}

/// The order in which a target's archives are shown.
enum NewestFirst {
  /// Orders by creation time, newest first.
  ///
  /// Files without a header come last, by name.
  ///
  /// Within a vault the sequence counts: an archive made after a clock went back counts as equally new as its
  /// predecessor.
  static func order(_ entries: [TargetEntry]) -> [TargetEntry] {
    var latest: [VaultID: UInt64] = [:]
    let oldestFirst = entries.sorted { (sequence($0), $0.name) < (sequence($1), $1.name) }
    let dated = oldestFirst.map { entry -> (entry: TargetEntry, time: UInt64?) in
      guard let facts = entry.archive?.facts else { return (entry, nil) }
      let time = max(latest[facts.vaultID] ?? 0, facts.created)
      latest[facts.vaultID] = time
      return (entry, time)
    }
    return dated.sorted { a, b in
      guard let aTime = a.time, let bTime = b.time else {
        return a.time == nil && b.time == nil ? a.entry.name > b.entry.name : a.time != nil
      }
      return (aTime, sequence(a.entry), a.entry.name) > (bTime, sequence(b.entry), b.entry.name)
    }.map(\.entry)
  }

  private static func sequence(_ entry: TargetEntry) -> UInt64 { entry.archive?.facts.sequence ?? 0 }
}

/// A fault in a place for archives.
public enum TargetError: Error, Equatable, Sendable {
  /// There is no such target.
  case noTarget(path: String)
  /// The target is there, on another file system than when this machine's archives were put into it, and has none.
  case otherFileSystem(path: String)
  /// The text `rclone:` is not followed by a remote's name and a colon.
  case malformedTarget(path: String)
  /// The archive read back differs from the written one.
  case readBackDiffers(path: String)
  /// The remote's checksum of the received file differs from that of the sent one.
  case checksumDiffers(path: String, kind: String)
  /// Files are only added to the target.
  case appendOnly(path: String)
  /// No target has a whole copy of an archive that others lack.
  case noWholeCopy(sequence: UInt64)
  /// The target's file of an archive that it should have is damaged.
  case damagedCopy(path: String, sequence: UInt64)
  /// An archive with private keys was made for targets that only its owner sees.
  case holdsPrivateKeys(path: String)
}

/// A target that an archive could not be put in.
public struct TargetFailure: Sendable {
  /// The target's path.
  public let path: ExactText
  /// Why.
  public let error: any Error

  /// Does the work on one target, whose failure does not stop the others.
  ///
  /// - Returns: nil if the work was done.
  /// - Throws: `Interrupted` if the person ended the run.
  static func of(_ target: Target, _ work: () throws -> Void) throws -> TargetFailure? {
    do {
      try work()
      return nil
    } catch  where Interrupted.isCause(of: error) {
      throw Interrupted()
    } catch {
      return TargetFailure(target, error)
    }
  }
}

extension TargetFailure {
  init(_ target: Target, _ error: any Error) { self.init(path: ExactText(target.path), error: error) }
}

/// Something that a target's file system does not do, so that the archive is there and less is promised of it.
public struct TargetWarning: Hashable, Sendable {
  /// The missing guarantee.
  public enum Kind: Hashable, Sendable {
    /// The file's permissions could not be set: others may read the sealed bytes.
    case permissions
    /// That the file's bytes are on the device was not confirmed.
    case fileNotSynced
    /// That the file's name is on the device was not confirmed.
    case nameNotSynced
  }

  /// The target's folder.
  public let path: ExactText
  /// The missing guarantee.
  public let kind: Kind
}
