internal import CProcess
internal import Glibc

/// A process's remaining rights in a sandbox.
///
/// Everything else is denied.
///
/// A right to a directory covers everything below it. No right permits connections, and permitted programs
/// run in the same sandbox.
public struct SandboxRules: Sendable {
  /// A permitted use of a path.
  public enum Right: Sendable {
    /// Read files and list directories.
    case read
    /// List directories, without reading their files.
    case list
    /// Read, create, modify and remove files and directories.
    case write
    /// List directories, create and remove empty ones, and rename directories within their parent.
    case moveFolders
    /// Use a device, such as a terminal.
    case device
    /// Run this program.
    case run

    fileprivate var value: Int32 {
      switch self {
      case .read: Int32(FUEKI_READ)
      case .list: Int32(FUEKI_LIST)
      case .write: Int32(FUEKI_WRITE)
      case .moveFolders: Int32(FUEKI_MOVE_FOLDERS)
      case .device: Int32(FUEKI_DEVICE)
      case .run: Int32(FUEKI_RUN)
      }
    }
  }

  fileprivate var rules: [(path: [UInt8], right: Right)] = []
  fileprivate var startsPrograms = false

  /// Creates rules with the rights that every program needs: its libraries and system tables.
  public init() {
    // The runtime reads about its own threads in /proc. Other processes' memory and open files remain
    // inaccessible.
    let readable = [
      "/usr", "/lib", "/lib64", "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/etc/ld.so.cache",
      "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/ssl/openssl.cnf",
      "/dev/random",
      "/dev/urandom",
    ]
    for path in readable { allow(.read, path) }
    allow(.device, "/dev/null")
  }

  /// Adds a right to a path.
  ///
  /// A path that does not exist when the sandbox is entered is ignored.
  public mutating func allow(_ right: Right, _ path: some PathBytes) { rules.append((path.pathBytes, right)) }

  /// Adds the right to ask the person at the terminal.
  public mutating func allowTerminal() { allow(.device, "/dev/tty") }

  /// Adds the right to run programs, including their dynamic loader.
  public mutating func allowRunning(_ programs: [String]) {
    startsPrograms = true
    for path in programs + ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"] { allow(.run, path) }
  }

  /// Adds the right to list a directory and to read the files directly in it that exist now.
  ///
  /// - Parameters:
  ///   - folder: The directory's path. If it does not exist, no right is added.
  ///   - isIncluded: Whether to include a file, by its name.
  public mutating func allowReadingFiles(of folder: String, where isIncluded: (String) -> Bool) {
    allow(.list, folder)
    for entry in (try? Directory.open(folder).list()) ?? [] where entry.kind == .file {
      guard isIncluded(String(decoding: entry.name, as: UTF8.self)) else { continue }
      allow(.read, Array("\(folder)/".utf8) + entry.name)
    }
  }
}

/// The kernel's Landlock and its filter for system calls, by which a process irrevocably gives up rights.
public enum Sandbox {
  /// The version of the kernel's Landlock interface, or `nil` if it is missing or disabled.
  public static var version: Int? {
    let version = fueki_landlock_version()
    return version > 0 ? Int(version) : nil
  }

  /// The system calls that a command may make in its sandbox, some of them only with some arguments.
  ///
  /// - Parameter startingPrograms: Whether to return those that starting programs adds.
  /// - Returns: Their names on this processor.
  package static func calls(startingPrograms: Bool) -> [String] {
    var names: [String] = []
    while let name = unsafe fueki_command_call(Int32(names.count), startingPrograms ? 1 : 0) {
      unsafe names.append(String(cString: name))
    }
    return names
  }

  /// Gives up all rights except those of the rules, for this thread and all threads and processes started
  /// later, and all system calls except those that commands need.
  ///
  /// Running threads keep their rights, so none may have been started before. The thread of ``StallWatch`` is
  /// stopped first, and restarts when needed.
  ///
  /// - Parameters:
  ///   - rules: The remaining rights.
  ///   - newest: The newest version of Landlock to use, for comparing with older kernels; 0 for none.
  /// - Returns: `false` if Landlock is missing, so that only system calls were given up, if the kernel can filter them.
  /// - Throws: A system error.
  public static func enter(_ rules: SandboxRules, newest: Int = .max) throws(SystemError) -> Bool {
    let isWalled = try wall(rules, newest: newest)
    if ReaderBox.canFilterCalls {
      _ = try systemCall("seccomp") { fueki_filter_command_calls(rules.startsPrograms ? 1 : 0) }
    }
    return isWalled
  }

