internal import CProcess
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

/// The immediate end of this process.
public enum ImmediateExit {
  /// Ends the process without waiting for its threads, of which one is blocked in a call.
  public static func exit(status: Int32) -> Never { _exit(status) }
}

/// The processors that this process may use.
public enum Processors {
  /// The number of usable processors, at least 1.
  ///
  /// It respects the affinity mask, but not a quota of processor time.
  public static var count: Int { Int(fueki_usable_processors()) }
}

/// The C library's retention of freed memory.
public enum FreedMemory {
  private static let blockBytes: Int32 = 6 << 20
  private static let keptBytes: Int32 = 12 << 20

  /// Keeps freed blocks of up to 6 MiB for reuse.
  ///
  /// Archives pass through buffers of about 1 MiB. Otherwise the C library would return each to the kernel,
  /// which clears the pages of every new one.
  public static func keepForReuse() { fueki_keep_freed_memory(blockBytes, keptBytes) }
}

/// Resources of this process, and the system's fitness to generate keys and date archives.
public enum SystemHealth {
  /// The number of bytes that this process may lock into memory, or `nil` if unlimited.
  public static var lockableBytes: UInt64? {
    let limit = fueki_lockable_bytes()
    return limit < 0 ? nil : UInt64(limit)
  }

  /// The number of bytes available without swapping, or `nil` if unknown.
  public static var availableBytes: UInt64? {
    guard let text = try? File.open("/proc/meminfo").readAll(limit: 1 << 16) else { return nil }
    for line in String(decoding: text, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 3, words[0] == "MemAvailable:" else { continue }
      return UInt64(words[1]).map { $0 << 10 }
    }
    return nil
  }

  /// Whether the kernel's random number generator is seeded.
  ///
  /// Before that, generating a key would block.
  public static var hasEntropy: Bool { fueki_entropy_is_ready() == 1 }

  /// Whether the clock is synchronised, for example by NTP, or `nil` if unknown.
  public static var isClockSynchronised: Bool? {
    switch fueki_clock_is_synchronised() {
    case 0: false
    case 1: true
    default: nil
    }
  }
}
