package import FuekiSystem
internal import Glibc

/// A new private directory, removed with its contents at the end of its lifetime.
package struct TemporaryDirectory: ~Copyable {
  /// The absolute path, without a trailing slash.
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

  /// Returns the path of an entry.
  package func path(_ name: String) -> String { "\(path)/\(name)" }

  /// Opens the directory.
  package func open() throws -> Directory { try Directory.open(path) }

  /// Writes a new file in the directory.
  package func write(_ bytes: [UInt8], to name: String) throws {
    try open().createFile(name).pwriteAll(bytes, at: 0)
  }

  /// Returns the bytes of a file in the directory.
  package func read(_ name: String) throws -> [UInt8] { try File.open(path(name)).readAll(limit: .max - 1) }
}
