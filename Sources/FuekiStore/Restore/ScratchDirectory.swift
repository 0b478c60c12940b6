internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A directory next to a data directory, which replaces it or is removed.
final class ScratchDirectory {
  /// The data directory that it will become.
  let destination: String
  /// Its own path, once it exists.
  private(set) var path: String?
  private let parent: String
  private let name: String
  private let scratchName: String
  private var isLeft = false

  /// Checks whether a data directory can be placed there, without writing.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` for anything but an empty directory.
  convenience init(becoming destination: String) throws {
    try self.init(beside: destination)
    _ = try isTaken()
  }

  /// Prepares a directory to be swapped with the existing one, without writing.
  init(beside destination: String) throws {
    self.destination = destination
    (parent, name) = try DataDirectory.split(destination)
    scratchName = Self.prefix(name) + Hex.encode(RandomBytes.bytes(Self.randomByteCount))
  }

  /// Takes over the directory of a stopped run.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` if the place has been taken meanwhile, unless `replaces`
  ///   allows a swap; an error with ``SystemError/isNotFound`` if the directory is missing.
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

  /// Returns the directory's inode, which does not change with its name.
  func inode() throws -> UInt64 { try Directory.open(try make()).status().inode }

  /// Removes a database whose tables were never created.
  func removeStore() throws {
    let folder = try Directory.open(try make())
    let names = ["", "-journal", "-wal", "-shm"].map { DataDirectory.storeName + $0 }
    for name in names where try folder.contains(name) { try folder.remove(name) }
  }

  /// Keeps the directory for a run that resumes.
  func leave() { isLeft = true }

  deinit {
    guard path != nil, !isLeft, let folder = try? Directory.open(parent) else { return }
    try? folder.removeTree(scratchName)
  }

  /// Removes leftovers of killed runs for this data directory: a wallet's unencrypted history.
  ///
  /// The caller ensures that no other run is working there.
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

  /// Creates the directory, 0700, with its parents.
  func make() throws -> String {
    if let path { return path }
    try Directory.makePrivateDirectories(parent)
    try Directory.open(parent).makeDirectory(scratchName)
    path = scratchPath
    return scratchPath
  }

  /// Renames the directory to its final name, and waits until that is durable.
  func settle() throws {
    guard let path else { return }
    let folder = try Directory.open(parent)
    try Directory.open(path).sync()
    do {
      // Replacing: the kernel allows it only for an empty directory.
      try folder.rename(scratchName, to: name, replacing: try isTaken())
    } catch let error as SystemError where error.isAlreadyThere || error.code == Self.notEmpty {
      throw PlaceError.wouldOverwrite(path: destination)
    }
    self.path = nil
    try folder.sync()
  }

  /// Checks with two temporary directories whether the file system can swap atomically.
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

  /// Swaps the directory with the data directory, which is kept next to it under its own name.
  ///
  /// The name is assigned before the swap, so that the kept directory is never mistaken for a leftover.
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
