internal import FuekiArchive
internal import FuekiSystem

// Append-only targets: files there are never renamed, replaced or removed.

/// An archive on its way into an append-only folder.
///
/// It is written once, under its final name.
///
/// An interrupted one stays as it is, and the next run's has another name.
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

  /// The only file that trials make in an append-only folder, however many trials there are.
  static let fixedTrialName = ".fueki-append-only"

  /// Tries whether an append-only folder permits the removal of a worthless file.
  func tryAppending() throws -> TargetTrial {
    if try open().onlyTakesNewNames() {
      return TargetTrial(
        of: try entries(), syncsNames: try open().sync(), freeBytes: try open().freeBytes(), retention: .kept)
    }
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
