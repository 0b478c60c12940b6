internal import Glibc

/// This process.
public enum CurrentProcess {
  /// Its number.
  public static var identifier: Int32 { getpid() }

  /// A path from the root, without links and dots, of what exists; else the path as it is.
  public static func absolutePath(of path: String) -> String {
    guard let name = try? CPath(path),
      let resolved = unsafe name.withPointer({ unsafe realpath($0, nil) })
    else { return path }
    defer { unsafe free(resolved) }
    return unsafe PathText.text(cString: resolved)
  }

  /// The words that it was started with, its name first, as ``PathText`` writes them: no byte is replaced.
  public static var arguments: [String] {
    let words = unsafe CommandLine.unsafeArgv
    return (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe words[index].map { unsafe PathText.text(cString: $0) }
    }
  }

  /// Its executable, as the system resolves it: good for starting the same program again.
  public static var executable: String { "/proc/self/exe" }

  /// The path of its executable, for files that outlive the process; nil where the system does not say.
  public static var path: String? { target(of: "/proc/self/exe") }

  /// The folder that relative paths begin in; nil where the system does not say.
  public static var folder: String? { target(of: "/proc/self/cwd") }

  private static func target(of link: String) -> String? {
    var bytes = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let capacity = bytes.count
    let count = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let base = unsafe buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return -1 }
      return unsafe readlink(link, base, capacity)
    }
    guard count > 0, count < capacity else { return nil }
    return PathText.text(Array(bytes[..<count]))
  }
}
