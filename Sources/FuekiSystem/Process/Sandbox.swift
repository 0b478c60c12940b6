internal import CProcess
internal import Glibc

/// What a process may still do in its sandbox; all else is refused.
///
/// A right to a folder is a right to everything below it. No right opens a connection, and a program that may be started
/// stays in the sandbox.
public struct SandboxRules: Sendable {
  /// What may be done with a path.
  public enum Right: Sendable {
    /// To read files and list folders.
    case read
    /// To list folders, without reading the files in them.
    case list
    /// To read, and to make, change and remove files and folders.
    case write
    /// To list folders, to make and remove empty ones, and to give a folder another name beside its old one.
    case moveFolders
    /// To use a device, such as a terminal.
    case device
    /// To start this program.
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

  /// The rights that any program needs: its libraries, the system's tables, the terminal that asks for a secret.
  public init() {
    // The runtime reads of its own threads in /proc. Other processes' memory and open files stay closed there.
    let readable = [
      "/usr", "/lib", "/lib64", "/proc", "/sys/devices/system/cpu", "/sys/fs/cgroup", "/etc/ld.so.cache",
      "/etc/localtime", "/etc/nsswitch.conf", "/etc/passwd", "/etc/group", "/etc/ssl/openssl.cnf",
      "/dev/random",
      "/dev/urandom",
    ]
    for path in readable { allow(.read, path) }
    for path in ["/dev/null", "/dev/tty"] { allow(.device, path) }
  }

  /// Adds a right to what a path names when the sandbox is entered; one that is not there then gives none.
  public mutating func allow(_ right: Right, _ path: some PathBytes) { rules.append((path.pathBytes, right)) }

  /// Adds the right to start programs, and what the kernel loads them with.
  public mutating func allowRunning(_ programs: [String]) {
    for path in programs + ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"] { allow(.run, path) }
  }

  /// Adds the right to list a folder and to read the files directly in it that are there now.
  ///
  /// - Parameters:
  ///   - folder: the folder's path; one that is not there gives no right.
  ///   - isIncluded: whether a file is among them, by its name.
  public mutating func allowReadingFiles(of folder: String, where isIncluded: (String) -> Bool) {
    allow(.list, folder)
    for entry in (try? Directory.open(folder).list()) ?? [] where entry.kind == .file {
      guard isIncluded(String(decoding: entry.name, as: UTF8.self)) else { continue }
      allow(.read, Array("\(folder)/".utf8) + entry.name)
    }
  }
}

/// The kernel's Landlock: a process gives up rights, and nothing that it does brings them back.
public enum Sandbox {
  /// The version of the kernel's interface; nil where the kernel has none, or does not let it be used.
  public static var version: Int? {
    let version = fueki_landlock_version()
    return version > 0 ? Int(version) : nil
  }

  /// Gives up all rights but those of the rules, for this process and all threads that it starts from now on.
  ///
  /// A thread keeps the rights that it began with: no thread may have been started before, but for the one that watches
  /// slow file systems, which is ended here, and starts again when it is needed.
  ///
  /// - Returns: false where the kernel has no Landlock, and nothing was given up.
  /// - Throws: what the kernel refuses.
  public static func enter(_ rules: SandboxRules) throws(SystemError) -> Bool {
    guard version != nil else { return false }
    let ruleset = try systemCall("landlock_create_ruleset") { fueki_landlock_begin() }
    defer { _ = close(ruleset) }
    for (path, right) in rules.rules {
      guard let name = try? CPath(path) else { continue }
      // What cannot be allowed stays forbidden, and whoever needs it says so.
      _ = StallWatch.during(name.text) {
        unsafe name.withPointer { unsafe fueki_landlock_allow(ruleset, $0, right.value) }
      }
    }
    StallWatch.rest()
    _ = try systemCall("landlock_restrict_self") { fueki_landlock_enter(ruleset) }
    return true
  }
}
