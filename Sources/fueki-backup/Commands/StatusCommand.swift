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
  @Option(help: ArgumentHelp("Fail if the last archive is older than this: 36h, 2d.", valueName: "duration"))
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
    let targets = targets.targets(loaded)
    guard !targets.isEmpty else { throw NoTarget.failure("status", loaded) }
    let secrets = SecretTrial.Candidates(loaded)
    let configuration = try sandbox.enter(needs(secrets, loaded), loaded, console)
    let state = try Places.state()
    let now = SystemClock.now / 1_000_000
    let vault = try configuration.pickedVaultID
    let past = (try? state.activity()) ?? []
    let listed = targets.map { target in (target, Result { try Self.entries(in: target, past) }) }
    let trust = try LostState(configuration, console).trust(
      TrustOptions.trust(configuration),
      of: listed.compactMap { try? $1.get() }.flatMap(\.self).compactMap(\.archive), state)
    let found = listed.map { target, entries in
      (target, Result { try Self.look(at: target, entries.get(), trust, state, now) })
    }
    let trial = SecretTrial(
      secrets, configuration, found.compactMap { try? $1.get() }.flatMap { $0.tried(trust) })
    let others = OtherMachineSearch(configuration, state)
    // The verifications that this took are in it.
    let activity = try state.activity()
    let lags = LagSearch(found.map { ($0.path, (try? $1.get())?.entries ?? []) }, trust, activity, state)
    var reports = found.map { target, found in
      report(target, only: vault, configuration, found, activity, trust, lags, trial, others, now)
    }
    // A target that an option names may be another machine's, which only reads it here.
    if self.targets.target.isEmpty { WriteObstacles.add(to: &reports, targets, state) }
    // An interrupted look would be mistaken for a target with a problem.
    guard !Interruption.wasRequested else { throw Interrupted() }
    if output.json { Document.write(StatusDocument(reports)) }
    if let html {
      let page = StatusPage(reports, keeping: retention.rules, now: now)
      try OutputFile.write(page.text, to: AbsolutePath.of(html), existing: .replaced)
    }
    if let prometheus {
      let metrics = StatusMetrics(reports, now: now)
      try OutputFile.update(metrics.text, at: AbsolutePath.of(prometheus), readers: 0o044)
    }
    StatusLines(console: console, now: now).print(reports)
    guard reports.allSatisfy(\.isWell) else { throw ExitStatus.differs }
    guard reports.allSatisfy(\.isComplete) else { throw ExitStatus.partial }
  }

  /// Lists a target.
  ///
  /// A folder without archives may be where the disk of the archives is not mounted.
  private static func entries(in target: Target, _ past: [Activity]) throws -> [TargetEntry] {
    let entries = try target.entries()
    if !entries.contains(where: { $0.archive != nil }) { try target.checkMount(past) }
    return entries
  }

  /// Reports on a target.
  ///
  /// A vault that the configuration has backed up there, but that has no archive, is missing.
  private func report(
    _ target: Target, only vault: VaultID?, _ configuration: Configuration,
    _ looked: Result<LookedAt, any Error>, _ activity: [Activity], _ trust: Trust, _ lags: LagSearch,
    _ trial: SecretTrial, _ others: OtherMachineSearch, _ now: Int64
  ) -> TargetStatus {
    let own = activity.filter { $0.target == target.place }
    let found: LookedAt
    do {
      found = try looked.get()
    } catch {
      let absent = AbsentTarget(own, name: configuration.name)
      return TargetStatus(path: target.path, vaults: [], problems: [absent.sentence(about: error)])
    }
    let archives = found.entries.compactMap(\.archive)
    let strangers = archives.filter { found.ownerships[$0] == .stranger }
    let known = archives.filter { found.ownerships[$0] != .stranger }.map { $0.facts.vaultID.hex }
    let all = Set(known).union(own.map(\.vault)).union(strangers.map { $0.facts.vaultID.hex })
    let meant = vault.map { all.intersection([$0.hex]) } ?? all
    let configured = configuration.vaultIDs(in: target).map(\.hex)
    let vaults = meant.isEmpty ? [] : meant.union(configured).sorted()
    let problems = vaults.isEmpty ? ["no archive was ever made here"] : []
    return TargetStatus(
      path: target.path,
      vaults: vaults.map { vault in
        let name = VaultID(hex: vault).flatMap(configuration.name)
        let lag = lags.lag(of: vault, in: target)
        return status(of: vault, named: name, own, found, trust, lag, trial, others, now)
      }, problems: problems, entries: found.entries)
  }

  private func status(
    of vault: String, named name: String?, _ activity: [Activity], _ found: LookedAt, _ trust: Trust,
    _ lag: TargetLag?, _ trial: SecretTrial, _ others: OtherMachineSearch, _ now: Int64
  ) -> VaultStatus {
    let whole = found.entries.filter {
      ($0.state == .complete || $0.state == .conflictCopy)
        && $0.archive.map { $0.facts.vaultID.hex } == vault
    }
    let mine = whole.filter { $0.archive.map { found.ownerships[$0] } == .mine }
    // Without knowledge of the vault, a machine can only report the archives in the target.
    let isKnown = ((try? VaultID(hex: vault).map(trust.of)?.isKnown) ?? nil) ?? false
    let archives = isKnown ? mine : whole.filter { $0.archive.map { found.ownerships[$0] } == .unknown }
    let newestEntry = archives.max {
      ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0)
    }
    let newest = newestEntry?.archive
    let last = Dictionary(activity.filter { $0.vault == vault }.map { ($0.kind, $0) }) { $1 }
    var problems: [String] = []
    let isThere = archives.contains { $0.archive?.statedDigest.hex == last[.create]?.archive }
    if let made = last[.create]?.archive, !isThere,
      newest?.facts.sequence ?? 0 <= last[.create]?.sequence ?? 0
    {
      problems.append(
        "archive \(made.prefix(12)), which was last made here, is gone. If you did not remove it, look for it on your "
          + "other disks, or make a new one: fueki-backup create")
    }
    if newest != nil, let lag { problems.append(lag.sentence) }
    if newest == nil {
      problems.append("there is no whole archive" + (isKnown && !whole.isEmpty ? " of yours" : ""))
    }
    if let newest, found.damaged.contains(newest.statedDigest) {
      problems.append("the newest archive, \(newest.statedDigest.shortID), is damaged: make a new one")
    }
    problems += newest.map(trial.problems) ?? []
    // Another machine's archive has only its header's date, which may be anything up to now.
    let made = last[.create]?.time ?? newest.map { min(Int64(clamping: $0.facts.created), now) }
    problems += tooOld("the last archive", made, maxAge, now)
    problems += tooOld("the last verification", last[.verify]?.time, maxVerifyAge, now)
    problems += tooOld("the last drill that went well", last[.drill]?.time, maxDrillAge, now)
    let failedDrill = Self.failedDrill(of: vault, &problems)
    return VaultStatus(
      vault: vault, name: name ?? newestEntry.flatMap { FoundVault.label(of: $0.name) }, newest: newest,
      made: made, last: last.mapValues(\.time), failedDrill: failedDrill,
      missing: Self.missing(in: newest, of: vault, &problems),
      declinedKeys: Self.declinedKeys(in: newest, of: vault),
      findings: Self.findings(in: newest, of: vault, &problems),
      placedFiles: Self.placedFiles(in: newest, of: vault),
      otherMachine: others.find(vault, among: found.entries, found.ownerships), problems: problems)
  }

  /// The contents of a target, their owners, and the damaged ones among the newest.
  private struct LookedAt {
    let entries: [TargetEntry]
    let ownerships: Ownerships
    let damaged: Set<Digest>

    /// The archives that a nightly backup must open: the user's, and those of a vault that this machine does not know.
    func tried(_ trust: Trust) -> [StoredArchive] {
      entries.compactMap(\.archive).filter { archive in
        let isKnown = (try? trust.of(archive.facts.vaultID).isKnown) ?? true
        return ownerships[archive] == (isKnown ? .mine : .unknown)
      }
    }
  }

  /// Judges a target's archives, and reads the newest one of each vault unless that was done within the last day; on a
  /// remote that is left to `verify` and `create`, which say so.
  private static func look(
    at target: Target, _ entries: [TargetEntry], _ trust: Trust, _ state: StateDirectory, _ now: Int64
  ) throws -> LookedAt {
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    var damaged: Set<Digest> = []
    let mine = entries.filter { $0.archive.map { ownerships[$0] } == .mine }
    for case (let vault?, let group) in Dictionary(grouping: mine, by: { $0.archive?.facts.vaultID })
    where target.kind != .rclone {
      let newest = group.max { ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0) }
      guard let digest = newest?.archive?.statedDigest else { continue }
      let files = group.filter { $0.archive?.statedDigest == digest }
      let check = DailyCheck(state: state, vault: vault, target: target)
      if try !check.isWhole(files, { _ in }) { damaged.insert(digest) }
    }
    return LookedAt(entries: entries, ownerships: ownerships, damaged: damaged)
  }

  /// When a drill went wrong, which stays a problem until one goes well.
  private static func failedDrill(of vault: String, _ problems: inout [String]) -> Int64? {
    do {
      guard let id = VaultID(hex: vault), let drill = try Places.state().drill(of: id),
        drill.result == .differs
      else { return nil }
      problems.append(
        "the last drill, of \(drill.digest.shortID), found that what came back differs from the archive")
      return Int64(clamping: drill.time)
    } catch {
      problems.append(Failure(describing: error).message)
      return nil
    }
  }

  /// Returns the newest archive's gaps that this machine knows: data that its sources held, or that earlier archives
  /// have.
  private static func missing(
    in newest: StoredArchive?, of vault: String, _ problems: inout [String]
  ) -> [String] {
    guard let newest, let id = VaultID(hex: vault) else { return [] }
    do {
      let state = try Places.state().vault(id)
      if let parts = state.emptied {
        let all = parts.map(\.sentence).joined(separator: ", ")
        problems.append("the last run made no archive, because the machine looks emptied: \(all)")
      }
      return state.missing(in: newest.statedDigest.hex) + (state.inventory?.losses ?? []).map(\.sentence)
    } catch {
      problems.append(Failure(describing: error).message)
      return []
    }
  }

  /// Returns this machine's findings on the backup of each wallet.
  ///
  /// A mismatch is a problem.
  private static func findings(
    in newest: StoredArchive?, of vault: String, _ problems: inout [String]
  ) -> [WalletFinding] {
    // An unreadable state was already reported with the gaps.
    guard let newest, let id = VaultID(hex: vault), let state = try? Places.state().vault(id) else {
      return []
    }
    let findings = state.findings(in: newest.statedDigest.hex)
    problems += findings.filter(\.isFaulty).map(\.line)
    return findings
  }

  /// The unencrypted keys that stay out by a decision, as far as this machine knows.
  private static func declinedKeys(in newest: StoredArchive?, of vault: String) -> [DeclinedKeys] {
    guard let newest, let id = VaultID(hex: vault) else { return [] }
    return (try? Places.state().vault(id))?.declinedKeys(in: newest.statedDigest.hex) ?? []
  }

  /// How many files of other programs the newest archive has that can go back, as far as this machine knows.
  private static func placedFiles(in newest: StoredArchive?, of vault: String) -> UInt64? {
    guard let newest, let id = VaultID(hex: vault) else { return nil }
    return (try? Places.state().vault(id))?.placedFiles(in: newest.statedDigest.hex)
  }

  private func tooOld(_ what: String, _ time: Int64?, _ limit: DurationArgument?, _ now: Int64) -> [String] {
    guard let limit else { return [] }
    guard let time else { return ["\(what): never"] }
    // A future date would otherwise count as new for years.
    guard time <= now + 86_400 else { return ["\(what) is dated in the future: the clock has gone back"] }
    guard Double(now - time) > limit.seconds else { return [] }
    return ["\(what) is \(Readable.age(now - time)) old"]
  }
}
