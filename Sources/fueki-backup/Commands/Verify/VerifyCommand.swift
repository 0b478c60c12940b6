public import ArgumentParser
internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem

/// `verify`: whether archives are as they were written, in CI with no secret.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Check archives: structure, every byte, or, with a secret, every record.",
    discussion: "The exit status is that of the worst archive. See fueki-backup-verify(1).")

  @Argument(
    help: ArgumentHelp("Archives, folders with archives, or - for standard input.", valueName: "archive"),
    completion: .file())
  var archives: [String] = []
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @Option(help: ArgumentHelp("structure, checksums or contents.", valueName: "depth"))
  var depth = VerificationDepth.checksums
  @OptionGroup var trust: TrustOptions
  @Option(
    help: .known)
  var known: [String] = []
  @Flag(
    help: ArgumentHelp(
      "Fail if a number is missing or appears twice, or if a name and its file disagree on the number.",
      visibility: .more))
  var complete = false
  @Option(
    help: ArgumentHelp("Write a report for CI: junit=FILE.", valueName: "junit=file", visibility: .more),
    completion: .list(["junit="]))
  var report: String?
  @Option(
    help: ArgumentHelp(
      "Verify one of several parts of a folder's archives: 3/16.", valueName: "k/n", visibility: .more))
  var shard: ShardArgument?
  @OptionGroup var search: RecursiveOptions
  @OptionGroup var expected: ExpectedOptions
  @Option(help: .maxAgeOfVaults)
  var maxAge: DurationArgument?
  @Flag(help: ArgumentHelp("Show only archives that fail.", visibility: .more))
  var problemsOnly = false
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    // Without an archive, the targets of a list are verified.
    let hasFolders = !archives.isEmpty || expected.isUsed
    guard shard == nil || hasFolders else {
      throw ValidationError("--shard divides a folder's archives: name the folder")
    }
    guard !search.recursive || hasFolders else {
      throw ValidationError("--recursive searches folders: name one")
    }
    guard !expected.isUsed || depth != .structure else {
      throw ValidationError("--expected is for depths that read every byte: checksums or contents")
    }
  }

  mutating func run() throws {
    FreedMemory.keepForReuse()
    if archives.contains(StandardInputArchive.name) {
      archives = try archives.map(StandardInputArchive.path)
    }
    let configuration = try settings.load()
    let console = output.console
    let list = try expected.list(configuration, console)
    let hasTargets = archives.isEmpty
    if hasTargets {
      let all = targets.targets(list, configuration)
      guard !all.isEmpty else { throw NoTarget.failure("verify", configuration) }
      archives = list == nil ? ["latest"] : all.map(\.path)
    }
    var expectation = list.map {
      ExpectedVerification(
        $0, expected.signature, roots: archives, hasTargets: hasTargets, isRecursive: search.recursive,
        shard: shard)
    }
    let hooked = HookedRun("verify", configuration, console)
    func work(_ facts: RunFacts) throws {
      let listings = TargetListings(
        keeping: depth == .structure ? nil : RemoteCopies(isForAll: shard == nil))
      if search.recursive {
        let names = { [search] in try search.names(of: $0, listings, console) }
        archives = try expectation?.readable(archives) { try names([$0]) } ?? names(archives)
      }
      try verify(configuration, expectation, facts, listings, console)
    }
    // Hooks need rights that a process gives up before reading archives.
    try sandbox.noSandbox ? hooked.run(work) : hooked.runApart(work)
  }

  private func verify(
    _ configuration: Configuration, _ expectation: ExpectedVerification?, _ facts: RunFacts,
    _ listings: TargetListings, _ console: Console
  ) throws {
    let start = SystemClock.now
    facts.targets = archives.filter { (try? Directory.open($0)) != nil }
    _ = try trust.demanded(configuration, checksSignatures: depth != .structure)
    let state = try? Places.state()
    // The sandbox makes the directory.
    let remembers = state?.exists ?? false
    if depth == .contents { try secrets.readGiven(console) }
    let parity = parityFolder(configuration)
    let configuration = try sandbox.enter(needs(configuration, parity), configuration, console)
    let report = try report.map(JUnitReport.path)
    if let report { try OutputFile.checkReplaceable(report) }
    var given = try KnownLinks(known)
    let checkpoints = try trust.checkpoints(trust.trust(configuration))
    for checkpoint in checkpoints { try given.add(checkpoint) }
    var expectation = expectation
    let names = try listed(listings, &expectation, configuration)
    let vaults = expectation?.vaults
    let looked = try names.map { try look(at: $0, listings, vaults, configuration, console) }
    let subjects = looked.flatMap(\.subjects)
    if let shard, subjects.isEmpty, looked.contains(where: { $0.left > 0 }) {
      console.note("part \(shard) has no archive: nothing was verified")
    }
    let verification = try verification(of: subjects, configuration, console)
    let progress = try output.progressLine
    var removed = looked.flatMap(\.removed)
    var ended: [VerificationResult] = []
    var run = VerifyRun(verification, trust: Trust(remembered: state?.vaults() ?? [:]), start: start) {
      event in
      switch event {
      case .verifying(let path): try progress.show("verifying \(path)")
      case .ended(let result):
        progress.clear()
        ended.append(result)
        guard !problemsOnly || result.verdict != .intact else { return }
        VerifyLines.print(
          result, console, failure: Self.failure(result, configuration), vault: vaults?.expected(of: result))
      case .removed(let path): removed.append(path)
      }
    }
    run.listings = listings
    run.given = given.links
    run.parity = parity
    run.state = remembers ? state : nil
    let records = VerifyRecords(
      state: state, depth: depth, trust: try trust.trust(configuration), start: start, looked: looked,
      listings: listings, console: console)
    let results: [VerificationResult]
    do {
      results = try run.run(on: subjects)
    } catch {
      let failure = records.keep(ended, of: subjects, run)
      throw Interrupted.isCause(of: error) && !subjects.isEmpty ? failure : error
    }
    do {
      try records.keepDamage(results)
    } catch {
      records.warn(of: error)
    }
    run.remember(
      results, of: archives == ["latest"] ? nil : looked.filter(\.isTarget).map(\.name))
    tell(results, to: facts)
    try conclude(results, of: looked, removed: removed, checkpoints, expectation, to: report, console)
  }

  /// The depth, with the secrets that open the archives if their contents are read.
  private func verification(
    of subjects: [VerifySubject], _ configuration: Configuration, _ console: Console
  ) throws -> Verification {
    var verification = Verification(depth: depth)
    verification.baseTargets = targets.targets(configuration)
    guard depth == .contents, !subjects.isEmpty else { return verification }
    verification.secrets =
      try asked(subjects).map {
        try secrets.unlocking($0, configuration.slotNames(of: $0), readsFiles: false, console)
      }
      ?? secrets.unlocking(console)
    return verification
  }

  /// Says what the results mean together, and ends with the exit status of the worst.
  ///
  /// The report for CI is written also if a subject is missing.
  private func conclude(
    _ results: [VerificationResult], of looked: [Looked], removed: [String],
    _ checkpoints: [SignedCheckpoint], _ expectation: ExpectedVerification?, to report: String?,
    _ console: Console
  ) throws {
    let vaults = expectation?.vaults
    let now = SystemClock.now / 1_000_000
    let judgement = expectation?.judge(results, in: looked.filter(\.isTarget).map(\.name), now: now)
    let unjudged = judgement?.unjudged ?? 0
    let isJudged = judgement?.verdicts.isEmpty == false || unjudged > 0
    let gaps = looked.flatMap(\.gaps)
    let missing = missingSubject(
      results, checkpoints, isJudged: isJudged, left: looked.map(\.left).reduce(0, +))
    let lateVaults = maxAge.map { Self.late(results, over: $0) }
    if let report {
      try JUnitReport(
        results, depth: depth, missing: missing?.message, gaps: complete ? gaps : [], late: lateVaults,
        vaults: vaults, verdicts: judgement?.verdicts ?? [], unjudged: unjudged
      ).write(to: report)
    }
    if let missing { throw missing }
    let late = lateVaults?.sentences ?? []
    let unread = expectation?.warnings ?? []
    let denied = looked.filter(\.isTarget).compactMap {
      DeniedArchives(of: $0.entries, in: Target(path: $0.name))
    }
    let warnings =
      denied.map { "\($0.sentence): \($0.hint)" } + removed.map(VerifyLines.removed) + gaps + late + unread
      + [judgement?.warning].compactMap(\.self)
    for sentence in warnings { console.warning(sentence) }
    if let judgement {
      ExpectedLines(console: console, isProblemsOnly: problemsOnly, readsAll: true)
        .print(judgement.verdicts, unjudged: unjudged)
    }
    let isIncomplete =
      complete && !gaps.isEmpty || !late.isEmpty || judgement?.isWell == false || !unread.isEmpty
    if output.json {
      Document.write([
        "schema": "fueki.verify/1",
        "archives": results.filter { !problemsOnly || $0.verdict != .intact }.map { $0.document(vaults) },
        "warnings": warnings,
        "shard": shard?.description,
        "expected": judgement?.verdicts.documents(problemsOnly: problemsOnly, now: now),
        "expectedSignature": expectation?.signature?.rawValue,
        "ok": !isIncomplete && results.allSatisfy { $0.verdict == .intact },
      ])
    }
    let worst = results.map { ExitStatus($0.verdict) }.filter { $0 != .done }
    if let first = worst.max(by: { Self.weight($0) < Self.weight($1) }) { throw first }
    if isIncomplete { throw ExitStatus.differs }
  }

  /// The vaults whose newest intact archive is too old.
  private static func late(_ results: [VerificationResult], over limit: DurationArgument) -> LateVaults {
    let intact = results.filter { $0.verdict == .intact && $0.ownership != .stranger }
    return LateVaults(
      intact.compactMap { result in result.facts.map { ($0, PathParts(result.path).name) } },
      limit: limit.seconds, now: SystemClock.now / 1_000_000)
  }

  /// The archive whose slots say what to ask for; nil for several archives that a passphrase may open.
  private func asked(_ subjects: [VerifySubject]) -> StoredArchive? {
    let all = subjects.lazy.compactMap { try? StoredArchive(at: $0.path) }
    guard subjects.count > 1 else { return all.first }
    let takesPassphrase = all.contains { stored in
      stored.slots.contains { $0.type == .passphrase || $0.type == .passphraseAndKeyFile }
    }
    return takesPassphrase ? nil : all.first
  }

  /// Passes the vault and the archive to hooks, if there is only one.
  private func tell(_ results: [VerificationResult], to facts: RunFacts) {
    let vaults = Set(results.compactMap { $0.facts?.vaultID })
    if vaults.count == 1 { facts.vault = vaults.first }
    if results.count == 1, let only = results.first {
      facts.note(archive: only.path, digest: only.digest, sequence: only.facts?.sequence)
    }
  }

  /// Returns the failure if no given secret opens an archive; nil for any other result.
  private static func failure(_ result: VerificationResult, _ configuration: Configuration) -> Failure? {
    guard let error = result.error, error == .wrongSecret, let stored = try? StoredArchive(at: result.path)
    else { return nil }
    return configuration.slotNames(of: stored).failure(error, stored)
  }

  /// Returns the failure of a missing subject: nothing of it was verified, which is no success; `left` archives are in
  /// other parts, and a list reports what is missing from it.
  private func missingSubject(
    _ results: [VerificationResult], _ checkpoints: [SignedCheckpoint], isJudged: Bool, left: Int
  ) -> Failure? {
    guard !results.isEmpty || left > 0 || isJudged else {
      return FindingError.noArchives(targets: archives).failure
    }
    let absent = checkpoints.map(\.vaultID).first { vault in
      shard?.contains(vault) ?? true && !results.contains { $0.facts?.vaultID == vault }
    }
    guard let absent else { return nil }
    return Failure(
      .notFound, "no archive here is of the checkpoint's vault, \(absent.hex)",
      meaning: "the archives were removed, or replaced by another vault's")
  }

  /// Deliberate changes outrank accidental damage.
  private static func weight(_ status: ExitStatus) -> Int {
    let order: [ExitStatus] = [
      .failed, .baseMissing, .notAnArchive, .incomplete, .older, .tooNew, .overLimit, .wrongSecret, .damaged,
      .untrusted,
      .forked,
      .forged,
    ]
    return order.firstIndex(of: status) ?? 0
  }
}

extension VerificationDepth: ExpressibleByArgument {}
