/// A path, taken apart before its last part.
public struct PathParts: Equatable, Sendable {
  /// The folder that the last part lies in: `.` where the path names none.
  public let folder: String
  /// The last part; empty where the path ends in a slash.
  public let name: String

  /// Takes a path apart.
  public init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      (folder, name) = (".", path)
      return
    }
    // By bytes: the name's first character can be a mark, which joins the slash before it.
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }
}
