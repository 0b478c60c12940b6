internal import FuekiBackup
internal import FuekiSystem

/// Paths that hold wherever the program is run from.
enum AbsolutePath {
  /// Returns the path from the root; a remote's path is unchanged.
  static func of(_ path: String) throws -> String {
    let target = Target(path: path)
    if target.kind == .rclone { return target.path }
    guard !path.hasPrefix("/") else { return path }
    let expanded = HomePath.expanded(path)
    guard !expanded.hasPrefix("/") else { return expanded }
    // The shell's current folder, if it is right, because it keeps the links that the user knows.
    if let here = Environment.get("PWD"), here.hasPrefix("/"), isCurrent(here) { return "\(here)/\(path)" }
    guard let here = CurrentProcess.folder else {
      throw CommandError.usage("type the whole path of \(path), beginning with /")
    }
    return "\(here)/\(path)"
  }

  private static func isCurrent(_ folder: String) -> Bool {
    guard let named = try? Directory.open(folder).status(), let real = try? Directory.open(".").status()
    else { return false }
    return named.isSameFile(as: real)
  }
}
