internal import FuekiArchive
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
