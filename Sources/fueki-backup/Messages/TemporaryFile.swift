internal import FuekiSystem

/// A file that has a name only while it is written, as messages show it.
enum TemporaryFile {
  /// Returns the folder of a temporary file, whose own name is meaningless to users.
  ///
  /// Other paths are returned unchanged.
  static func place(_ path: String) -> String {
    let parts = PathParts(path)
    let name = parts.name
    guard name.hasPrefix("."), name.hasSuffix(".tmp") || name.hasSuffix(".partial") else { return path }
    return parts.folder
  }
}
