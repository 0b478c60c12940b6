internal import FuekiSystem

/// Paths that begin with the user's home, if no shell has expanded them.
enum HomePath {
  /// Returns the path, with the user's home for a `~` at its beginning.
  static func expanded(_ path: String) -> String {
    guard path == "~" || path.utf8.starts(with: "~/".utf8), let home = Environment.get("HOME") else {
      return path
    }
    return home + (String(path.utf8.dropFirst()) ?? "")
  }

  /// Returns the path, with `~` for a home that contains it.
  static func shortened(_ path: String, home: String) -> String {
    guard path.utf8.starts(with: "\(home)/".utf8) else { return path }
    return "~" + (String(path.utf8.dropFirst(home.utf8.count)) ?? path)
  }
}
