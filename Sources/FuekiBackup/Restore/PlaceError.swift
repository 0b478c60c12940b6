/// An error that prevents placing something.
public enum PlaceError: Error, Equatable, Sendable {
  /// Something is in the way that differs.
  case wouldOverwrite(path: String)
  /// A data directory cannot be swapped for another.
  case notReplaceable(path: String, obstacle: Obstacle)
  /// The keychain read back has not the shares that were put in.
  case keychainDiffers

  /// Why a data directory cannot be swapped for another.
  public enum Obstacle: Hashable, Sendable {
    /// It is a symbolic link.
    case symbolicLink
    /// Another file system begins there.
    case mountPoint
    /// A wallet has its store open.
    case inUse
    /// Something else than files and directories is in it.
    case foreignEntry(name: String)
    /// The file system cannot swap two directories in one step.
    case noExchange
  }
}
