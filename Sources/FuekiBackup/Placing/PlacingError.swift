/// Why no file was put into its place.
public enum PlacingError: Error, Equatable, Sendable {
  /// The folder is another person's.
  case othersFolder(path: String)
  /// Other users can write to the folder.
  case sharedFolder(path: String)
  /// The archive is not this person's, and the folder is not empty.
  case notEmpty(path: String)
  /// What was written is not what can be read.
  case readBackDiffers(path: String)
  /// The parts of files lie among one another as no archive of this program has them.
  case scattered
}

/// Something that keeps a file from its place.
public struct PlacingObstacle: Equatable, Sendable {
  /// What it is.
  public enum Kind: Equatable, Sendable {
    /// Another file is there.
    case differs
    /// A folder on the way is a link that leads elsewhere.
    case folderIsLink(to: String)
    /// A folder on the way is another person's.
    case folderIsOthers
    /// Other users can write to a folder on the way.
    case folderIsShared
    /// The place is a link.
    case isLink(to: String)
    /// No regular file, or no folder where one is needed.
    case otherKind
    /// This user may not write there.
    case notWritable
    /// The file system takes neither the name nor a safe one.
    case nameRefused
  }

  /// Where it is.
  public let path: String
  /// What it is.
  public let kind: Kind

  /// Something in the way.
  public init(path: String, kind: Kind) {
    self.path = path
    self.kind = kind
  }
}

/// A program that works with a place.
public struct RunningProgram: Hashable, Sendable {
  /// What it is called.
  public let name: String
  /// Its number; nil where only a lock file tells of it.
  public let processID: Int32?
  /// What it has open or locked.
  public let path: String

  /// A program, and how it is known.
  public init(name: String, processID: Int32?, path: String) {
    self.name = name
    self.processID = processID
    self.path = path
  }
}
