internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// A run of a command, with all that the configuration wants done around it: hooks, and health checks.
struct HookedRun {
  /// The commands that have it.
  static let commands = ["create", "prune", "verify", "drill"]

  private let command: String
  private let hooks: HookSettings
  private let checks: [HealthCheck]
  private let vaultName: String?
  private let console: Console

  /// A run of one of ``commands``.
  init(_ command: String, _ configuration: Configuration, _ console: Console) {
    self.command = command
    hooks = configuration.hooks
    checks = configuration.healthChecks(of: command)
    vaultName = configuration.meant?.name?.text
    self.console = console
  }

  /// Runs the work, with the configured hooks and checks around it.
  ///
  /// A failing hook or check causes a warning, except for the hook `before`, whose preparations would be missing.
  ///
  /// The job remembers the ending before the hooks that follow.
  ///
  /// - Throws: the error of the work, or of the hook `before`.
  func run(remembering job: RememberedJob? = nil, _ work: (RunFacts) throws -> Void) throws {
    let facts = RunFacts()
    tell(.start)
    do {
      try begin(facts)
      try work(facts)
    } catch {
      job?.note(error)
      end(RunEnding(error), facts)
      throw error
    }
    job?.note(nil)
    end(.done, facts)
  }

  /// Does the work in a copy of this process, which gives up its rights, and before and after it, here, what the
  /// configuration says.
  ///
  /// To be called while the process has no other thread.
  func runApart(_ work: (RunFacts) throws -> Void) throws {
    guard !hooks.isEmpty || !checks.isEmpty else { return try work(RunFacts()) }
    let facts = RunFacts()
    let forked = try ForkedRun()
    guard !forked.isCopy else {
      forked.waitForBeginning()
      defer { forked.tell(facts.told(of: command)) }
      return try work(facts)
    }
    tell(.start)
    do {
      try begin(facts)
    } catch {
      end(RunEnding(error), facts)
      throw error
    }
    let (told, ending) = try forked.finish()
    facts.adopt(told)
    let status: ExitStatus =
      switch ending {
      case .exited(let code): ExitStatus(rawValue: code) ?? .failed
      case .killed: Interruption.wasRequested ? .interrupted : .failed
      }
    end(RunEnding(status), facts)
    try status.end()
  }

  private func begin(_ facts: RunFacts) throws {
    guard let problem = run(.before, facts, nil) else { return }
    guard !Interruption.wasRequested else { throw Interrupted() }
    throw Failure(
      .failed, "the hook \"before\" \(problem), so \(command) did not begin", meaning: "nothing was done",
      hint: "it is in \(hooks.place(.before)). Its output is above")
  }

  private func end(_ ending: RunEnding, _ facts: RunFacts) {
    let isDone = ending.status == 0
    // First, for a hook may take its time, or the network away.
    tell(isDone ? .success : .failure)
    for hook in [isDone ? Hook.after : .failed, .finally] {
      guard let problem = run(hook, facts, ending) else { continue }
      console.warning("the hook \"\(hook.rawValue)\" \(problem). It is in \(hooks.place(hook))")
    }
  }

  /// Runs a hook's command, if there is one.
  ///
  /// - Returns: what went wrong, as the rest of a sentence.
  private func run(_ hook: Hook, _ facts: RunFacts, _ ending: RunEnding?) -> String? {
    guard let text = hooks.command(hook) else { return nil }
    console.detail("running the hook \"\(hook.rawValue)\"")
    do {
      let variables = facts.variables(hook, of: command, vaultName: vaultName, ending)
      switch try ChildProcess.run(shell: text, withholding: RunFacts.isWithheld, adding: variables) {
      case .exited(0): return nil
      case let ending: return ending.sentence
      }
    } catch {
      return "cannot be run: \(error.sentence)"
    }
  }

  private func tell(_ moment: HealthCheck.Moment) {
    for check in checks {
      guard let problem = check.tell(moment) else { continue }
      console.warning("the health check at \(check.url) \(problem)")
    }
  }
}

/// A moment of a run at which a command of the user's runs.
enum Hook: String, CaseIterable {
  /// Before the work.
  ///
  /// If it fails, the work is not done.
  case before
  /// After all went well.
  case after
  /// After the exit status is another than 0.
  case failed
  /// At the end, however that was.
  case finally
}

/// The settings of `[hooks]`.
struct HookSettings {
  private var commands: [Hook: String] = [:]
  private var lines: [String: Int] = [:]
  private var file = ""

  init() {}

