internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `create`: collects, bundles, seals and writes, reads back and verifies, then publishes.
struct CreateCommand: ParsableCommand, SealingCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make an archive of the wallet's data.",
    discussion: "Exit status: 0 done; 3 done in part, as the report lists. See fueki-backup-create(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @Option(
    help: ArgumentHelp(
      "\"store\", kind:PATH, or \"all\" wallets found. May be repeated.", valueName: "source"),
    completion: .sources)
  var from: [String] = []
  @OptionGroup var only: OnlyOptions
  @Option(
    help: .exclude, completion: .sections)
  var exclude: [String] = []
  @Option(
    help: ArgumentHelp(
      "The archive's label, the first part of its name.", valueName: "label", visibility: .more))
  var label: String?
  @Flag(help: "Include private keys and seed phrases.")
  var includePrivateKeys = false
  @Flag(
    help: ArgumentHelp(
      "Continue from archives in the targets that are new to this machine, once their signer is accepted.",
      visibility: .more)
  )
  var adopt = false
  @Option(
    name: .customLong("continue"),
    help: ArgumentHelp(
      "This machine takes the place of the one that made this vault's archives.", valueName: "vault",
      visibility: .more))
  var continued: String?
  @Flag(
    help: ArgumentHelp("Give this machine a vault of its own, next to another's archives.", visibility: .more)
  )
  var newVault = false
  @Flag(
    help: ArgumentHelp(
      "Do not sign. The archive is then indistinguishable from a stranger's.", visibility: .more))
  var unsigned = false
  @Flag(
    help: ArgumentHelp(
      "Make an archive only if its contents would differ from the last one's.", visibility: .more))
  var onChange = false
  @OptionGroup var parity: ParityOptions
  @OptionGroup var history: HistoryOptions
  @Flag(name: .withLetter(.dryRun), help: "Collect, say what would be in the archive, and write nothing.")
  var dryRun = false
  @OptionGroup var accepted: ConsentOptions<CreateConsents>
  @OptionGroup var secrets: PassphraseOptions
  @OptionGroup var recipients: SlotOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  var consents: Consents { accepted.consents }

  func validate() throws {
    guard !unsigned || signing.signKey == nil else {
      throw ValidationError("--sign-key or --unsigned, not both")
    }
    guard !newVault || continued == nil else { throw ValidationError("--continue or --new-vault, not both") }
  }

  func run() throws {
    let console = output.console
    let request = CollectionRequest(
      selection: try only.selection(excluding: exclude), includesPrivateKeys: includePrivateKeys)
    let configuration = try settings.load()
    let readers = sandbox.readers(console, isJSON: output.json)
    // Dry runs trigger no hooks.
    guard !dryRun else { return try create(request, configuration, readers, RunFacts(), console) }
    let job = RememberedJob(job(configuration))
    try HookedRun("create", configuration, console).run(remembering: job) {
      try create(request, configuration, readers, $0, console)
    }
  }

  private func job(_ configuration: Configuration) -> BackupJob {
    let options = [
      ("--from", from), ("--only", only.only), ("--exclude", exclude), ("--target", targets.target),
    ]
    return BackupJob(
      configuration: settings.place, vault: configuration.meant?.name?.text ?? "",
      options: options.flatMap { name, values in values.flatMap { [name, $0] } })
  }

  private func create(
    _ request: CollectionRequest, _ configuration: Configuration, _ readers: Readers?, _ facts: RunFacts,
    _ console: Console
  ) throws {
    let start = SystemClock.workingSeconds
    let vault = try configuration.vault()
    let publicKeys = try recipients.keys(vault)
    let targets = try answeredTargets(configuration, console)
    facts.targets = targets.map(\.path)
    let keys = try keysDecision(for: targets)
    var sources = try SourceList(
      from, data: data, keychain: keychain, configuration: configuration, console: console,
      readers: readers)
    sources.namedKeys = keys
    var request = request
    request.changes = SourceChanges { try WalletCopies.folder() }
    request.targetFolders = targets.filter { $0.kind != .rclone }.map(\.path)
    let staying = StayingGuardians(recipients, vault, configuration)
    let lines = CreateLines(console: console, isJSON: output.json)
    let progress = try output.progressLine
    var run = BackupRun(
      to: targets, request,
      ManifestFacts(
        program: Program.name, label: label ?? vault.label ?? "wallet", device: HostName.current),
      answers: answers(sources, vault, targets, configuration, publicKeys, staying, console),
      report: { event in
        if case .published(let made) = event { facts.note(made) }
        try lines.show(event, progress)
      })
    run.encodings = ShareEncoding.all
    run.options = publicationOptions(vault)
    run.options.privateKeysMayLeave = keys == .included
    guard !dryRun else { return try preview(run, sources, configuration, lines) }
    guard !targets.isEmpty else { throw NoTarget.failure("create", configuration) }
    // Before asking for a passphrase.
    try run.checkAnyTargetIsThere()
    let state = try lock.take("create", output)
    run.trustsOwnKey = signing.signKey != nil
    let named = try sources.namedVault(state, configuration)
    let which = WhichVault(
      configuration: configuration, continued: continued, isNew: newVault, isJSON: output.json)
    let choice = try which.choice(named, in: targets, state.directory)
    let next = try run.vault(named, state: state, choice: choice, asks: which.ask)
    facts.vault = next.id
    try staying.look(state.directory.vault(next.id))
    run.onlyOnChange = onChange
    run.acceptance = consents.losses
    run.sources = sources.runSources(configuration)
    try checkAcceptance(leavingOut: run.sources.leftOut)
    let outcome = try run.run(of: next, state: state)
    progress.clear()
    lines.print(
      outcome, mayBegin: named.isStoreless && !named.isConfigured, seconds: SystemClock.workingSeconds - start
    )
    for name in run.acceptance.unmatched(in: outcome.inventory) {
      console.warning("--accept loss=\(name): nothing of that name is missing")
    }
    UncoveredWallets.warn(besides: sources, configuration, console)
    try ExitStatus(outcome).end()
    guard !staying.isLacking else { throw ExitStatus.partial }
  }

  /// Returns whether private keys may go to the targets.
  ///
  /// - Throws: a ``Failure`` if they are requested and may not.
  private func keysDecision(for targets: [Target]) throws -> KeysDecision {
    // The answer to a question is in the file by now.
    let declared = try settings.load(mayBeNew: true)
    let keys = declared.keysDecision(for: targets, areAllowed: consents.contains(.syncedKeys))
    if includePrivateKeys, keys != .included, let synced = targets.first(where: \.isSeenByOthers) {
      throw Failure(
        .usage, "private keys would be copied to \(synced.path), which counts as a synced folder",
        meaning: "anyone who reads that folder and guesses the passphrase gets the money",
        hint:
          "if it is not synced, set its kind in the configuration. To copy them anyway: --accept synced-keys"
      )
    }
    return keys
  }

  /// Collects, and prints what would be in the archive.
  private func preview(
    _ run: BackupRun, _ sources: SourceList, _ configuration: Configuration, _ lines: CreateLines
  ) throws {
    let bundle = try run.collect()
    lines.print(planned: bundle)
    UncoveredWallets.warn(besides: sources, configuration, output.console)
    try ExitStatus(bundle, isComplete: bundle.reports.allSatisfy(\.complete)).end()
  }

  /// Returns the options of the archive: this command's, else the configured ones.
  private func publicationOptions(_ vault: VaultSettings) -> PublicationOptions {
    var options = vault.publicationOptions
    parity.apply(to: &options)
    history.apply(to: &options)
    options.isAdopting = adopt
    return options
  }

  /// Accepts no loss in a run that does not look at all sources: what it does not find is not lost.
  private func checkAcceptance(leavingOut sources: [String]) throws {
    guard consents.contains(.loss), let first = sources.first else { return }
    throw CommandError.usage(
      "--accept loss needs all sources of the vault, and --from leaves out \(first): run create without --from"
    )
  }

  /// Returns the targets, after asking about undeclared ones if secrets in the clear depend on the answer.
  private func answeredTargets(_ configuration: Configuration, _ console: Console) throws -> [Target] {
    let targets = targets.targets(configuration)
    guard !consents.contains(.syncedKeys), !dryRun, !output.json else { return targets }
    guard try mayHaveKeysInTheClear(configuration) else { return targets }
    let path = try AbsolutePath.of(settings.path())
    return try TargetQuestion.answered(targets, configuration, in: path, console)
  }

  /// Returns whether an archive of the sources may have keys that their own program does not encrypt.
  private func mayHaveKeysInTheClear(_ configuration: Configuration) throws -> Bool {
    let hasWallets =
      from.contains { $0 != "store" }
      || from.isEmpty
        && (!configuration.chosenSources.isEmpty
          || (configuration.meant?.from ?? []).contains { $0 != "store" })
    let isOfStore = (try? configuration.vault().from ?? ["store"])?.contains("store") ?? true
    let handsOn =
      try (from.isEmpty ? isOfStore : from.contains("store"))
      && SourceList.handsOnSecrets(ofStoreIn: data.path(configuration))
    return hasWallets || includePrivateKeys || handsOn
  }

  /// Returns answers from the options, or else from the user.
  private func answers(
    _ sources: SourceList, _ vault: VaultSettings, _ targets: [Target], _ configuration: Configuration,
    _ publicKeys: PublicKeys, _ staying: StayingGuardians, _ console: Console
  ) -> BackupAnswers {
    BackupAnswers(
      collectors: sources.collectors,
      askedFor: { from + publicKeys.lines + staying.lines + [label ?? vault.label ?? ""] },
      signing: { try unsigned ? .nobody : signing.archiveSigning(vault, of: $0, console) },
      slots: { known in
        let passphrase = VaultPassphrase(
          source: secrets.source(sealing: vault), keyFiles: try secrets.keyFiles(), known: known,
          targets: targets, acceptsNew: consents.contains(.newPassphrase),
          stored: secrets.stored(sealing: vault))
        let slots = try slots(
          vault, publicKeys, passphraseRule(sources, vault, known: known, targets), passphrase, console)
        return staying.added(to: slots, after: passphrase.lastInFolders, console)
      },
      trust: { try TrustOptions.trust(configuration) },
      archiveSecrets: {
        guard let passphrase = try secrets.source(sealing: vault).given(console) else { return nil }
        return UnlockingSecrets(passphrases: passphrase.all, keyFiles: try secrets.keyFiles())
      }, isOwnSigner: SignerAcceptance.asks, reason: SourceErrors.reason)
  }

  /// Returns the archive's slots.
  ///
  /// Recipients and guardians need no secret here, so a passphrase is requested only without them.
  private func slots(
    _ vault: VaultSettings, _ publicKeys: PublicKeys, _ rule: PassphraseRule, _ asked: VaultPassphrase,
    _ console: Console
  ) throws -> [NewSlot] {
    let others = publicKeys.slots
    let keyFile = try secrets.keyFiles().first
    let passphrase =
      others.isEmpty || keyFile != nil
      ? try asked.read(rule, console) : try asked.given(rule, console)
    guard let passphrase else { return others }
    return [
      .derivingEarly(
        passphrase.secret, andKeyFile: keyFile, cost: cost.cost(vault), havingOpened: passphrase.opened)
    ] + others
  }
}
