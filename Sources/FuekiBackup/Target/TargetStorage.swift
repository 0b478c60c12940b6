internal import FuekiArchive

/// What a target can do, whatever it is made of.
protocol TargetStorage: Sendable {
  /// - Throws: ``TargetError/noTarget(path:)`` where the target is not there, and why it cannot be reached.
  func check() throws

  /// Every file that is, or claims to be, an archive, in no order.
  func entries() throws -> [TargetEntry]

  /// Removes what an earlier run of this machine left half-written.
  func removeLeftovers(of machine: String) throws

  /// - Throws: an error with `isNoSpace` where the storage says that fewer bytes are free.
  func checkRoom(for byteCount: UInt64) throws

  /// A folder in which an archive that goes here is made, sealed and read back.
  func workshop(_ state: LockedState, machine: String) throws -> FolderStorage

  /// Brings an archive, which is whole, to the target under a name that nothing lists, and checks what came there.
  ///
  /// - Parameters:
  ///   - archive: what was verified.
  ///   - source: its file's path, on this machine if a remote gets it.
  ///   - machine: this machine's id.
  ///   - progress: is told the bytes that were brought or read back; what it throws ends the work.
  /// - Returns: what is left to do: to give the archive its name.
  /// - Throws: ``TargetError/readBackDiffers(path:)`` or ``TargetError/checksumDiffers(path:kind:)`` where other bytes
  ///   came there; what reading and writing throw.
  func deliver(
    _ archive: IntactArchive, from source: String, machine: String,
    progress: (UInt64) throws -> Void
  ) throws -> any Delivery

  /// Puts an archive's recovery files beside it, which has its name by then, without replacing anything.
  func put(_ parity: MadeParity, machine: String) throws

  /// Opens a file of the listing for a few small reads.
  func open(_ entry: TargetEntry) throws -> ArchiveFile

  /// Removes files one after another.
  ///
  /// - Parameters:
  ///   - entries: what goes.
  ///   - willRemove: is asked before each; where it says no the file stays, and what it throws ends the work.
  ///   - removed: is told what is gone.
  /// - Throws: what reaching the target and `willRemove` throw.
  func remove(
    _ entries: [TargetEntry], willRemove: (Int) throws -> Bool, removed: (Int) -> Void
  ) throws

  /// Writes, reads back, renames and removes a few bytes, as publishing an archive does.
  func tryOut() throws -> TargetTrial
}

/// An archive on its way into a target: gone again unless it is published.
protocol Delivery {
  /// What the target does not promise, as far as it has been asked.
  var warnings: [TargetWarning] { get }

  /// Gives the archive its name, without replacing anything.
  ///
  /// - Returns: the path it now has.
  func publish(as name: String) throws -> String
}
