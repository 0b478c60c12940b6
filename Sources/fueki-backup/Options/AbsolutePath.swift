internal import FuekiSystem

/// Paths that hold wherever the program is run from.
enum AbsolutePath {
  static func of(_ path: String) throws -> String {
    guard !path.hasPrefix("/") else { return path }
    if path.hasPrefix("~/"), let home = Environment.get("HOME") { return home + path.dropFirst() }
    // The shell's word for where it is, where that is true.
    guard let here = Environment.get("PWD"), here.hasPrefix("/"),
      let named = try? Directory.open(here).status(), let real = try? Directory.open(".").status(),
      named.isSameFile(as: real)
    else { throw CommandError.usage("give the whole path of \(path), beginning with /") }
    return "\(here)/\(path)"
  }
}
