internal import FuekiArchive
internal import FuekiSystem

/// The operations of a target, whatever its kind.
protocol TargetStorage: Sendable {
  /// - Throws: ``TargetError/noTarget(path:)`` if the target does not exist, and the reason that it cannot be reached.
  func check() throws

  /// Every file that is, or claims to be, an archive, in no order.
  func entries() throws -> [TargetEntry]

  /// Lists the names of all files.
  func names() throws -> Set<ExactText>

  /// Removes what an earlier run of this machine left half-written.
  func removeLeftovers(of machine: String) throws

  /// - Throws: an error with `isNoSpace` if the storage reports fewer free bytes.
  func checkRoom(for byteCount: UInt64) throws

  /// A folder in which an archive that goes here is made, sealed and read back.
  func workshop(_ state: LockedState, machine: String) throws -> FolderStorage

  /// Copies an intact archive to the target under an unlisted name, and checks the result.
  ///
  /// - Parameters:
  ///   - archive: the verified archive.
  ///   - source: its file's path, on this machine if a remote receives it.
  ///   - machine: this machine's id.
  ///   - progress: receives the bytes that were copied or read back. An error that it throws ends the work.
  /// - Returns: the remaining step, which names the archive.
  /// - Throws: ``TargetError/readBackDiffers(path:)`` or ``TargetError/checksumDiffers(path:kind:)`` if other bytes
  ///   arrived; errors from reading and writing.
  func deliver(
    _ archive: IntactArchive, from source: String, machine: String,
    progress: (UInt64) throws -> Void
  ) throws -> any Delivery

  /// Writes an archive's recovery files next to it, once it has its name, without replacing anything.
  func put(_ parity: MadeParity, machine: String) throws

  /// Opens a file of the listing for a few small reads.
  func open(_ entry: TargetEntry) throws -> ArchiveFile

  /// Removes files one after another.
  ///
  /// - Parameters:
  ///   - entries: the files to remove.
  ///   - willRemove: called before each. False keeps the file, and an error that it throws ends the work.
  ///   - removed: receives each removed file.
  /// - Throws: errors from reaching the target and from `willRemove`.
  func remove(
    _ entries: [TargetEntry], willRemove: (Int) throws -> Bool, removed: (Int) -> Void
  ) throws

  /// Writes, reads back, renames and removes a few bytes, as publishing an archive does.
  func tryOut() throws -> TargetTrial
}

/// An archive on its way into a target, removed unless it is published.
protocol Delivery {
  /// The guarantees that the target lacks, as far as checked.
  var warnings: [TargetWarning] { get }

  /// Assigns the archive's final name, without replacing anything.
  ///
  /// - Returns: its new path.
  func publish(as name: String) throws -> String
}

/// The result of trying to write to a target, with files of a few bytes that are removed afterwards.
public struct TargetTrial: Equatable, Sendable {
  /// Files can be made for their owner only.
  public let keepsPermissions: Bool
  /// A name that is taken is not taken away by a rename.
  public let keepsNames: Bool
  /// The folder's names can be made durable.
  public let syncsNames: Bool
  /// The number of bytes that still fit; nil if unknown.
  public let freeBytes: UInt64?
  /// The seconds that the file system's clock is ahead of this machine's; negative if it is behind.
  public let clockDifference: Int64
  /// The longest archive in it, in bytes.
  public let longestArchive: UInt64
  /// The number of archives in it.
  public let archives: Int
  /// For an append-only target, whether it keeps its files; nil for others.
  public let retention: Retention?

  /// Whether a target permits removals.
  public enum Retention: Sendable {
    /// It refuses.
    case kept
    /// It does.
    case removable
    /// Unknown: a removal may succeed without being permanent.
    case unknown
  }

  /// Creates the result for a target with these entries.
  init(
    of entries: [TargetEntry], keepsPermissions: Bool = true, keepsNames: Bool = true,
    syncsNames: Bool = true, freeBytes: UInt64?, clockDifference: Int64 = 0, retention: Retention? = nil
  ) {
    let archives = entries.filter { $0.archive != nil }
    self.keepsPermissions = keepsPermissions
    self.keepsNames = keepsNames
    self.syncsNames = syncsNames
    self.freeBytes = freeBytes
    self.clockDifference = clockDifference
    longestArchive = archives.map(\.byteCount).max() ?? 0
    self.archives = archives.count
    self.retention = retention
  }
}

extension FolderStorage {
  func tryOut() throws -> TargetTrial { try isAppendOnly ? tryAppending() : tryWriting() }

  private func tryWriting() throws -> TargetTrial {
    try removeLeftovers(of: TemporaryName.trial)
    let directory = try open()
    let names = (TemporaryName.make(for: TemporaryName.trial), TemporaryName.make(for: TemporaryName.trial))
    defer {
      try? directory.remove(names.0)
      try? directory.remove(names.1)
    }
    let first = try Self.write(7, to: names.0, in: directory)
    _ = try Self.write(9, to: names.1, in: directory)
    let keepsNames = try Self.keepsNames(names, in: directory)
    let written = try first.status().modificationTime.seconds
    return TargetTrial(
      of: try entries(), keepsPermissions: first.hasRequestedPermissions, keepsNames: keepsNames,
      syncsNames: try directory.sync(), freeBytes: try directory.freeBytes(),
      clockDifference: written - SystemClock.now / 1_000_000)
  }

  private static func write(
    _ byte: UInt8, to name: String, in directory: borrowing Directory
  ) throws -> File {
    let bytes = [UInt8](repeating: byte, count: 4096)
    let file = try directory.createFile(name)
    try file.pwriteAll(bytes, at: 0)
    try file.sync()
    let again = try directory.openFile(name)
    guard try again.readAll(limit: 8192) == bytes else {
      throw TargetError.readBackDiffers(path: directory.path + "/" + name)
    }
    return file
  }

  private static func keepsNames(
    _ names: (String, String), in directory: borrowing Directory
  ) throws -> Bool {
    do {
      try directory.rename(names.0, to: names.1, replacing: false)
      return false
    } catch let error where error.isAlreadyThere {
      return try directory.contains(names.0)
    }
  }
}
