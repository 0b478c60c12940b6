internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiSystem

/// `doctor`: finds tonight's failures while the user is present to fix them.
struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor", abstract: "Check this machine, its files and its targets, and say what to fix.",
    discussion: "Exit status: 0 all is well, or there are only warnings; 60 a check failed.")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var expected: ExpectedOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @Flag(
    help: ArgumentHelp("Enter the sandbox of verify, and try what it has to refuse.", visibility: .hidden))
  var trySandbox = false
  @Flag(
    help: ArgumentHelp("Enter the sandbox of restore, and try what it has to refuse.", visibility: .hidden))
  var tryRestoreSandbox = false
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var configuration = try settings.load()
    guard !trySandbox else {
      return try report(
        SandboxChecks.trial(sandbox, targets.targets(configuration), configuration, output.console))
    }
    guard !tryRestoreSandbox else {
      return try report(
        SandboxChecks.restoreTrial(
          sandbox, try data.path(configuration), targets.targets(configuration), configuration,
          output.console))
    }
    if expected.isUsed { return try report(watched(configuration)) }
    let vault = try configuration.vault()
    let places = PlaceChecks(
      console: output.console, keychain: keychain, vault: vault,
      endpointKeys: Set((configuration.endpoints + configuration.prices).compactMap(\.credentialKeychain))
        .sorted(),
      sourceCount: configuration.chosenSources.filter { $0.kind != SourceSettings.nothing }.count
        + (vault.from ?? []).filter { $0 != "store" }.count,
      isConfigured: !configuration.vaults.isEmpty)
    let (state, dataDirectory) = (try Places.state().path, try data.path(configuration))
    var checks = try Check.apart { [configuration] in
      MachineChecks.all(kdfMemoryKiB: UInt64(vault.kdfMemory ?? CostOptions.memory) << 10)
        + places.all(configuration: configuration.path, state: state, dataDirectory: dataDirectory)
        + WalletChecks.all(configuration)
        + [SealingChecks.check(vault), SealingChecks.plugins(vault)].compactMap(\.self)
    }
    guard places.makesBackups(dataDirectory, try Places.state()) else {
      // Nothing will be written to them.
      _ = try sandbox.enter(
        needs(watching: targets.targets(configuration), configuration), configuration, output.console)
      return try report(checks + targets.targets(configuration).map(WatcherChecks.target))
    }
    let secrets = SecretTrial.Candidates(configuration)
    configuration = try sandbox.enter(needs(secrets, configuration), configuration, output.console)
    let targets = targets.targets(configuration)
    checks += targets.map(TargetChecks.check)
    let archives = try targets.archives()
    let (trust, _, doubts) = try LostState(configuration, output.console)
      .trust(TrustOptions.trust(configuration), of: archives, Places.state())
    checks += doubts.sorted { $0.key < $1.key }.map { vault, doubt in
      .failed("vault \(vault.hex.prefix(8))", doubt)
    }
    checks += try failedBackups(configuration)
    checks += targets.compactMap { LineageChecks.check($0, trust) }
    checks += SecretChecks.all(secrets, targets, configuration, trust)
    checks += try ProgramChecks.all(targets, trust)
    checks += BaseChecks.all(targets, vault, trust)
    checks += targets.flatMap { SealingChecks.bases($0, targets, trust) }
    try report(checks)
  }

  private func failedBackups(_ configuration: Configuration) throws -> [Check] {
    try configuration.failedBackups(
      of: settings.place, in: Places.state(), now: SystemClock.now / 1_000_000
    ).map { .failed("last-backup", $0, remedy: "remove the cause, then: fueki-backup create") }
  }

  /// Checks a machine that watches the vaults in lists.
  private func watched(_ configuration: Configuration) throws -> [Check] {
    let state = try Places.state().path
    let lists = expected.expected.map { WatcherChecks.list(expected, $0, configuration) }
    let read = lists.compactMap(\.0)
    let list = read.count < lists.count ? nil : ExpectedVaults(read.flatMap(\.vaults))
    let checks = try Check.apart { MachineChecks.ofWatcher + [PlaceChecks.state(state)] } + lists.flatMap(\.1)
    let targets = targets.targets(list, configuration)
    _ = try sandbox.enter(needs(watching: targets, configuration), configuration, output.console)
    guard !targets.isEmpty || list == nil else {
      return checks + [
        .failed(
          "targets", "no vault in the list has a target",
          remedy: "add target = \"DIR\" to each, or use --target")
      ]
    }
    return checks + targets.map(WatcherChecks.target)
  }

  private func report(_ checks: [Check]) throws {
    let hasFailed = checks.contains { $0.result == .failed }
    if output.json {
      Document.write(["schema": "fueki.doctor/1", "ok": !hasFailed, "checks": checks])
    } else {
      // Print the problems to fix first.
      for result in [Check.Result.failed, .warning] {
        for check in checks where check.result == result { print(check) }
      }
      reportWell(checks.filter { $0.result == .ok })
    }
    if hasFailed { throw ExitStatus.differs }
  }

  /// Passed checks share one line, unless the user requests more.
  private func reportWell(_ checks: [Check]) {
    guard !output.verbose else { return checks.forEach(print) }
    guard !checks.isEmpty else { return }
    output.console.report(
      "\(Check.Result.ok.rawValue): \(Readable.count(checks.count, "check")), which -v lists")
  }

  private func print(_ check: Check) {
    let console = output.console
    let line = "\(check.result.rawValue): \(check.name): \(check.detail)"
    guard let remedy = check.remedy else { return console.report(line) }
    console.line(line)
    console.line("  hint: \(remedy)")
  }
}

