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
  @OptionGroup var reverification: ReverifyOptions
  @OptionGroup var search: RecursiveOptions
  @Option(help: .maxAgeOfVaults)
  var maxAge: DurationArgument?
  @Flag(help: ArgumentHelp("Show only archives that fail.", visibility: .more))
  var problemsOnly = false
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard shard == nil || !archives.isEmpty else {
      throw ValidationError("--shard divides a folder's archives: name the folder")
    }
    guard reverification.reverify == nil || !archives.isEmpty else {
      throw ValidationError("--reverify records the archives in folders: name one")
    }
    guard reverification.reverify == nil || depth != .structure else {
      throw ValidationError("--reverify is for depths that read every byte: checksums or contents")
    }
    guard !search.recursive || !archives.isEmpty else {
      throw ValidationError("--recursive searches folders: name one")
    }
  }

  func run() throws {
    FreedMemory.keepForReuse()
    guard !archives.contains(StandardInputArchive.name) else {
      var named = self
      named.archives = try archives.map(StandardInputArchive.path)
      return try named.run()
    }
    let console = output.console
    let configuration = try settings.load()
    guard !archives.isEmpty else {
      guard !targets.targets(configuration).isEmpty else {
        throw NoTarget.failure("verify", configuration)
      }
      var newest = self
      newest.archives = ["latest"]
      return try newest.run()
    }
    let hooked = HookedRun("verify", configuration, console)
    let work: (RunFacts) throws -> Void = { facts in
      // A part verifies few of the listed archives.
      let readsAll = depth != .structure && shard == nil && !reverification.isUsed
      let listings = TargetListings(keeping: readsAll ? RemoteCopies() : nil, hasTags: reverification.isUsed)
      var command = self
      if search.recursive { command.archives = try search.names(of: archives, listings, console) }
      try command.verify(configuration, facts, listings, console)
    }
    // Hooks need rights that a process gives up before reading archives.
    try sandbox.noSandbox ? hooked.run(work) : hooked.runApart(work)
  }

  private func verify(
    _ configuration: Configuration, _ facts: RunFacts, _ listings: TargetListings, _ console: Console
  ) throws {
    facts.targets = archives.filter { (try? Directory.open($0)) != nil }
    _ = try trust.demanded(configuration, checksSignatures: depth != .structure)
    if depth == .contents { try secrets.readGiven(console) }
    let parity = parityFolder(configuration)
    let configuration = try sandbox.enter(needs(configuration, parity), configuration, console)
    let report = try report.map(JUnitReport.path)
    var given = try KnownLinks(known)
    let checkpoint = try trust.checkpoint(trust.trust(configuration))
    if let checkpoint { try given.add(checkpoint) }
    var memory = try reverification.memory(depth, console)
    let looked = try archives.map { try look(at: $0, listings, &memory, configuration, console) }
    let subjects = looked.flatMap(\.subjects)
    if let shard, subjects.isEmpty, looked.contains(where: { $0.left > 0 }) {
      console.note("part \(shard) has no archive: nothing was verified")
    }
    let gaps = looked.flatMap(\.gaps)
    var verification = Verification(depth: depth)
    verification.baseTargets = targets.targets(configuration)
    if depth == .contents, !subjects.isEmpty {
      verification.secrets =
        try asked(subjects).map {
          try secrets.unlocking($0, configuration.slotNames(of: $0), readsFiles: false, console)
        }
        ?? secrets.unlocking(console)
    }
    let progress = try output.progressLine
    let state = try? Places.state()
    var removed = looked.flatMap(\.removed)
    var ended: [VerificationResult] = []
    var run = VerifyRun(verification, trust: Trust(remembered: state?.vaults() ?? [:])) {
      event in
      switch event {
      case .verifying(let path): try progress.show("verifying \(path)")
      case .ended(let result):
        progress.clear()
        ended.append(result)
        guard !problemsOnly || result.verdict != .intact else { return }
        VerifyLines.print(result, console, failure: Self.failure(result, configuration))
      case .removed(let path): removed.append(path)
      }
    }
    run.listings = listings
    run.given = given.links
    run.parity = parity
    run.state = state
    let results: [VerificationResult]
    do {
      results = try run.run(on: subjects)
    } catch {
      // The next run need not repeat the work of an interrupted one.
      try? memory?.keep(ended, of: subjects)
      throw error
    }
    let reread = reverification.record(results, of: subjects, memory, console)
    run.remember(
      results, of: archives == ["latest"] ? nil : looked.filter(\.isTarget).map(\.name))
    tell(results, to: facts)
    let missing = missingSubject(results, checkpoint, left: looked.map(\.left).reduce(0, +))
    let lateVaults = maxAge.map { Self.late(results, over: $0) }
    if let reread { ReverifyLines.print(reread, console) }
    if let report {
      try JUnitReport(
        results, depth: depth, missing: missing?.message, gaps: complete ? gaps : [], late: lateVaults
      ).write(to: report)
    }
    if let missing { throw missing }
    let late = lateVaults?.sentences ?? []
    let warnings = removed.map(VerifyLines.removed) + gaps + late
    for sentence in warnings { console.warning(sentence) }
    let isIncomplete = complete && !gaps.isEmpty || !late.isEmpty
    if output.json {
      Document.write(
        VerifyDocument(
          results, warnings: warnings, isIncomplete: isIncomplete, shard: shard?.description,
          reverify: reread, isProblemsOnly: problemsOnly))
    }
    let worst = results.map { ExitStatus($0.verdict) }.filter { $0 != .done }
    guard let first = worst.max(by: { Self.weight($0) < Self.weight($1) }) else {
      guard !isIncomplete else { throw ExitStatus.differs }
      return
    }
    throw first
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

  /// Returns the folder for trying recovery files; nil if none are near the archives.
  private func parityFolder(_ configuration: Configuration) -> ParityFolder? {
    let folders =
      archives.map { (try? Directory.open($0)) != nil ? $0 : Target(holding: $0).path }
      + targets.targets(configuration).filter { $0.kind != .rclone }.map(\.path)
    guard folders.contains(where: Parity.isAny) else { return nil }
    return try? ParityFolder()
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
  /// other parts.
  private func missingSubject(
    _ results: [VerificationResult], _ checkpoint: SignedCheckpoint?, left: Int
  ) -> Failure? {
    guard !results.isEmpty || left > 0 else {
      return Failure(FindingError.noArchives(targets: archives))
    }
    guard let checkpoint, shard?.contains(checkpoint.vaultID) ?? true,
      !results.contains(where: { $0.facts?.vaultID == checkpoint.vaultID })
    else { return nil }
    return Failure(
      .notFound, "no archive here is of the checkpoint's vault, \(checkpoint.vaultID.hex)",
      meaning: "the archives were removed, or replaced by another vault's")
  }

  /// An archive, or the contents of a target.
  private struct Looked {
    let name: String
    let isTarget: Bool
    let subjects: [VerifySubject]
    /// Sentences about a target's archives that do not fit together.
    var gaps: [String] = []
    /// The paths of archives that were removed while the target was read.
    var removed: [String] = []
    /// The number of archives in other parts.
    var left = 0
  }

  private func look(
    at name: String, _ listings: TargetListings, _ memory: inout Reverification?,
    _ configuration: Configuration, _ console: Console
  ) throws -> Looked {
    guard let all = try entries(of: name, listings) else {
      if shard != nil {
        throw CommandError.usage("--shard divides a folder's archives, and \(name) is no folder")
      }
      return Looked(name: name, isTarget: false, subjects: [try named(name, configuration, console)])
    }
    let entries = all.filter { shard?.contains($0) ?? true }
    let found = try VerifySubject.all(
      of: entries, trust: try trust.trust(configuration).readable,
      demanded: try trust.demanded(configuration), takesAnySigner: trust.takesAny)
    let target = Target(path: name)
    memory?.note(all, of: target)
    let subjects =
      memory?.recall(
        found.subjects, of: entries, in: target, baseTargets: targets.targets(configuration), listings)
      ?? found.subjects
    return Looked(
      name: name, isTarget: true, subjects: subjects, gaps: found.gaps.sentences,
      removed: entries.filter { $0.state == .removed }.map(\.path), left: all.count - entries.count)
  }

  /// A file that is unreadable as an archive still gets a verdict.
  private func named(
    _ name: String, _ configuration: Configuration, _ console: Console
  ) throws -> VerifySubject {
    let targets = targets.targets(configuration)
    do {
      let found = try FoundArchive(name, in: targets, trust, configuration, console)
      return VerifySubject(named: found.path, ownership: found.ownership, trusted: try found.trusted)
    } catch let error where error is ArchiveError || error is SystemError {
      let path = try ArchiveFinder(targets: targets).path(of: name)
      return VerifySubject(named: path, ownership: nil, trusted: try trust.demanded(configuration))
    }
  }

  /// Returns the contents of a target; nil if the name is no target's.
  private func entries(of name: String, _ listings: TargetListings) throws -> [TargetEntry]? {
    do {
      return try listings.list(Target(path: name))
    } catch TargetError.noTarget {
      return nil
    }
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
