internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `prune`: thins out old archives by rule.
struct PruneCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "prune",
    abstract: "Remove old archives by rule, after showing what stays and what goes.",
    discussion:
      "On a terminal it asks first. It never removes the newest archive that verifies, nor the last one with "
      + "a wallet, key or file. See fueki-backup-prune(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var retention: RetentionOptions
  @Flag(name: .withLetter(.dryRun), help: "Show what would go, and remove nothing.")
  var dryRun = false
  @Flag(name: .withLetter(.yes), help: "Remove without asking, on a terminal too.")
  var yes = false
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    guard !retention.rules.isEmpty else {
      throw CommandError.usage("prune needs a rule, such as --keep-daily 7: without one nothing is removed")
    }
    let configuration = try settings.load()
    let work: (RunFacts) throws -> Void = { try prune(configuration, $0, console) }
    guard !dryRun else { return try work(RunFacts()) }
    let hooked = HookedRun("prune", configuration, console)
    // Hooks need rights that a process gives up before reading archives.
    try sandbox.noSandbox ? hooked.run(work) : hooked.runApart(work)
  }

  private func prune(_ configuration: Configuration, _ facts: RunFacts, _ console: Console) throws {
    let targets = targets.targets(configuration)
    guard !targets.isEmpty else { throw NoTarget.failure("prune", configuration) }
    facts.targets = targets.map(\.path)
    let configuration = try sandbox.enter(needs(configuration), configuration, console)
    let vault = try configuration.pickedVaultID
    let state = try lock.take("prune", output)
    let isAsking = !yes && !dryRun && Terminal.isAvailable
    let lines = PruneLines(console: console, isTrial: dryRun, isAsking: isAsking)
    let progress = try output.progressLine
    defer { progress.clear() }
    let trust = try LostState(configuration, console)
      .trust(vault, in: targets, state.directory, TrustOptions.trust(configuration))
    var run = PruneRun(
      of: targets, by: retention.rules, trust: trust, now: SystemClock.now / 1_000_000,
      report: { try lines.show($0, progress) })
    run.vault = vault
    run.isTrial = dryRun
    if isAsking { run.consent = lines.ask }
    let outcome = try run.run(state: state)
    progress.clear()
    for failure in outcome.failures {
      console.warning("\(failure.path) was not changed: \(Failure(describing: failure.error).message)")
    }
    if output.json { Document.write(PruneDocument(outcome, isDryRun: dryRun)) }
    let vaults = Set(outcome.vaults.map(\.id))
    if vaults.count == 1 { facts.vault = vaults.first }
    if outcome.isDeclined { throw ExitStatus.interrupted }
    if outcome.isDamaged { throw ExitStatus.damaged }
    if outcome.isPartial { throw ExitStatus.partial }
  }
}
