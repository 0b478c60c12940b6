internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `restore`: the staged pipeline, into a data directory that is not there yet.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring a wallet back from an archive, stage by stage.",
    discussion: "An existing data directory is never touched; see fueki-backup-restore(1).")

  @Argument(help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"))
  var archive: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var only: OnlyOptions
  @Flag(help: "Check the archive and say what would be restored; write nothing.")
  var dryRun = false
  @Flag(help: "Ask no chain afterwards.")
  var noResync = false
  @Flag(help: "Take an archive that is older than the newest known.")
  var acceptOlder = false
  @Flag(help: "Of a damaged archive, bring back what is whole, and name what is lost.")
  var salvage = false
  @Flag(help: "Take a passphrase that can be guessed for the new keychain.")
  var allowWeakPassphrase = false
  @OptionGroup var proofs: ProofOptions
  @OptionGroup var hazards: HazardOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let vault = try configuration.vault()
    let directory = try data.path(configuration)
    let selection = try only.selection()
    // Before anything is asked for or read: an existing wallet is never overwritten.
    if !dryRun { _ = try StoreDestination(dataDirectory: directory, keychainSlots: []) }
    let trusted = try trust.keys(configuration)
    let checkpoint = try trust.checkpoint(trusting: trusted)
    let finder = ArchiveFinder(targets: targets.targets(configuration))
    let path = try finder.path(of: archive)
    let stored = try StoredArchive(at: path)
    for damage in stored.structuralDamage {
      console.warning("damaged, and restored all the same: \(damage.sentence)")
    }
    if Authenticity(stored) == .unprovable {
      console.warning("authenticity not provable: it is unsigned, and more than one could have made it")
    }
    let state = try Places.state()
    var recovery = Recovery(
      clock: { SystemClock.monotonicSeconds }, secrets: { try secrets.unlocking(console) })
    recovery.trusted = trusted
    recovery.known = try known(stored.facts, checkpoint, state)
    recovery.acceptsOlder = acceptOlder
    recovery.salvages = salvage
    recovery.selection = selection
    recovery.proofs = try proofs.material()
    recovery.acceptsDifferences = proofs.acceptDifferences
    let progress = output.progressLine
    let show: (RestoreProgress) throws -> Void = { try Self.show($0, progress, console) }
    guard !dryRun else {
      let plan = try recovery.plan(stored, progress: show)
      let wallets = try plan.archive.hazardousWallets(in: selection)
      let report = try plan.archive.prove(selection, with: recovery.proofs)
      print(plan, wallets, report, console)
      guard report.differences.isEmpty || proofs.acceptDifferences else {
        throw ExitCode(ExitStatus.differs.rawValue)
      }
      guard plan.losses.isEmpty else { throw ExitCode(ExitStatus.partial.rawValue) }
      return
    }
    let lock = try state.lock(purpose: "restore", processID: CurrentProcess.identifier)
    try StoreDestination.removeLeftovers(besideDataDirectory: directory)
    let outcome: RecoveryOutcome
    var store: StoreDestination?
    var wallets: [HazardousWallet] = []
    do {
      outcome = try recovery.run(stored, resyncer: nil, progress: show) { open in
        wallets = try open.hazardousWallets(in: selection)
        try hazards.confirm(wallets, console)
        let (destination, keychain) = try destination(for: open, selection, directory, vault, console)
        store = destination
        return (destination, keychain)
      }
    } catch let error as ArchiveError where archive == "latest" && error.verdict != .wrongSecret {
      throw try fallback(from: path, error, finder, trusted)
    }
    progress.clear()
    // An older archive, restored on purpose, does not make the machine forget the newest.
    if stored.facts.sequence >= recovery.known?.sequence ?? 0 {
      let link = VaultState.Link(sequence: stored.facts.sequence, digest: outcome.archive.digest)
      try lock.keep(VaultState(known: link), of: stored.facts.vaultID)
    }
    // Of a whole archive the person has been told at every backup.
    let orphans = outcome.archive is SalvagedArchive ? try store?.orphans() ?? [] : []
    print(outcome, orphans, wallets, path: path, directory, console)
    guard outcome.report.isComplete else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  /// The newest archive known of the vault: by this machine, or by a checkpoint from elsewhere.
  private func known(
    _ facts: HeaderFacts, _ checkpoint: SignedCheckpoint?, _ state: StateDirectory
  ) throws -> VaultState.Link? {
    let remembered = try state.vault(facts.vaultID).known
    guard let checkpoint else { return remembered }
    guard checkpoint.vaultID == facts.vaultID else {
      throw CommandError.usage(
        "the checkpoint is of vault \(Hex.encode(checkpoint.vaultID)), the archive of \(Hex.encode(facts.vaultID))"
      )
    }
    let link = VaultState.Link(sequence: checkpoint.sequence, digest: checkpoint.digest)
    return try VaultState.Link.newer(remembered, link)
  }

  /// The new machine's keychain gets a secret of its own: the archive's is never taken silently.
  private func destination(
    for open: any UnlockedArchive, _ selection: SectionSelection, _ directory: String,
    _ vault: VaultSettings, _ console: Console
  ) throws -> (StoreDestination, (any KeychainAccess)?) {
    let holdsSecrets = open.sections.contains { section in
      Section(rawValue: section.id).map { $0.scope == .secrets && selection.contains($0) } ?? false
    }
    let slots =
      holdsSecrets
      ? try keychain.newSlots(
        console, cost: cost.cost(vault), allowsWeak: allowWeakPassphrase, vault) : []
    let destination = try StoreDestination(dataDirectory: directory, keychainSlots: slots)
    return (destination, holdsSecrets ? destination.keychain : nil)
  }

  /// Names the newest archive that does verify, and stops until told.
  private func fallback(
    from path: String, _ error: ArchiveError, _ finder: ArchiveFinder, _ trusted: [[UInt8]]?
  ) throws -> CommandError {
    let entries = try finder.targets.flatMap { try $0.entries() }
    let next = try entries.first { entry in
      guard entry.path != path, entry.archive != nil else { return false }
      return try Verification(trusted: trusted).run(on: entry.path, known: { _ in nil }).verdict == .intact
    }
    return .newestFails(path: path, verdict: error.verdict, fallback: next?.path)
  }

  private static func show(_ event: RestoreProgress, _ line: ProgressLine, _ console: Console) throws {
    switch event {
    case .began(let stage): try line.show(stage.rawValue)
    case .reading(let bytes, let all):
      try line.show("verify", fraction: all > 0 ? Double(min(bytes, all)) / Double(all) : nil)
    case .ended(let result):
      line.clear()
      let counts = result.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
      let detail = counts.isEmpty ? "" : ": \(counts.joined(separator: ", "))"
      console.report(
        "\(result.stage.rawValue): \(result.result) (\(Readable.seconds(result.seconds)))\(detail)")
    }
  }

  private func print(
    _ outcome: RecoveryOutcome, _ orphans: [Orphans], _ wallets: [HazardousWallet], path: String,
    _ directory: String, _ console: Console
  ) {
    LossLines.print(outcome.archive, outcome.report.losses, console)
    LossLines.print(orphans, console)
    guard !output.json else { return Document.write(RestoreDocument(outcome, orphans, wallets, path: path)) }
    for problem in outcome.report.manifest.problems.prefix(20) {
      console.warning("marked: \(problem.problem)")
    }
    for scope in outcome.report.closedScopes {
      console.warning("\(scope.name): not opened by this secret, not restored")
    }
    for id in outcome.report.unknownSections {
      console.warning("section \(id) is unknown here, and was not restored")
    }
    ProofLines.print(outcome.report.proofs, console)
    console.report("restored to \(directory)")
    console.report(
      "the old machine must stop making backups of this vault: two machines would fork its history")
    console.report("balances are those of the backup: nothing was asked of a chain")
  }

  private func print(
    _ plan: RestorePlan, _ wallets: [HazardousWallet], _ proofs: ProofReport, _ console: Console
  ) {
    guard !output.json else { return Document.write(RestorePlanDocument(plan, wallets, proofs)) }
    for section in plan.sections { console.report("would restore \(section.name)") }
    LossLines.print(plan.archive, plan.losses, console)
    for wallet in wallets { HazardLines.warn(wallet, console) }
    ProofLines.print(proofs, console)
    console.report("nothing was written (--dry-run)")
  }
}

