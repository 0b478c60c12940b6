internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A directory beside a data directory that becomes it, or goes.
final class ScratchDirectory {
  /// The data directory that it is to become.
  let destination: String
  /// Its own path, once something is in it.
  private(set) var path: String?
  private let parent: String
  private let name: String
  private let scratchName: String
  private var isLeft = false

  /// Looks whether a data directory can be put there; nothing is written yet.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` where there is anything but an empty directory.
  convenience init(becoming destination: String) throws {
    try self.init(beside: destination)
    _ = try isTaken()
  }

  /// Prepares a directory that is to be swapped with the one that is there; nothing is written yet.
  init(beside destination: String) throws {
    self.destination = destination
    (parent, name) = try DataDirectory.split(destination)
    scratchName = Self.prefix(name) + Hex.encode(RandomBytes.bytes(Self.randomByteCount))
  }

  /// Takes over the directory that a run which was stopped has left.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` where something has come into the way meanwhile, and
  ///   `replaces` does not say that it is to be swapped; an error with ``SystemError/isNotFound`` where it has gone.
  init(resuming path: String, of destination: String, replaces: Bool) throws {
    self.destination = destination
    (parent, name) = try DataDirectory.split(destination)
    let (_, scratchName) = try DataDirectory.split(path)
    guard Self.isScratch(scratchName, of: name) else {
      throw SystemError(.notFound, call: "open", path: path)
    }
    self.scratchName = scratchName
    if !replaces { _ = try isTaken() }
    guard try Directory.open(parent).status(of: scratchName).kind == .directory else {
      throw SystemError(.notFound, call: "open", path: path)
    }
    self.path = scratchPath
  }

  private var scratchPath: String { parent == "/" ? "/\(scratchName)" : "\(parent)/\(scratchName)" }

  /// The directory's number in its file system, which it keeps under any name.
  func inode() throws -> UInt64 { try Directory.open(try make()).status().inode }

  /// Removes a database that was never begun as far as its tables.
  func removeStore() throws {
    let folder = try Directory.open(try make())
    let names = ["", "-journal", "-wal", "-shm"].map { DataDirectory.storeName + $0 }
    for name in names where try folder.contains(name) { try folder.remove(name) }
  }

  /// Leaves the directory, when this value goes, for a run that goes on with it.
  func leave() { isLeft = true }

  deinit {
    guard path != nil, !isLeft, let folder = try? Directory.open(parent) else { return }
    try? folder.removeTree(scratchName)
  }

  /// Removes what runs that were killed had begun for this data directory: a wallet's history, in the clear.
  ///
  /// The caller sees to it that no other run is at work there.
  static func removeLeftovers(of destination: String) throws {
    let (parent, name) = try DataDirectory.split(destination)
    guard let folder = try? Directory.open(parent) else { return }
    for entry in try folder.list() where entry.kind == .directory {
      guard let found = entry.text, isScratch(found, of: name) else { continue }
      try folder.removeTree(found)
    }
  }

  private static let randomByteCount = 6

  static func isScratch(_ text: String, of name: String) -> Bool {
    text.hasPrefix(prefix(name)) && Hex.decode(text.dropFirst(prefix(name).count))?.count == randomByteCount
  }

  private static func prefix(_ name: String) -> String { ".\(name).restoring-" }

  /// Makes the directory, 0700, with all that lead to it.
  func make() throws -> String {
    if let path { return path }
    try Directory.makePrivateDirectories(parent)
    try Directory.open(parent).makeDirectory(scratchName)
    path = scratchPath
    return scratchPath
  }

  /// Puts the directory in place under its name, and waits until that is on the device.
  func settle() throws {
    guard let path else { return }
    let folder = try Directory.open(parent)
    try Directory.open(path).sync()
    do {
      // Replacing: the kernel does it for an empty directory only.
      try folder.rename(scratchName, to: name, replacing: try isTaken())
    } catch let error as SystemError where error.isAlreadyThere || error.code == Self.notEmpty {
      throw PlaceError.wouldOverwrite(path: destination)
    }
    self.path = nil
    try folder.sync()
  }

  /// Looks whether the file system can swap two directories in one step, with two of no use.
  ///
  /// - Throws: ``PlaceError/notReplaceable(path:obstacle:)``.
  func tryExchange() throws {
    let folder = try Directory.open(try make())
    let trial = [".a", ".b"]
    for name in trial { try folder.makeDirectory(name) }
    do {
      try folder.renameExchange(trial[0], trial[1])
    } catch {
      throw exchangeFailure(error)
    }
    for name in trial { try folder.removeDirectory(name) }
  }

  /// Swaps the directory with the data directory, which is kept beside it under a name of its own.
  ///
  /// The name is given before the swap: whatever is there under it is never taken for a leftover, and removed.
  func exchange(keepingAs previous: String) throws {
    guard let path else { return }
    let folder = try Directory.open(parent)
    try Directory.open(path).sync()
    try folder.rename(scratchName, to: previous, replacing: false)
    do {
      try folder.renameExchange(previous, name)
    } catch {
      try? folder.rename(previous, to: scratchName, replacing: false)
      throw exchangeFailure(error)
    }
    self.path = nil
    try folder.sync()
  }

  private func exchangeFailure(_ error: SystemError) -> any Error {
    if error.isUnsupported || error.code == Self.otherDevice {
      return PlaceError.notReplaceable(path: destination, obstacle: .noExchange)
    }
    return error.code == Self.busy
      ? PlaceError.notReplaceable(path: destination, obstacle: .mountPoint) : error
  }

  private static let busy: Int32 = 16
  private static let otherDevice: Int32 = 18
  private static let notEmpty: Int32 = 39

  /// Whether an empty directory has the name.
  private func isTaken() throws -> Bool {
    let status: FileStatus
    do {
      status = try Directory.open(parent).status(of: name)
    } catch  where error.isNotFound {
      return false
    }
    guard status.kind == .directory, try Directory.open(parent).openDirectory(name).list().isEmpty else {
      throw PlaceError.wouldOverwrite(path: destination)
    }
    return true
  }
}
