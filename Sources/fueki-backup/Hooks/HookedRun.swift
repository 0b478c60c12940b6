internal import FuekiBackup
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
  /// - Parameters:
  ///   - job: remembers the ending before the hooks that follow; nil without a memory.
  ///   - work: the work.
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
