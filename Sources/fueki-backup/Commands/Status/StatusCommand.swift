internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `status`: reports the last activities per target and vault, and whether they are too old.
struct StatusCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Say when archives were last made and checked, and fail if that is too long ago.")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("Fail if the last archive is older than this: 26h, 2d.", valueName: "duration"))
  var maxAge: DurationArgument?
  @Option(help: ArgumentHelp("Fail if the last verification is older than this.", valueName: "duration"))
  var maxVerifyAge: DurationArgument?
  @Option(help: ArgumentHelp("Fail if the last drill is older than this.", valueName: "duration"))
  var maxDrillAge: DurationArgument?
  @Option(
    help: ArgumentHelp("Also write a page to look at, with no secret in it.", valueName: "file"),
    completion: .file())
  var html: String?
  @Option(
    help: ArgumentHelp("Also write metrics, as Prometheus's node exporter reads them.", valueName: "file"),
    completion: .file())
  var prometheus: String?
  @Option(
    help: ArgumentHelp("Also write a report for CI: junit=FILE.", valueName: "junit=file"),
    completion: .list(["junit="]))
  var report: String?
  @Flag(help: "Show only what has a problem.")
  var problemsOnly = false
  @OptionGroup var search: RecursiveOptions
  @OptionGroup var expected: ExpectedOptions
  @OptionGroup var newList: NewListOptions
  @OptionGroup(title: "Which archives the page shows as kept", visibility: .more) var retention:
    RetentionOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard html != nil || retention.rules.isEmpty else {
      throw ValidationError(
        "rules such as --keep-daily are for the page: use --html FILE. \"fueki-backup prune\" applies them")
    }
  }

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    let list = try expected.list(loaded, console)
    let signature = expected.signature
    let roots = targets.targets(list, loaded)
    guard !roots.isEmpty else { throw NoTarget.failure("status", loaded) }
    for path in try [html, prometheus, self.report.map(JUnitReport.path)].compactMap(\.self) {
      try OutputFile.checkReplaceable(AbsolutePath.of(path))
    }
    if let path = newList.writeExpected { try OutputFile.checkFree(AbsolutePath.of(path)) }
    let secrets = SecretTrial.Candidates(loaded)
    // With targets or a list given, the machine may only watch others.
    let isOwn = targets.target.isEmpty && list == nil
    // The sandbox may not search the home.
    let uncovered = isOwn ? UncoveredWallets.find(loaded, try Places.state()) : nil
    let configuration = try sandbox.enter(needs(of: roots, secrets, loaded), loaded, console)
    let state = try Places.state()
    let now = SystemClock.now / 1_000_000
    let failures = isOwn ? configuration.failedBackups(of: settings.place, in: state, now: now) : []
    let past = (try? state.activity()) ?? []
    let listings = try search.listings(of: roots, past: past, console)
    let (trust, open, _) = try LostState(configuration, console).trust(
      TrustOptions.trust(configuration), of: listings.flatMap(\.readable).compactMap(\.archive), state)
    var reports = try judgement(configuration, state, trust, now).run(on: listings)
    let trial = SecretTrial(secrets, configuration, reports.flatMap(\.own))
    reports = reports.map { target in
      target.adding { vault in (vault.newest.map(trial.problems) ?? []).map(StatusProblem.stated) }
    }
    if isOwn {
      WriteObstacles.add(to: &reports, listings.map(\.target), state)
      reports = reports.map { target in
        target.adding { vault in open[vault.vault].map { [.stated($0)] } ?? [] }
      }
    }
    if !reports.isEmpty {
      reports[0].problems += failures.map(StatusProblem.stated) + [uncovered?.problem].compactMap(\.self)
    }
    // An interrupted look would be mistaken for a target with a problem.
    guard !Interruption.wasRequested else { throw Interrupted() }
    let damaged = Dictionary(
      zip(listings, reports).map { ($0.target.place, $1.damaged) }, uniquingKeysWith: { $0.union($1) })
    let judged = try list?.judge(
      roots, isRecursive: search.recursive, listings, damaged: damaged, state.activity(), now: now)
    if let warning = judged?.warning { console.warning(warning) }
    var report = StatusReport(
      reports, expected: judged?.verdicts, unjudged: judged?.unjudged ?? 0, name: configuration.name)
    report.listSignature = signature
    report.uncovered = isOwn ? uncovered?.items ?? [] : nil
    try write(report, listings, trust, now, console)
    guard report.isWell else { throw ExitStatus.differs }
    guard report.isComplete else { throw ExitStatus.partial }
  }

  private func judgement(
    _ configuration: Configuration, _ state: StateDirectory, _ trust: Trust, _ now: Int64
  ) throws -> StatusRun {
    let others = OtherMachineSearch(configuration, state)
    var run = StatusRun(state, trust: trust, now: now)
    run.limits = StatusRun.Limits(
      archive: maxAge?.seconds, verification: maxVerifyAge?.seconds, drill: maxDrillAge?.seconds)
    run.vault = try configuration.pickedVaultID
    run.configured = configuration.vaultIDs
    run.name = configuration.name
    run.otherMachine = others.find
    return run
  }

  private func write(
    _ report: StatusReport, _ listings: [TargetListing], _ trust: Trust, _ now: Int64, _ console: Console
  ) throws {
    if output.json { Document.write(report.document(problemsOnly: problemsOnly, now: now)) }
    if let html {
      let page = StatusPage(problemsOnly ? report.problemsOnly : report, keeping: retention.rules, now: now)
      try OutputFile.write(page.text, to: AbsolutePath.of(html), existing: .replaced)
    }
    if let file = try self.report.map(JUnitReport.path) {
      try JUnitReport(problemsOnly ? report.problemsOnly : report).write(to: AbsolutePath.of(file))
    }
    if let prometheus {
      let metrics = StatusMetrics(report, now: now)
      try OutputFile.update(metrics.text, at: AbsolutePath.of(prometheus), readers: 0o044)
    }
    StatusLines(console: console, now: now, isProblemsOnly: problemsOnly).print(report)
    try newList.write(listings, maxAge: maxAge, trust, console)
  }
}

