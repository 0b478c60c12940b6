internal import CProcess
internal import Glibc

/// A process of this same program that reads a stranger's files, and hands back what it found in messages.
///
/// It is a new program, or a copy of a process without keys, so its memory has no key of this process. It receives one
/// socket, no other descriptor, and only those variables that lead to files. It ends when this value does.
package final class ReaderChild {
  /// The other end is the child's standard input.
  package let socket: MessageSocket
  private let process: Int32
  /// The process that started it; nil if this one did.
  private let stock: ReaderStock?
  private var ending: ChildEnding?
  /// How long a process may take to end once its socket is closed, in seconds.
  private static let patience = 2.0

  /// Variables that a reader may have: none of them leads to a secret.
  static let variables: Set<String> = [
    "HOME", "LC_ALL", "LANG", "TZ", "FUEKI_DEADLINE", "LD_LIBRARY_PATH",
  ]

  /// Starts the program under another name, by which it knows what it is to do.
  package init(executable: String = CurrentProcess.executable, name: String) throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    _ = try systemCall("socketpair") { unsafe fueki_socket_pair(&ends) }
    let own = File(descriptor: ends[0], path: "socket")
    let other = File(descriptor: ends[1], path: "socket")
    let nothing = try File.open("/dev/null")
    stock = nil
    var child = ChildCommand(
      executable: executable, arguments: [name], environment: Environment.all { Self.variables.contains($0) })
    child.streams = (other.descriptor, nothing.descriptor, nothing.descriptor)
    child.closesOthers = true
    child.leadsSession = true
    process = try child.start()
    socket = MessageSocket(own)
  }

  /// Has a copy of another process started, which costs less.
  package init(from stock: ReaderStock) throws(SystemError) {
    (process, socket) = try stock.start()
    self.stock = stock
  }

  deinit { end() }

  /// Ends the process if it has not ended.
  package func end() {
    guard ending == nil else { return }
    if let stock {
      stock.end(process)
      ending = .killed(signal: SIGKILL)
    } else {
      _ = kill(process, SIGKILL)
      ending = try? ChildEnding.wait(for: process)
    }
  }

  /// Returns how the process ended by itself; nil if it goes on, and is ended here.
  package func ownEnding() -> ChildEnding? {
    let deadline = SystemClock.monotonicSeconds + Self.patience
    while ending == nil {
      ending = (try? polled()) ?? nil
      guard ending == nil else { return ending }
      guard SystemClock.monotonicSeconds < deadline else {
        end()
        return nil
      }
      SystemClock.sleep(seconds: 0.005)
    }
    return ending
  }

  private func polled() throws(SystemError) -> ChildEnding? {
    if let stock { try stock.poll(process) } else { try ChildEnding.poll(process) }
  }
}

/// The child's side.
package enum ReaderProcess {
  /// The socket that leads to the parent.
  package static func socket() throws(SystemError) -> MessageSocket {
    MessageSocket(try File.duplicating(descriptor: STDIN_FILENO), takesFiles: true)
  }
}

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
