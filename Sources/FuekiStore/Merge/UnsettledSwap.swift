internal import FuekiBackup
internal import FuekiSystem

/// A swap of a data directory that a run may not have completed.
///
/// The directories' inodes, which do not change with their names, show how far it got.
struct UnsettledSwap: Sendable {
  /// How far the swap got.
  enum State: Sendable {
    /// The new directory is in place.
    case done
    /// The old directory is in place.
    case notDone
  }

  private let dataDirectory: String
  private let previous: String?
  private let inode: UInt64

  /// Describes a swap, or the move to a new place.
  ///
  /// - Parameters:
  ///   - dataDirectory: the directory to be replaced or created.
  ///   - previous: the path for the replaced directory.
  ///   - inode: the inode of the new directory.
  init(of dataDirectory: String, previous: String?, inode: UInt64) {
    self.dataDirectory = dataDirectory
    self.previous = previous
    self.inode = inode
  }

  /// Returns how far the swap got.
  func state() throws -> State { try isNew(dataDirectory) ? .done : .notDone }

  /// Removes an unswapped new directory from under the name reserved for the previous one.
  func undo() throws {
    guard let previous, try !isNew(dataDirectory), try isNew(previous) else { return }
    let (parent, name) = try DataDirectory.split(previous)
    let folder = try Directory.open(parent)
    try folder.removeTree(name)
    try folder.sync()
  }

  private func isNew(_ path: String) throws -> Bool {
    let (parent, name) = try DataDirectory.split(path)
    guard let folder = try? Directory.open(parent), try folder.contains(name) else { return false }
    let status = try folder.status(of: name)
    return status.kind == .directory && status.inode == inode
  }
}
