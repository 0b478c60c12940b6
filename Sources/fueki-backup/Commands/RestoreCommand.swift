internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `restore`: the staged pipeline, into a new data directory or one with a wallet in it.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring a wallet back from an archive, stage by stage.",
    discussion: "What a wallet holds already is never lost; see fueki-backup-restore(1).")

  @Argument(
    help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"), completion: .file())
  var archive: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var only: OnlyOptions
  @Option(help: ArgumentHelp("Only this wallet and what belongs to it; may be given again.", valueName: "id"))
  var wallet: [String] = []
  @Flag(help: "Check the archive and say what would be restored; write nothing.")
  var dryRun = false
  @Option(
    help: ArgumentHelp(
      "What becomes of records that are there and differ: fail, skip, newer, replace or rename.",
      valueName: "rule"), completion: .conflictPolicies,
    transform: ConflictPolicy.init(option:))
  var onConflict = ConflictPolicy.fail
  @Flag(help: "Go on with the restore into this data directory that was stopped.")
  var resume = false
  @Flag(help: "Remove the data directories that restores have replaced and kept.")
  var discardPrevious = false
  @Flag(help: "Ask no chain afterwards.")
  var noResync = false
  @OptionGroup var endpoints: EndpointOptions
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

  func validate() throws {
    guard archive != nil || discardPrevious || resume else {
      throw ValidationError("which archive? give a path, a short id, or \"latest\"")
    }
    guard archive == nil || !discardPrevious else {
      throw ValidationError("--discard-previous restores nothing: leave the archive out")
    }
    guard !resume || !discardPrevious && !dryRun && !salvage else {
      throw ValidationError(
        "--resume goes on with a restore: leave --dry-run, --discard-previous and --salvage out")
    }
    guard !resume || archive == nil else {
      throw ValidationError("--resume goes on with the archive that it was begun with: leave it out")
    }
    guard !resume || only.only.isEmpty && wallet.isEmpty && onConflict == .fail else {
      throw ValidationError("--resume does what was begun: leave --only, --wallet and --on-conflict out")
    }
  }

  func run() throws {
    do {
      try restore()
    } catch CommandError.newestFails(let path, let verdict, let fallback?) where acceptOlder && !resume {
      output.console.warning("the newest archive does not verify (\(verdict.rawValue)): \(path)")
      var older = self
      older.archive = fallback
      try older.restore()
    }
  }

  private func restore() throws {
    let console = output.console
    let configuration = try settings.load()
    let vault = try configuration.vault()
    let directory = try data.path(configuration)
    guard !discardPrevious else {
      return try PreviousLines.discard(besideDataDirectory: directory, dryRun: dryRun, console)
    }
    let state = try Places.state()
    let stopped = resume ? try StoppedRestore.find(directory, state) : nil
    if let stopped, try stopped.isOver { return try finish(stopped, state, console) }
    let work = try RestoreWork(self, directory, resuming: stopped?.journal)
    let archive = work.archive
    let selection = work.selection
    // Before anything is asked for or read: what is no wallet is never overwritten, nor is one that is running.
    if !dryRun { _ = try MergeDestination.isThere(directory) }
    let found = try FoundArchive(
      archive, in: targets.targets(configuration), trust, configuration, console, acceptsOlder: acceptOlder)
    let (path, stored, trusted) = (found.path, found.stored, try found.trusted)
    console.note(OwnershipLines.restoring(found))
    for damage in stored.structuralDamage {
      console.warning("damaged, and restored all the same: \(damage.sentence)")
    }
    if Authenticity(stored) == .unprovable {
      console.warning("authenticity not provable: it is unsigned, and more than one could have made it")
    }
    let names = configuration.slotNames(of: stored)
    var unlocking: UnlockingSecrets?
    var recovery = Recovery(clock: { SystemClock.monotonicSeconds }) {
      let given = try secrets.unlocking(console)
      unlocking = given
      return given
    }
    recovery.trusted = trusted
    recovery.known = try found.known
    recovery.acceptsOlder = acceptOlder
    recovery.salvages = salvage
    recovery.selection = selection
    let material = try proofs.material()
    recovery.proofs = material
    recovery.acceptsDifferences = proofs.acceptDifferences
    recovery.wallets = work.wallets
    let progress = output.progressLine
    let lines = RestoreLines(console: console, isJSON: output.json)
    let show: (RestoreProgress) throws -> Void = { try StageLines.show($0, progress, console) }
    guard !dryRun else {
      var comparison: MergeComparison?
      let plan = try names.explaining(stored) {
        try recovery.plan(stored, progress: show) { open in
          guard try MergeComparison.isThere(directory) else { return nil }
          let made = try MergeComparison(dataDirectory: directory, archive: open)
          comparison = made
          guard let opening = try keychain.openingWithoutAsking(console, vault) else { return (made, nil) }
          if made.keychain.isThere { try made.keychain.open(with: opening) }
          return (made, made.keychain)
        }
      }
      let counts = try comparison?.report.counts ?? plan.countsInNewPlace(progress: show)
      progress.clear()
      let wallets = try plan.archive.hazardousWallets(in: selection, ofWallets: wallet)
      let report = try plan.archive.prove(selection, ofWallets: wallet, with: material)
      lines.print(plan, counts, comparison?.report, wallets, report)
      guard report.differences.isEmpty || proofs.acceptDifferences else {
        throw ExitCode(ExitStatus.differs.rawValue)
      }
      guard plan.losses.isEmpty else { throw ExitCode(ExitStatus.partial.rawValue) }
      return
    }
    let lock = try state.lock(purpose: "restore", processID: CurrentProcess.identifier)
    if resume {
      // Another run may have gone on with it before this one had the lock.
      guard let now = try StoppedRestore.find(directory, state), now.journal == stopped?.journal,
        try !now.isOver
      else { throw BackupError.locked(owner: nil) }
      try now.undoSwap()
    } else {
      try StoppedRestore.clearAway(directory, state, lock, console)
      try StoreDestination.removeLeftovers(besideDataDirectory: directory)
    }
    let session = RestoreSession(
      work.journal(directory, path), resuming: stopped?.journal, selection, work.policy,
      keepsStages: !salvage, lock)
    let outcome: RecoveryOutcome
    var wallets: [HazardousWallet] = []
    let resyncer =
      noResync ? nil : StoreResyncer(directory, configuration, endpoints, keychain, console)
    do {
      let told = { (event: RestoreProgress) throws in
        if case .ended(let result) = event { try session.passed(result) }
        do {
          try show(event)
        } catch BackupError.interrupted where session.isInPlace {
          // The restore is done, and says so; what asks chains has heard of the interruption itself.
        }
      }
      outcome = try names.explaining(stored) {
        try recovery.run(stored, resyncer: resyncer, progress: told) { open in
          try work.check(open)
          wallets = try open.hazardousWallets(in: selection, ofWallets: work.wallets)
          // Confirmed when it was begun.
          if !resume { try hazards.confirm(wallets, console) }
          return try place(for: open, selection, session, vault, console)
        }
      }
      try session.forget()
    } catch BackupError.interrupted {
      guard try session.stop() else { throw BackupError.interrupted }
      throw Failure.Thrown(failure: .stopped)
    } catch let error as BackupError where resume && error.asksForConsent {
      // It was given when the restore was begun: it can be given again, and what is staged waits for that.
      _ = try session.stop()
      throw error
    } catch let error as ArchiveError where found.isLatest && error.verdict != .wrongSecret {
      try session.fail()
      throw try fallback(from: found, error)
    } catch let error as Failure.Thrown where found.isLatest && error.failure.status == .wrongSecret {
      try session.fail()
      throw try wrongForNewest(found, unlocking) ?? error
    } catch {
      try? session.fail()
      throw error
    }
    progress.clear()
    try remember(found, outcome, openedWith: unlocking, lock, console)
    // Of a whole archive the person has been told at every backup.
    let orphans =
      outcome.archive is SalvagedArchive ? try Orphans.all(inDataDirectory: directory) : []
    lines.print(
      outcome, session.merge?.report, orphans, wallets, resyncer?.walletEndpoints ?? [], path: path, directory
    )
    guard outcome.report.isComplete else { throw ExitCode(ExitStatus.partial.rawValue) }
    guard !outcome.resync.isIncomplete else { throw ExitCode(ExitStatus.resyncIncomplete.rawValue) }
  }

  /// Where the archive goes, and the keychain that its secrets go into, with what opens it: nothing is asked for where
  /// a run that was stopped has written it.
  private func place(
    for open: any UnlockedArchive, _ selection: SectionSelection, _ session: RestoreSession,
    _ vault: VaultSettings, _ console: Console
  ) throws -> (any Destination, (any KeychainAccess)?) {
    let holdsSecrets = open.sections.contains { section in
      Section(rawValue: section.id).map { $0.scope == .secrets && selection.contains($0) } ?? false
    }
    let (destination, keychain) = try session.place(for: open, console)
    guard holdsSecrets else { return (destination, nil) }
    guard keychain?.staged == nil else { return (destination, keychain) }
    if let merge = session.merge {
      if merge.vaultID != open.facts.vaultID {
        console.warning("the archive is of another vault than the wallet that is here, which keeps its own")
      }
      try prepare(merge.keychain, open, vault, console)
    }
    (keychain as? RestoredKeychain)?.create(opening: try newSlots(open, vault, console))
    return (destination, keychain)
  }

  private func prepare(
    _ keychain: MergedKeychain, _ open: any UnlockedArchive, _ vault: VaultSettings, _ console: Console
  ) throws {
    guard keychain.isThere else { return keychain.create(opening: try newSlots(open, vault, console)) }
    let opening = try self.keychain.opening(console, vault)
    do {
      try keychain.open(with: opening)
    } catch KeychainError.wrongSecret {
      throw Failure.Thrown(
        failure: Failure(
          .wrongSecret, "the keychain of the wallet that is here does not open with this secret",
          meaning: "nothing was changed", hint: "give what opens it now with --keychain-…"))
    }
  }

  /// A restore that was stopped when everything was in place already.
  private func finish(_ stopped: StoppedRestore, _ state: StateDirectory, _ console: Console) throws {
    let lock = try state.lock(purpose: "restore --resume", processID: CurrentProcess.identifier)
    try lock.forgetRestore(of: stopped.journal.dataDirectory)
    let journal = stopped.journal
    let missing = journal.notRestored ?? []
    for name in missing { console.warning("\(name): not restored") }
    if output.json {
      Document.write(RestoreDocument(journal))
    } else {
      let what = missing.isEmpty ? "everything" : "what could be restored"
      console.report("the restore had come to its end: \(what) is in place in \(journal.dataDirectory)")
      if let previous = journal.previous { console.report("what was there before is kept in \(previous)") }
      console.report("fueki-backup resync brings balances up to date")
    }
    guard missing.isEmpty else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  /// The new machine's keychain gets a secret of its own: the archive's is never taken silently.
  private func newSlots(
    _ open: any UnlockedArchive, _ vault: VaultSettings, _ console: Console
  ) throws -> [NewKeychainSlot] {
    let rule = PassphraseRule(
      cost.cost(vault), allowsWeak: allowWeakPassphrase, names: KnownNames.of(vault) + open.knownNames())
    return try keychain.newSlots(console, rule, vault)
  }
}
