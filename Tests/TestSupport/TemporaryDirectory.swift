package import FuekiSystem
internal import Glibc

/// A fresh private directory that removes itself, with all that is in it.
package struct TemporaryDirectory: ~Copyable {
  /// The absolute path, without a slash at its end.
  package let path: String

  package init() throws {
    let parent = Environment.get("TMPDIR") ?? "/tmp"
    path = "\(parent)/fueki-test-\(getpid())-\(UInt64.random(in: .min ... .max))"
    try Directory.makePrivateDirectories(path)
  }

  deinit {
    guard let slash = path.lastIndex(of: "/"), let parent = try? Directory.open(String(path[..<slash])) else {
      return
    }
    try? parent.removeTree(String(path[path.index(after: slash)...]))
  }

  /// The path of something in the directory.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// The directory, opened.
  package func open() throws -> Directory { try Directory.open(path) }

  /// Writes a new file in the directory.
  package func write(_ bytes: [UInt8], to name: String) throws {
    try open().createFile(name).pwriteAll(bytes, at: 0)
  }

  /// All bytes of a file in the directory.
  package func read(_ name: String) throws -> [UInt8] { try File.open(path(name)).readAll(limit: .max - 1) }
}