  init(_ entry: ConfigurationFile.Entry?, file: String) {
    self.file = file
    lines = entry?.lines ?? [:]
    for hook in Hook.allCases { commands[hook] = entry?.values[hook.rawValue]?.text }
  }

  var isEmpty: Bool { commands.isEmpty }

  /// The command for the shell.
  func command(_ hook: Hook) -> String? { commands[hook] }

  /// Returns the place of the command in the configuration.
  func place(_ hook: Hook) -> String { file + (lines[hook.rawValue].map { ", line \($0)" } ?? "") }
}

/// The facts of a run that its hooks receive.
///
/// None are secret.
final class RunFacts {
  /// The folders that the run looks at or writes to.
  var targets: [String] = []
  /// The vault's id.
  var vault: VaultID?
  /// The one archive that was made or looked at.
  private var archive: (path: String, digest: Digest?, sequence: UInt64?)?

  /// Notes the one archive that the run is about.
  func note(archive path: String, digest: Digest?, sequence: UInt64?) { archive = (path, digest, sequence) }

  /// The facts from the copy of this process that did the work, by the variables' names.
  private var adopted: [String: String] = [:]

  /// The facts as bytes, for the process that runs the hooks.
  func told(of command: String) -> [UInt8] {
    let values = variables(.finally, of: command, vaultName: nil, nil).filter { Self.isAboutArchives($0.key) }
    return Array(values.map { "\($0.key)=\($0.value)" }.joined(separator: "\0").utf8)
  }

  /// Takes over facts from the process that did the work.
  func adopt(_ told: [UInt8]) {
    for entry in told.split(separator: 0) {
      let name = String(decoding: entry.prefix { $0 != UInt8(ascii: "=") }, as: UTF8.self)
      guard Self.isAboutArchives(name) else { continue }
      adopted[name] = String(decoding: entry.dropFirst(name.utf8.count + 1), as: UTF8.self)
    }
  }

  private static func isAboutArchives(_ name: String) -> Bool {
    switch Variable(rawValue: name) {
    case .targets, .vault, .archive, .archiveID, .sequence: true
    case .hook, .command, .status, .errorID, .vaultName, nil: false
    }
  }

  /// Every variable that a hook may get, so that none of them is an outer run's.
  private enum Variable: String, CaseIterable {
    case hook = "FUEKI_HOOK"
    case command = "FUEKI_COMMAND"
    case status = "FUEKI_STATUS"
    case errorID = "FUEKI_ERROR_ID"
    case targets = "FUEKI_TARGETS"
    case vault = "FUEKI_VAULT"
    case vaultName = "FUEKI_VAULT_NAME"
    case archive = "FUEKI_ARCHIVE"
    case archiveID = "FUEKI_ARCHIVE_ID"
    case sequence = "FUEKI_SEQUENCE"
  }

  /// Returns a hook's variables, in addition to this program's own environment.
  func variables(_ hook: Hook, of command: String, vaultName: String?, _ ending: RunEnding?) -> [String:
    String]
  {
    let values: [Variable: String?] = [
      .hook: hook.rawValue, .command: command,
      .status: ending.map { String($0.status) }, .errorID: ending.flatMap(\.errorID),
      .targets: targets.isEmpty ? nil : targets.map(CurrentProcess.absolutePath).joined(separator: "\n"),
      .vault: vault.map(\.hex), .vaultName: vaultName,
      .archive: archive.map { CurrentProcess.absolutePath(of: $0.path) },
      .archiveID: archive?.digest?.hex, .sequence: archive?.sequence.map(String.init),
    ]
    var variables = adopted
    for case (let variable, let value?) in values { variables[variable.rawValue] = value }
    return variables
  }

  /// Returns whether a variable is withheld from hooks: it leads to a secret, or belongs to an outer run.
  static func isWithheld(_ name: String) -> Bool {
    (name.hasPrefix("FUEKI_") && name.contains("PASSPHRASE")) || name == "CREDENTIALS_DIRECTORY"
      || Variable(rawValue: name) != nil
  }
}

/// How a run ended.
struct RunEnding {
  let status: Int32
  /// The error's name in JSON; nil for a success.
  let errorID: String?

  static let done = RunEnding(status: 0, errorID: nil)

  private init(status: Int32, errorID: String?) {
    self.status = status
    self.errorID = errorID
  }

  /// The ending that an error of the command makes.
  init(_ error: any Error) {
    let status = error as? ExitStatus ?? Failure(describing: error).status
    self.init(status: status.rawValue, errorID: status == .done ? nil : status.id)
  }
}
