internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiSystem

/// Whether a command that parses what strangers may have written gives up its rights before.
struct SandboxOptions: ParsableArguments {
  @Flag(
    help: ArgumentHelp(
      "Keep all rights while files are read that a stranger may have written.", visibility: .more))
  var noSandbox = false

  /// Gives up for good every right that the command does not need.
  ///
  /// Secrets have been read by now, and no thread has begun: a thread keeps the rights that it began with.
  ///
  /// - Returns: the configuration, with the facts that will no longer be accessible.
  /// - Throws: errors from reading those facts, and errors from the kernel.
  func enter(
    _ needs: SandboxNeeds, _ configuration: Configuration, _ console: Console
  ) throws -> Configuration {
    if let absence = noSandbox ? .option : needs.obstacle {
      SandboxReport.record(.off(absence), console)
      return configuration
    }
    let version = Sandbox.version
    let filtersCalls = ReaderBox.canFilterCalls
    guard version != nil || filtersCalls else {
      SandboxReport.record(.off(.kernel), console)
      return configuration
    }
    var (needs, configuration) = (needs, configuration)
    if needs.judgesArchives { try configuration.settle(followingState: needs.state == .write) }
    // A directory that cannot be made is reported when it is needed.
    if needs.makesState, let made = try? MadeFolders(Places.state().path) {
      needs.parents += [made.parent].compactMap(\.self)
      SandboxFolders.keep([made])
    }
    _ = try Sandbox.enter(needs.rules(configuration))
    SandboxReport.record(.on(landlock: version, seccomp: filtersCalls), console)
    return configuration
  }

  /// Returns the boxed processes that read other programs' files; nil with `--no-sandbox`.
  ///
  /// To be called before secrets are read and threads begin.
  func readers(_ console: Console, isJSON: Bool) -> Readers? {
    guard !noSandbox else {
      SandboxReport.record(.off(.option), console)
      return nil
    }
    return Readers(
      forkingNow: ReadingDeadline.limit, copier: WalletCopies.copier,
      sentence: { Failure(describing: $0).message },
      isReady: { box in
        SandboxReport.record(.on(landlock: box.landlock, seccomp: box.hasCallFilter), console)
      }, isStalled: { path, seconds in ReadingDeadline.giveUp(path, seconds, isJSON: isJSON) })
  }
}

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

/// How long a file system may take to answer before the run is given up.
enum ReadingDeadline {
  private static let seconds = 120.0

  /// Starts the deadline: from now on, a call that takes too long ends the run.
  ///
  /// The limit is `FUEKI_DEADLINE` seconds, or two minutes, for a call that reads, and ten times that for one that
  /// writes.
  static func start(isJSON: Bool) {
    StallWatch.start(limit: limit) { path, seconds in giveUp(path, seconds, isJSON: isJSON) }
  }

  /// How many seconds a call that reads may take.
  static var limit: Double {
    Environment.get("FUEKI_DEADLINE").flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil } ?? seconds
  }

  /// Ends the run because a path does not answer.
  static func giveUp(_ path: String, _ seconds: Double, isJSON: Bool) -> Never {
    let failure = Failure(
      .failed, "\(path) has not answered for \(Int(seconds)) seconds",
      meaning: "the run was given up. No half-written file was published",
      hint: "look at the mount or the network, or allow more time with FUEKI_DEADLINE=SECONDS")
    failure.print(isJSON: isJSON)
    ImmediateExit.exit(status: failure.status.rawValue)
  }
}
