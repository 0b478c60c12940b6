internal import FuekiCrypto
internal import FuekiSystem
internal import Synchronization

/// Whether this run reads foreign bytes in a sandbox, for its warnings and its documents.
enum SandboxReport: Sendable, Equatable {
  /// In a sandbox, with this version of the kernel's interface.
  case on(landlock: Int)
  case off(Absence)

  /// Why there is no sandbox, by the names that scripts see.
  enum Absence: String, Sendable {
    /// The person asked for none.
    case option
    /// The kernel has no Landlock.
    case kernel
    /// Hooks or health checks run around the command.
    case hooks
    /// An age plugin is asked for keys.
    case plugins
    /// rclone reads the archives.
    case remote
    /// The command starts programs, opens connections or writes in many places.
    case command

    /// The reason, in words; nil for those that the person or the command's page gives.
    var words: String? {
      switch self {
      case .option, .command: nil
      case .kernel: "the kernel has no Landlock"
      case .hooks: "hooks and health checks run programs and open connections"
      case .plugins: "an age plugin is another program"
      case .remote: "rclone reads the remote"
      }
    }
  }

  private static let state = Mutex<SandboxReport>(.off(.command))

  static var current: SandboxReport { state.withLock { $0 } }

  static func record(_ report: SandboxReport, _ console: Console) {
    state.withLock { $0 = report }
    switch report {
    case .on(let version): console.detail("in a sandbox (Landlock \(version))")
    case .off(let absence):
      guard let words = absence.words else { return }
      console.warning(
        "no sandbox: \(words); files that a stranger may have written are read with all rights")
    }
  }
}

/// The members that every document has: how well this run was shielded.
struct ShieldDocument: Encodable {
  private struct Sandbox: Encodable {
    let on: Bool
    let landlock: Int?
    let reason: String?
  }

  private let sandbox: Sandbox
  /// False if the system refused to lock memory with secrets of this run; else absent.
  private let memoryLocked: Bool?

  enum CodingKeys: String, CodingKey {
    case sandbox
    case memoryLocked = "memory_locked"
  }

  init() {
    sandbox =
      switch SandboxReport.current {
      case .on(let version): Sandbox(on: true, landlock: version, reason: nil)
      case .off(let absence): Sandbox(on: false, landlock: nil, reason: absence.rawValue)
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
