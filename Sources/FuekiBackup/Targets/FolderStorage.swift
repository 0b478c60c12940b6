internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// A folder of this machine's.
struct FolderStorage: TargetStorage {
  let path: String
  /// Files are only added to it.
  var isAppendOnly = false

  func check() throws { _ = try open() }

  func entries() throws -> [TargetEntry] {
    let directory = try open()
    var entries: [TargetEntry] = []
    var parity: [ParityFile] = []
    let owners: Set<UInt32> = [CurrentUser.identifier, try directory.status().owner]
    for entry in try directory.list() where entry.kind == .file {
      guard !Interruption.wasRequested else { throw Interrupted() }
      let name = entry.text ?? String(decoding: entry.name, as: UTF8.self)
      let status = try? directory.status(of: entry.name)
      let size = status?.size ?? 0
      if ParityName.isOne(name) { parity.append(ParityFile(name: name, byteCount: size)) }
      var found = TargetEntry(
        name: name, nameBytes: entry.name, path: directory.path + "/" + name, byteCount: size
      ) { () throws(SystemError) in ArchiveFile(try directory.openFile(entry.name)) }
      found?.owner = status?.owner
      found?.isOwn = status.map { owners.contains($0.owner) } ?? false
      found?.hasOtherNames = status.map { $0.linkCount > 1 } ?? false
      if let found { entries.append(found) }
    }
    try entries.markRemoved()
    TargetEntry.give(parity, to: &entries)
    return entries
  }

  func names() throws -> Set<ExactText> {
    Set(try open().list().map { ExactText($0.text ?? String(decoding: $0.name, as: UTF8.self)) })
  }

  /// The caller holds the machine's lock, or a run that is still writing would lose its file.
  func removeLeftovers(of machine: String) throws {
    guard !isAppendOnly else { return }
    let directory = try open()
    for entry in try directory.list() where entry.kind == .file {
      guard let name = entry.text, TemporaryName.isLeftover(name, of: machine) else { continue }
      try directory.remove(name)
    }
  }

  func checkRoom(for byteCount: UInt64) throws {
    let directory = try open()
    // A file system that cannot say how much is free is found out by writing.
    guard let free = try? directory.freeBytes(), free < byteCount else { return }
    throw SystemError.noSpace(path: path)
  }

  func workshop(_ state: LockedState, machine: String) throws -> FolderStorage {
    try isAppendOnly ? Self.outgoing(state, machine: machine) : self
  }

  func deliver(
    _ archive: IntactArchive, from source: String, machine: String,
    progress: (UInt64) throws -> Void
  ) throws -> any Delivery {
    guard !isAppendOnly else { return AppendingDelivery(storage: self, archive: archive) }
    let copy = try TemporaryArchive(in: self, machine: machine)
    try copy.copy(from: archive, progress: progress)
    _ = try copy.readBack(archive.digest, progress: progress)
    return copy
  }

  func open(_ entry: TargetEntry) throws -> ArchiveFile { ArchiveFile(try open().openFile(entry.nameBytes)) }

  func remove(
    _ entries: [TargetEntry], willRemove: (Int) throws -> Bool, removed: (Int) -> Void
  ) throws {
    guard !isAppendOnly else { throw TargetError.appendOnly(path: path) }
    let directory = try open()
    defer { _ = try? open().sync() }
    try remove(entries, in: directory, willRemove: willRemove, removed: removed)
  }

  private func remove(
    _ entries: [TargetEntry], in directory: borrowing Directory, willRemove: (Int) throws -> Bool,
    removed: (Int) -> Void
  ) throws {
    for (index, entry) in entries.enumerated() where try willRemove(index) {
      Self.removeParity(of: entry, in: directory)
      try directory.remove(entry.nameBytes)
      removed(index)
    }
  }

  /// Removes an archive's recovery files before the archive, because nothing would refer to them afterwards.
  ///
  /// Files that cannot be removed stay, like the archive.
  private static func removeParity(of entry: TargetEntry, in directory: borrowing Directory) {
    for file in entry.parity { try? directory.remove(file.name) }
  }

  func open() throws -> Directory {
    do {
      return try Directory.open(path)
    } catch  where error.isNotFound {
      throw TargetError.noTarget(path: path)
    }
  }
}

/// An archive on its way into a target: removed again unless it is published.
final class TemporaryArchive: Delivery {
  private let directory: Directory
  private var name: String
  let file: ArchiveFile
  private var isPublished = false
  private let unfinished: UnfinishedFile
  /// The guarantees that the file system lacks, as far as checked.
  private(set) var warnings: [TargetWarning] = []

  /// Where the file is now.
  var path: String { directory.path + "/" + name }

  /// - Parameters:
  ///   - folder: where to make the file.
  ///   - machine: the machine's id, so that its next run recognizes its own leftovers.
  /// - Throws: ``TargetError/noTarget(path:)`` if the folder does not exist, `SystemError` if it is not writable.
  init(in folder: FolderStorage, machine: String) throws {
    name = TemporaryName.make(for: machine)
    directory = try folder.open()
    unfinished = UnfinishedFile(name, in: directory)
    let created = try directory.createFile(name)
    let hasPermissions = created.hasRequestedPermissions
    file = ArchiveFile(created)
    if !hasPermissions { warn(.permissions) }
  }

  deinit {
    guard !isPublished else { return }
    try? directory.remove(name)
  }

  /// Makes the file durable, reads every byte of it back, and compares it with the intended bytes.
  func readBack(_ digest: Digest, progress: (UInt64) throws -> Void) throws -> IntactArchive {
    do {
      try file.sync()
    } catch let error where error.isUnsupported {
      warn(.fileNotSynced)
    }
    let report = try StoredArchive(reading: ArchiveFile(try directory.openFile(name))).verify(
      progress: progress)
    guard let intact = report.intact, report.damage.isEmpty, intact.digest == digest else {
      throw TargetError.readBackDiffers(path: path)
    }
    return intact
  }

  /// Assigns the archive's final name, without replacing anything, and makes the name durable.
  ///
  /// - Returns: its new path.
  func publish(as name: String) throws -> String { try publish(as: name, replacing: false) }

  /// Assigns the archive's final name, and replaces a file of that name on request.
  func publish(as name: String, replacing: Bool) throws -> String {
    try directory.rename(self.name, to: name, replacing: replacing)
    self.name = name
    isPublished = true
    if try !directory.sync() { warn(.nameNotSynced) }
    return path
  }

  private func warn(_ kind: TargetWarning.Kind) {
    warnings.append(TargetWarning(path: ExactText(directory.path), kind: kind))
  }

  /// Copies an archive that was read back into this file.
  func copy(from source: IntactArchive, progress: (UInt64) throws -> Void) throws {
    try source.copyBytes(to: file, progress: progress)
  }
}

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
