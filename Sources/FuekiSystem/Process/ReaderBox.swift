internal import CProcess
internal import Glibc

/// The box of a process that reads a stranger's files: what is left to it once it has gone in.
///
/// Landlock leaves it the paths that it reads. A filter leaves it the system calls that reading takes: it makes no
/// socket, starts no process, opens nothing for writing, loads no code, and sends no signal to others. A process that
/// copies a database writes to the copy's directory.
public struct ReaderBox: Sendable, Equatable {
  /// The version of the kernel's Landlock; nil if it has none.
  public let landlock: Int?
  /// Whether system calls are filtered.
  public let hasCallFilter: Bool

  /// A box with these walls.
  public init(landlock: Int?, hasCallFilter: Bool) {
    self.landlock = landlock
    self.hasCallFilter = hasCallFilter
  }

  /// Whether the kernel filters system calls.
  public static var canFilterCalls: Bool { fueki_has_call_filters() != 0 }

  /// Address space of a reader: the largest files that are parsed whole have 1 GiB, and a key derivation takes 1 GiB.
  private static let memoryLimit: Int64 = 16 << 30

  /// The task of a process in a box.
  public enum Task: Sendable, Equatable {
    /// Reading files.
    case reading
    /// Copying a database through SQLite, which locks it and writes files of at most this size.
    case copying(fileByteCount: UInt64)
  }

  /// Gives up all rights except those of the rules and the task, for good.
  ///
  /// To be called while the process has one thread.
  ///
  /// - Returns: the walls that this kernel has.
  /// - Throws: what the kernel refuses although it has it.
  public static func enter(
    _ rules: SandboxRules, for task: Task = .reading
  ) throws(SystemError) -> ReaderBox {
    // A service may not set limits; the system's own hold then.
    _ = fueki_limit_memory(memoryLimit)
    if case .copying(let byteCount) = task { _ = fueki_limit_file_size(Int64(clamping: byteCount)) }
    let version = Sandbox.version
    let isWalled = try Sandbox.wall(rules)
    let canFilter = canFilterCalls
    if canFilter {
      _ = try systemCall("seccomp") { fueki_filter_reader_calls(task == .reading ? 0 : 1) }
    }
    return ReaderBox(landlock: isWalled ? version : nil, hasCallFilter: canFilter)
  }
}
