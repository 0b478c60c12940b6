internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// An existing wallet's data directory, locked for a merge.
final class PresentDirectory {
  /// The lock bytes in a SQLite database file: pending, reserved, and shared.
  ///
  /// In write-ahead mode, a program holds one of them as long as the store is open. See SQLite's "File
  /// Locking And Concurrency".
  private static let lockBytes: (offset: Int64, count: Int64) = (0x4000_0000, 512)

  /// The directory's path.
  let path: String
  private let store: File

  /// Locks the wallet's store for this process until this value is released.
  ///
  /// - Throws: ``PlaceError/wouldOverwrite(path:)`` if there is no wallet's store, and
  ///   ``PlaceError/notReplaceable(path:obstacle:)``.
  init(holding path: String) throws {
    try Self.check(path)
    self.path = path
    store = try Directory.open(path).openFileForWriting(DataDirectory.storeName)
    guard try lock() else { throw PlaceError.notReplaceable(path: path, obstacle: .inUse) }
  }

  /// Locks the store, retrying for a second.
  ///
  /// A child just forked by another thread holds this process's released locks until it executes its program.
  private func lock() throws -> Bool {
    for _ in 0..<20 {
      guard try !store.tryLockExclusive(offset: Self.lockBytes.offset, count: Self.lockBytes.count) else {
        return true
      }
      SystemClock.sleep(seconds: 0.05)
    }
    return false
  }

  /// Returns a fingerprint of all files that ``copy(into:)`` copies.
  ///
  /// It changes if any is written, added or removed.
  func fingerprint() throws -> String {
    var lines: [String] = []
    try Self.describe(try Directory.open(path), "", leavingOut: Self.leftOut, &lines)
    return SHA256.hash(Array(lines.joined(separator: "\n").utf8)).hex
  }

  private static func describe(
    _ folder: borrowing Directory, _ prefix: String, leavingOut names: [String], _ lines: inout [String]
  ) throws {
    for entry in try folder.list() where !names.contains(where: { entry.name == [UInt8]($0.utf8) }) {
      let status = try folder.status(of: entry.name)
      let (time, name) = (status.modificationTime, prefix + Hex.encode(entry.name))
      guard entry.kind == .directory else {
        lines.append("\(name) \(status.inode) \(status.size) \(time.seconds).\(time.nanoseconds)")
        continue
      }
      lines.append(name)
      let below = try folder.openDirectory(entry.name)
      try describe(below, name + "/", leavingOut: [], &lines)
    }
  }

  private static let leftOut = [DataDirectory.storeName + "-shm"]

  /// Copies everything to a directory, except files that belong to an open database.
  func copy(into scratch: String) throws {
    try Self.copyEntries(
      of: try Directory.open(path), into: try Directory.open(scratch), of: path,
      leavingOut: Self.leftOut)
  }

  private static func copyEntries(
    of source: borrowing Directory, into copy: borrowing Directory, of path: String,
    leavingOut names: [String]
  ) throws {
    for entry in try source.list() where !names.contains(where: { entry.name == [UInt8]($0.utf8) }) {
      switch entry.kind {
      case .file: try source.copyFile(entry.name, into: copy)
      case .directory:
        try copy.makeDirectory(entry.name)
        try copyEntries(
          of: try source.openDirectory(entry.name), into: try copy.openDirectory(entry.name), of: path,
          leavingOut: [])
      case .symbolicLink, .other:
        let name = String(decoding: entry.name, as: UTF8.self)
        throw PlaceError.notReplaceable(path: path, obstacle: .foreignEntry(name: name))
      }
    }
  }

  /// Whether a file's header is that of a wallet's store.
  ///
  /// It is not opened as a database, which would leave traces. See SQLite's "Database File Format", section
  /// 1.3.
  private static func isStore(_ file: borrowing File) throws -> Bool {
    guard try file.size() >= 100 else { return false }
    let header = try file.readExactly(100, at: 0)
    let application = header[68..<72].reduce(0) { $0 << 8 | Int($1) }
    return header.starts(with: Array("SQLite format 3\0".utf8)) && application == StoreSchema.applicationID
  }

  /// Checks, as far as visible, that the directory contains a wallet and can be swapped.
  static func check(_ path: String) throws {
    let (parent, name) = try DataDirectory.split(path)
    let folder = try Directory.open(parent)
    let status = try folder.status(of: name)
    switch status.kind {
    case .directory: break
    case .symbolicLink: throw PlaceError.notReplaceable(path: path, obstacle: .symbolicLink)
    case .file, .other: throw PlaceError.wouldOverwrite(path: path)
    }
    guard try folder.status().device == status.device else {
      throw PlaceError.notReplaceable(path: path, obstacle: .mountPoint)
    }
    let inside = try folder.openDirectory(name)
    guard try inside.contains(DataDirectory.storeName) else { throw PlaceError.wouldOverwrite(path: path) }
    let store = try inside.openFile(DataDirectory.storeName)
    guard try isStore(store) else { throw PlaceError.wouldOverwrite(path: path) }
  }
}
