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
    /// The folder was not there when the plan was made, and is now.
    case folderExists
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
