internal import FuekiBackup
internal import FuekiSystem

/// A swap of a data directory that a run may not have lived to see: what of it has happened is told by the directories'
/// numbers, which they keep under any name.
public struct UnsettledSwap: Sendable {
  /// What there is to be done about it.
  public enum State: Sendable {
    /// The new directory is in place.
    case done
    /// The old one is.
    case notDone
  }

  private let dataDirectory: String
  private let previous: String?
  private let inode: UInt64

  /// Describes a swap, or the move into a new place.
  ///
  /// - Parameters:
  ///   - dataDirectory: what was to be replaced, or made.
  ///   - previous: where what was there was to be kept.
  ///   - inode: the number of the new directory.
  public init(of dataDirectory: String, previous: String?, inode: UInt64) {
    self.dataDirectory = dataDirectory
    self.previous = previous
    self.inode = inode
  }

  /// What has happened.
  public func state() throws -> State { try isNew(dataDirectory) ? .done : .notDone }

  /// Takes what was not swapped away from under the name of what was to be kept.
  public func undo() throws {
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
