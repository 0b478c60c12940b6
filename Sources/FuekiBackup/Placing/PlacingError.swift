/// Why no file was put into its place.
public enum PlacingError: Error, Equatable, Sendable {
  /// The folder is another user's.
  case othersFolder(path: String)
  /// Other users can write to the folder.
  case sharedFolder(path: String)
  /// The archive is not the user's, and the folder is not empty.
  case notEmpty(path: String)
  /// The file read back differs from the written one.
  case readBackDiffers(path: String)
  /// The parts of files are interleaved in an order that this program never writes.
  case scattered
}

/// Something that keeps a file from its place.
public struct PlacingObstacle: Equatable, Sendable {
  /// The kind of obstacle.
  public enum Kind: Equatable, Sendable {
    /// Another file is there.
    case differs
    /// A folder on the way is a link that leads elsewhere.
    case folderIsLink(to: String)
    /// A folder on the way is another user's.
    case folderIsOthers
    /// Other users can write to a folder on the way.
    case folderIsShared
    /// The place is a link.
    case isLink(to: String)
    /// Not a regular file, or not a folder where one is needed.
    case otherKind
    /// This user may not write there.
    case notWritable
    /// The file system takes neither the name nor a safe one.
    case nameRefused
    /// The file system has no room for the file, or takes none of its size.
    case noRoom
  }

  /// Where it is.
  public let path: String
  /// The kind of obstacle.
  public let kind: Kind

  /// Something in the way.
  public init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// A program that works with a place.
public struct RunningProgram: Hashable, Sendable {
  /// The program's name.
  public let name: String
  /// The process number; nil if known only from a lock file.
  public let processID: Int32?
  /// The file that it has open or locked.
  public let path: String

  /// A program, and how it is known.
  public init(name: String, processID: Int32?, path: String) {
    self.name = name
    self.processID = processID
    self.path = path
  }
}
