internal import FuekiSystem

/// An archive on standard input, which `-` stands for: a file that the shell opened.
enum StandardInputArchive {
  static let name = "-"
  static let path = "/proc/self/fd/0"

  /// The path that `-` means; any other name is returned as it is.
  ///
  /// - Throws: a ``Failure`` if standard input is a pipe or a terminal: an archive is read from its end first.
  static func path(of name: String) throws -> String {
    guard name == Self.name else { return name }
    guard let status = try? FileStatus.of(path), status.kind == .file else {
      throw Failure(
        .usage, "standard input is not a file, and an archive is read from its end first",
        meaning: "nothing was verified",
        hint: "verify - < FILE, or write it to a file first and name that")
    }
    return path
  }

  /// Returns a path for display, with standard input as given by the user.
  static func shown(_ path: String) -> String { path == Self.path ? name : path }
}
