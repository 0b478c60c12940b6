internal import FuekiBackup
internal import FuekiSystem
internal import Synchronization

/// Scratch directories created in advance, for a restore in a sandbox.
///
/// The kernel grants rights only to directories that exist when the sandbox is entered.
public final class ScratchSupply: Sendable {
  /// The directory in which they are, as is the data directory.
  public let parent: String
  private let destination: String
  private let name: String
  private let folders: MadeFolders
  private let unused: Mutex<[String]>

  /// Creates empty scratch directories next to a data directory.
  ///
  /// - Throws: errors of the system. No directory is left then.
  public init(_ count: Int, for destination: String) throws {
    self.destination = destination
    (parent, name) = try DataDirectory.split(destination)
    folders = try MadeFolders(parent)
    unused = Mutex([])
    do {
      for _ in 0..<count {
        let scratch = try ScratchDirectory(beside: destination)
        let path = try scratch.make()
        scratch.leave()
        unused.withLock { $0.append(path) }
      }
    } catch {
      removeUnused()
      throw error
    }
  }

  deinit { removeUnused() }

  /// The existing directory above those that were created for the data directory; nil if none was.
  public var aboveMade: String? { folders.parent }

  /// The directories to which a restore needs the right to write: new ones, and those of stopped runs.
  public var paths: [String] {
    unused.withLock(\.self) + ((try? ScratchDirectory.all(of: destination)) ?? [])
  }

  /// Returns the path of an unused directory, which becomes the caller's; nil if none is left.
  func next(for destination: String) -> String? {
    guard isHere(destination) else { return nil }
    return unused.withLock { $0.popLast() }
  }

  /// Whether a path, relative or absolute, is that of the data directory.
  private func isHere(_ path: String) -> Bool {
    guard let (folder, name) = try? DataDirectory.split(path), name == self.name,
      let theirs = try? Directory.open(folder).status(), let ours = try? Directory.open(parent).status()
    else { return false }
    return theirs.isSameFile(as: ours)
  }

  /// Whether a directory is one of those that are still unused.
  ///
  /// Names are random, so they identify it, however its path is spelled.
  func holds(_ path: String) -> Bool {
    let name = PathParts(path).name
    return unused.withLock { $0.contains { PathParts($0).name == name } }
  }

  /// Removes the unused directories, and the parents that were created for them.
  private func removeUnused() {
    let paths = unused.withLock { paths in
      defer { paths = [] }
      return paths
    }
    for path in paths {
      let parts = PathParts(path)
      guard let folder = try? Directory.open(parts.folder) else { continue }
      try? folder.removeDirectory(parts.name)
    }
    folders.removeEmpty()
  }
}
