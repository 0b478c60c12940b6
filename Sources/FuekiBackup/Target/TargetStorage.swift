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