/// One check of `doctor`: its result and, for a problem, the advice.
struct Check: Encodable {
  /// How well something is.
  enum Result: String, Encodable {
    case ok
    case warning
    case failed
  }

  let name: String
  let result: Result
  let detail: String
  let remedy: String?

  static func ok(_ name: String, _ detail: String) -> Check {
    Check(name: name, result: .ok, detail: detail, remedy: nil)
  }

  static func warning(_ name: String, _ detail: String, remedy: String) -> Check {
    Check(name: name, result: .warning, detail: detail, remedy: remedy)
  }

  static func failed(_ name: String, _ detail: String, remedy: String) -> Check {
    Check(name: name, result: .failed, detail: detail, remedy: remedy)
  }

  /// A check that could not be made, as its error's own sentence and hint say.
  static func failed(_ name: String, _ error: any Error) -> Check {
    let failure = Failure(describing: error)
    return .failed(name, failure.message, remedy: failure.hint ?? failure.meaning ?? "see the message")
  }
}

extension Check {
  /// Makes checks in a copy of this process, so that no thread of theirs keeps the rights that this one gives up.
  ///
  /// - Throws: what the system refuses; ``Interrupted``.
  static func apart(_ checks: () -> [Check]) throws -> [Check] {
    var frame = ByteReader(
      try ForkedWork.answer {
        var frame = FrameWriter()
        for check in checks() {
          for text in [check.name, check.result.rawValue, check.detail] { frame.add(text) }
          frame.add(optional: check.remedy.map { Array($0.utf8) })
        }
        return frame.bytes
      })
    var made: [Check] = []
    while frame.remaining > 0 { made.append(try Check(from: &frame)) }
    return made
  }

  private init(from frame: inout ByteReader) throws {
    let (name, result) = (try frame.nextText(), Result(rawValue: try frame.nextText()))
    guard let result else { throw SystemError.ended(call: "read", path: "pipe") }
    self.init(
      name: name, result: result, detail: try frame.nextText(),
      remedy: try frame.nextOptional().map { String(decoding: $0, as: UTF8.self) })
  }
}
