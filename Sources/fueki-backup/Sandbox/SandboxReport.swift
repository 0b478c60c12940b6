internal import FuekiCrypto
internal import FuekiSystem

/// Whether this run reads foreign bytes in a sandbox, for its warnings and its documents.
enum SandboxReport: Sendable, Equatable {
  /// In a sandbox, with this version of Landlock, and with a filter for system calls.
  case on(landlock: Int?, seccomp: Bool)
  case off(Absence)

  /// Why there is no sandbox, by the names that scripts see.
  enum Absence: String, Sendable {
    /// The user disabled it.
    case option
    /// The kernel has no Landlock.
    case kernel
    /// An age plugin provides keys.
    case plugins
    /// rclone reads the archives.
    case remote
    /// The command starts programs, opens connections or writes in many places.
    case command

    /// The reason, in words; nil for a reason that the user or the command's page states.
    var words: String? {
      switch self {
      case .option, .command: nil
      case .kernel: "the kernel has no Landlock"
      case .plugins: "an age plugin is another program"
      case .remote: "rclone reads the remote"
      }
    }
  }

  private static let state = Locked<SandboxReport>(.off(.command))

  static var current: SandboxReport { state.withLock { $0 } }

  static func record(_ report: SandboxReport, _ console: Console) {
    let isNew = state.withLock { state in
      defer { state = report }
      return state != report
    }
    guard isNew else { return }
    switch report {
    case .on(let version?, let isFiltered):
      console.detail("in a sandbox (Landlock \(version)\(isFiltered ? ", seccomp" : ""))")
      if !isFiltered {
        console.warning(
          "half a sandbox: the kernel has no seccomp. The reader of files that a stranger may have written can call "
            + "the system as it likes")
      }
    case .on(nil, let isFiltered):
      console.warning(
        "\(isFiltered ? "half a" : "no") sandbox: the kernel has no Landlock\(isFiltered ? "" : " and no seccomp"). "
          + "The reader of files that a stranger may have written can read all of yours")
    case .off(let absence):
      guard let words = absence.words else { return }
      let text = "no sandbox: \(words). Files that a stranger may have written are read with all rights"
      // That is so on every night, and a mail from cron would say nothing else.
      if absence == .remote { console.note(text) } else { console.warning(text) }
    }
  }
}

/// The members that every document has: how well this run was shielded.
struct ShieldDocument: Encodable {
  private struct Sandbox: Encodable {
    let on: Bool
    let landlock: Int?
    let seccomp: Bool?
    let reason: String?
  }

  private let sandbox: Sandbox
  /// False if the system refused to lock memory with secrets of this run; else absent.
  private let memoryLocked: Bool?

  init() {
    sandbox =
      switch SandboxReport.current {
      case .on(let version, let isFiltered):
        Sandbox(
          on: version != nil, landlock: version, seccomp: isFiltered,
          reason: version == nil ? SandboxReport.Absence.kernel.rawValue : nil)
      case .off(let absence): Sandbox(on: false, landlock: nil, seccomp: nil, reason: absence.rawValue)
      }
    memoryLocked = SecretBytes.lockedMemoryWasRefused ? false : nil
  }
}

/// Warns at the end of a run whose secrets could reach the swap space.
enum MemoryLockWarning {
  static func print() {
    guard SecretBytes.lockedMemoryWasRefused else { return }
    let limit = SystemHealth.lockableBytes.map(Readable.bytes) ?? "no limit"
    Console(isJSON: false, isQuiet: true, isVerbose: false).warning(
      "the system refused to lock memory (limit: \(limit)): secrets of this run could reach the swap space; "
        + "raise it with LimitMEMLOCK=64M in a unit, or memlock in /etc/security/limits.d")
  }
}