/// `restore --json`.
struct RestoreDocument: Encodable {
  struct Stage: Encodable {
    let name: String
    let result: String
    let seconds: Double
    let counts: [String: UInt64]
  }

  let schema = "fueki.restore/1"
  let archive: String
  let path: String
  let stages: [Stage]
  let conflicts: [String] = []
  let restored: [String: UInt64]
  let notRestored: [String]
  let lost: [LossDocument]
  let lostScopes: [String]
  let lostShares: [LostShareDocument]
  let orphans: [OrphansDocument]
  let proofs: [ProofDocument]
  let olderShares: [OlderSharesDocument]
  let hazards: [HazardDocument]
  let resync: String

  enum CodingKeys: String, CodingKey {
    case schema, archive, path, stages, conflicts, restored, lost, orphans, proofs, hazards, resync
    case olderShares = "older_shares"
    case notRestored = "not_restored"
    case lostScopes = "lost_scopes"
    case lostShares = "lost_shares"
  }

  init(
    _ outcome: RecoveryOutcome, _ orphans: [Orphans], _ wallets: [HazardousWallet], path: String
  ) {
    proofs = outcome.report.proofs.proofs.map(ProofDocument.init)
    olderShares = outcome.report.proofs.olderShares.map(OlderSharesDocument.init)
    hazards = wallets.map(HazardDocument.init)
    let losses = outcome.report.losses
    lost = losses.sections.map(LossDocument.init)
    lostScopes = losses.scopes.map(\.name)
    lostShares = losses.shares.map(LostShareDocument.init)
    self.orphans = orphans.map(OrphansDocument.init)
    archive = outcome.archive.digest.hex
    self.path = path
    stages = outcome.stages.map {
      Stage(name: $0.stage.rawValue, result: $0.result, seconds: $0.seconds, counts: $0.counts)
    }
    restored = Dictionary(uniqueKeysWithValues: outcome.report.restored.map { ($0.key.name, $0.value) })
    notRestored =
      outcome.report.closedScopes.map(\.name) + outcome.report.unknownSections.map { "section-\($0)" }
    switch outcome.resync {
    case .notRun(let reason): resync = "not run: \(reason)"
    }
  }
}

/// `restore --dry-run --json`.
struct RestorePlanDocument: Encodable {
  let schema = "fueki.restore/1"
  let dryRun = true
  let sections: [String]
  let notRestored: [String]
  let lost: [LossDocument]
  let lostScopes: [String]
  let proofs: [ProofDocument]
  let olderShares: [OlderSharesDocument]
  let hazards: [HazardDocument]

  enum CodingKeys: String, CodingKey {
    case schema, sections, lost, proofs, hazards
    case olderShares = "older_shares"
    case dryRun = "dry_run"
    case notRestored = "not_restored"
    case lostScopes = "lost_scopes"
  }

  init(_ plan: RestorePlan, _ wallets: [HazardousWallet], _ report: ProofReport) {
    proofs = report.proofs.map(ProofDocument.init)
    olderShares = report.olderShares.map(OlderSharesDocument.init)
    hazards = wallets.map(HazardDocument.init)
    sections = plan.sections.map(\.name)
    lost = plan.losses.sections.map(LossDocument.init)
    lostScopes = plan.losses.scopes.map(\.name)
    notRestored = plan.closedScopes.map(\.name) + plan.unknownSections.map { "section-\($0)" }
  }
}