/// The outcome of `status`: what its text, its documents and its exit status are made of.
struct StatusReport {
  var targets: [TargetStatus]
  /// The judgements by a list of expected vaults; nil without a list.
  var expected: [ExpectedVaults.Verdict]?
  /// The number of vaults in the list if none of them was judged; otherwise 0.
  let unjudged: Int
  /// The result of checking the list's signature; nil without a list.
  var listSignature: ListSignature?
  /// The wallets on this machine that are in no backup; nil if the run did not look for them.
  var uncovered: [UncoveredWallets.Item]?
  /// Returns a vault's name for display.
  let name: (VaultID) -> String?

  init(
    _ targets: [TargetStatus], expected: [ExpectedVaults.Verdict]? = nil, unjudged: Int = 0,
    name: @escaping (VaultID) -> String? = { _ in nil }
  ) {
    self.targets = targets
    self.expected = expected
    self.unjudged = unjudged
    self.name = name
  }

  var isWell: Bool {
    targets.allSatisfy(\.isWell) && (expected ?? []).allSatisfy(\.problems.isEmpty) && unjudged == 0
  }
  var isComplete: Bool { targets.allSatisfy(\.isComplete) }

  /// The same with only the targets and vaults that have problems or lack something.
  var problemsOnly: StatusReport {
    StatusReport(
      targets.filter { !$0.isFine }.map { $0.keepingVaults { !$0.isFine } },
      expected: expected?.filter { !$0.problems.isEmpty }, unjudged: unjudged, name: name)
  }

  /// The targets that need attention for another reason than what the list of expected vaults reports.
  var troubled: [TargetStatus] {
    let reported = (expected ?? []).filter { !$0.problems.isEmpty }
    let (places, vaults) = (Set(reported.compactMap { $0.expected?.target }), Set(reported.map(\.vault)))
    return targets.filter { target in
      guard !target.isFine else { return false }
      let isInList =
        target.problems.allSatisfy(\.isInVerdicts)
        && target.vaults.allSatisfy { vault in
          vault.isFine
            || vault.isComplete && vaults.contains(vault.vault) && vault.problems.allSatisfy(\.isInVerdicts)
        }
      return !isInList || !places.contains(Target(path: target.path).place)
    }
  }

  func sentences(_ problems: [StatusProblem]) -> [String] { problems.map { $0.sentence(name) } }
}

extension StatusProblem {
  /// Whether a list of expected vaults reports it, too: nothing can be read or is there, or the newest file is not whole.
  fileprivate var isInVerdicts: Bool {
    switch self {
    case .unreachable, .empty, .broken, .damaged, .noArchive: true
    default: false
    }
  }
}

extension TargetStatus {
  /// Whether neither it nor a vault in it needs attention.
  var isFine: Bool { isWell && isComplete }
}

extension VaultStatus {
  /// Whether it has no problem, lacks nothing, and no other machine has backed it up since.
  var isFine: Bool { problems.isEmpty && isComplete }

  /// Whether it lacks nothing, and no other machine has backed it up since.
  var isComplete: Bool { !lacksAnything && otherMachine == nil }
}

extension StatusReport {
  /// `status --json`, with ages at `now`, in seconds since 1970.
  fileprivate func document(problemsOnly isProblemsOnly: Bool, now: Int64) -> Members {
    let shown = isProblemsOnly ? problemsOnly : self
    return [
      "schema": "fueki.status/1",
      "targets": shown.targets.map { report in
        [
          "path": report.path,
          "vaults": report.vaults.map { $0.document(problems: shown.sentences($0.problems)) },
          "problems": shown.sentences(report.problems),
        ] as Members
      },
      "expected": shown.expected?.documents(now: now),
      "expectedSignature": listSignature?.rawValue,
      "uncovered": uncovered,
      "ok": isWell && isComplete,
    ]
  }
}

extension VaultStatus {
  fileprivate func document(problems: [String]) -> Members {
    let times = last.mapValues { Times.text(UInt64(max(0, $0))) }
    return [
      "vault": vault.hex,
      "label": name,
      "id": newest?.statedDigest.hex,
      "sequence": newest?.facts.sequence,
      "created": newest.map { Times.text($0.facts.created) },
      "create": times[.create],
      "verify": times[.verify],
      "drill": times[.drill],
      "prune": times[.prune],
      "kit": times[.kit],
      "failedDrill": failedDrill.map(Times.text),
      "failedVerify": failedVerification.map(Times.text),
      "missing": missing,
      "declinedKeys": declinedKeys.map(\.document),
      "wallets": findings.map(\.remembered),
      "files": placedFiles,
      "otherMachine": otherMachine?.document,
      "problems": problems,
    ]
  }
}
