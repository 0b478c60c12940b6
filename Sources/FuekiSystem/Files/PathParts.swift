/// A path, split before its last component.
public struct PathParts: Equatable, Sendable {
  /// The directory of the last component: `.` if the path has none.
  public let folder: String
  /// The last component; empty if the path ends with a slash.
  public let name: String

  /// Splits a path.
  public init(_ path: String) {
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else {
      (folder, name) = (".", path)
      return
    }
    // Split by bytes, because the name may start with a combining mark, which joins the slash.
    folder = slash == path.startIndex ? "/" : String(path[..<slash])
    name = String(path[path.utf8.index(after: slash)...])
  }
}