  /// Gives up the rights, and no system call.
  package static func wall(_ rules: SandboxRules, newest: Int = .max) throws(SystemError) -> Bool {
    StallWatch.rest()
    let version = Int32(min(version ?? 0, newest))
    guard version > 0 else { return false }
    let ruleset = try systemCall("landlock_create_ruleset") { fueki_landlock_begin(version) }
    defer { _ = close(ruleset) }
    for (path, right) in rules.rules {
      guard let name = try? CPath(path) else { continue }
      // A path that cannot be permitted remains denied, which its user reports.
      _ = StallWatch.during(name.text) {
        unsafe name.withPointer { unsafe fueki_landlock_allow(ruleset, version, $0, right.value) }
      }
    }
    StallWatch.rest()
    _ = try systemCall("landlock_restrict_self") { fueki_landlock_enter(ruleset) }
    return true
  }
}

/// Attempts of operations that a sandbox must deny, made on a worker thread as for parsing files.
public enum SandboxTrial {
  /// An attempted operation.
  public enum Attempt: String, CaseIterable, Sendable {
    case read
    case create
    case connect
    case execute
  }

  /// The result of an attempt.
  public struct Finding: Sendable {
    /// The attempted operation.
    public let attempt: Attempt
    /// The path or address of the attempt.
    public let subject: String
    /// Whether the system denied it.
    public let isRefused: Bool
  }

  /// Makes each attempt once, leaving nothing behind.
  ///
  /// - Parameter home: The user's home directory.
  /// - Returns: The result of each attempt.
  /// - Throws: An error, other than a denial, that prevents an attempt.
  public static func run(home: String) throws -> [Finding] {
    let workers = OrderedWorkers<[Finding]>(width: 1, window: 1)
    workers.submit { try Attempt.allCases.map { try finding($0, home) } }
    return try workers.next() ?? []
  }

  private static func finding(_ attempt: Attempt, _ home: String) throws(SystemError) -> Finding {
    switch attempt {
    case .read:
      let key = "\(home)/.ssh/id_ed25519"
      do {
        return Finding(
          attempt: attempt, subject: key,
          isRefused: try isRefused { () throws(SystemError) in _ = try File.open(key) })
      } catch  where error.isNotFound {
        return Finding(
          attempt: attempt, subject: home,
          isRefused: try isRefused { () throws(SystemError) in _ = try Directory.open(home) })
      }
    case .create:
      let path = "\(home)/.fueki-trial-\(UInt64.random(in: .min ... .max))"
      let name = try CPath(path)
      let refused = try isRefused { () throws(SystemError) in
        let file = try systemCall("open", path) {
          unsafe name.withPointer { unsafe open($0, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600) }
        }
        _ = close(file)
        _ = unsafe name.withPointer { unsafe unlink($0) }
      }
      return Finding(attempt: attempt, subject: home, isRefused: refused)
    case .connect:
      let code = fueki_try_connecting()
      // A refusal for lack of a listener means that the system permitted the connection.
      return Finding(attempt: attempt, subject: "127.0.0.1", isRefused: code == EACCES || code == EPERM)
    case .execute:
      let program = "/bin/true"
      let refused = try isRefused { () throws(SystemError) in
        let child = ChildCommand(executable: program, arguments: [program], environment: [])
        _ = try ChildEnding.wait(for: try child.start())
      }
      return Finding(attempt: attempt, subject: program, isRefused: refused)
    }
  }

  private static func isRefused(_ body: () throws(SystemError) -> Void) throws(SystemError) -> Bool {
    do {
      try body()
      return false
    } catch  where error.code == EACCES || error.code == EPERM {
      return true
    }
  }
}
