internal import FuekiArchive
internal import FuekiSystem

// Targets that files are only added to: nothing there is ever renamed, replaced or removed.

/// An archive on its way into a folder that files are only added to: it is written once, under its final name.
///
/// One that is cut off stays what it is; the next run's has another name.
struct AppendingDelivery: Delivery {
  let warnings: [TargetWarning] = []
  let storage: FolderStorage
  let archive: IntactArchive

  func publish(as name: String) throws -> String {
    try write(to: ArchiveFile(storage.open().createFile(name)))
    try storage.open().sync()
    let path = "\(storage.path)/\(name)"
    let written = try StoredArchive(reading: ArchiveFile(storage.open().openFile(name)))
    let report = try written.verify { _ in try Self.goOn() }
    guard let found = report.intact, report.damage.isEmpty, found.digest == archive.digest else {
      throw TargetError.readBackDiffers(path: path)
    }
    return path
  }

  private func write(to file: ArchiveFile) throws {
    try archive.copyBytes(to: file) { _ in try Self.goOn() }
    do {
      try file.sync()
    } catch let error where error.isUnsupported {
      // Then the names cannot be made durable either, and reading back is what there is.
    }
  }

  private static func goOn() throws {
    guard !Interruption.wasRequested else { throw Interrupted() }
  }
}

extension FolderStorage {
  /// A folder of this machine's state, where an archive is made that goes where nothing is made.
  static func outgoing(_ state: LockedState, machine: String) throws -> FolderStorage {
    let folder = FolderStorage(path: "\(state.directory.path)/outgoing")
    try Directory.makePrivateDirectories(folder.path)
    try folder.removeLeftovers(of: machine)
    return folder
  }

  /// The one file that a trial makes in a folder that files are only added to, whatever the number of trials.
  static let fixedTrialName = ".fueki-append-only"

  /// What such a folder can be asked: whether it lets go of a file of no worth.
  func tryAppending() throws -> TargetTrial {
    try makeFixedTrial()
    // Whether it goes says it all; there is nothing to be learnt from why it stays.
    let isGone = (try? open().remove(Self.fixedTrialName)) != nil
    return TargetTrial(
      of: try entries(), syncsNames: try open().sync(), freeBytes: try open().freeBytes(),
      retention: isGone ? .removable : .kept)
  }

  private func makeFixedTrial() throws {
    guard try !open().contains(Self.fixedTrialName) else { return }
    let file = try open().createFile(Self.fixedTrialName)
    try file.pwriteAll([7], at: 0)
    try file.sync()
  }
}
