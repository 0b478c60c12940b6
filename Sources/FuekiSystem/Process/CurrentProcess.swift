internal import Glibc

/// This process.
public enum CurrentProcess {
  /// The process id.
  public static var identifier: Int32 { getpid() }

  /// The id of the process that started this one.
  package static var parentIdentifier: Int32 { getppid() }

  /// Resolves links and dots in an existing path to an absolute one.
  ///
  /// Returns any other path unchanged.
  public static func absolutePath(of path: String) -> String {
    guard let name = try? CPath(path),
      let resolved = unsafe name.withPointer({ unsafe realpath($0, nil) })
    else { return path }
    defer { unsafe free(resolved) }
    return unsafe PathText.text(cString: resolved)
  }

  /// The command line, starting with the program's name.
  ///
  /// ``PathText`` keeps invalid bytes.
  public static var arguments: [String] {
    let words = unsafe CommandLine.unsafeArgv
    return (0..<Int(CommandLine.argc)).compactMap { index in
      unsafe words[index].map { unsafe PathText.text(cString: $0) }
    }
  }

  /// A path to this process's executable, for starting the same program again.
  public static var executable: String { "/proc/self/exe" }

  /// The executable's path, for files that outlive the process, or `nil` if it is unknown.
  public static var path: String? { target(of: "/proc/self/exe") }

  /// The working directory, or `nil` if it is unknown.
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
