internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

/// `restore`: the staged pipeline, into a new data directory or one with a wallet in it.
struct RestoreCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Bring a wallet back from an archive.",
    discussion: "A restore never loses the wallet's existing data. See fueki-backup-restore(1).")

  @Argument(
    help: ArgumentHelp(
      "A path, a short id, \"latest\", or a folder for the newest archive in it.", valueName: "archive"),
    completion: .file())
  var archive: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var only: OnlyOptions
  @Option(
    help: .exclude,
    completion: .sections)
  var exclude: [String] = []
  @Option(help: ArgumentHelp("Only this wallet and its records. May be repeated.", valueName: "id"))
  var wallet: [String] = []
  @Option(
    help: ArgumentHelp(
      "Only this wallet, key or file, as restore of a later archive prints it. May be repeated.",
      valueName: "thing", visibility: .more))
  var item: [String] = []
  @Flag(name: .withLetter(.yes), help: "Bring what this archive lacks from earlier ones, without asking.")
  var yes = false
  @Flag(name: .withLetter(.dryRun), help: "Check the archive and preview the restore.")
  var dryRun = false
  @Option(
    help: .onConflict, completion: .conflictPolicies,
    transform: ConflictPolicy.init(option:))
  var onConflict = ConflictPolicy.fail
  @Flag(help: "Continue the stopped restore into this data directory.")
  var resume = false
  @Flag(
    help: ArgumentHelp("Remove the data directories that restores have replaced and kept.", visibility: .more)
  )
  var discardPrevious = false
  @Option(
    help: ArgumentHelp(
      "Where files of other programs go: home (their old places), a folder (below it), or none.",
      valueName: "where"), completion: .placings)
  var files: PlacingArgument?
  @Flag(help: "Do not ask any blockchain afterwards.")
  var noResync = false
  @Flag(help: "Restore what is undamaged in a damaged archive, and name what is lost.")
  var salvage = false
  @OptionGroup var accepted: ConsentOptions<RestoreConsents>
  @OptionGroup var passwords: KeystorePasswordOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  var consents: Consents { accepted.consents }
  var placing: PlacingOptions { PlacingOptions(consents) }
  private var endpoints: EndpointOptions { EndpointOptions(consents) }

  func validate() throws {
    guard archive == nil || !discardPrevious else {
      throw ValidationError("--discard-previous restores nothing: leave the archive out")
    }
    guard !resume || !discardPrevious && !dryRun && !salvage else {
      throw ValidationError(
        "--resume continues a restore: leave out --dry-run, --discard-previous and --salvage")
    }
    guard item.allSatisfy(Holding.isItem) else {
      throw ValidationError(
        "--item takes what restore prints of a later archive, such as files: and 32 digits")
    }
    guard item.isEmpty || !resume && only.only.isEmpty && wallet.isEmpty else {
      throw ValidationError(
        "--item restores these things only: leave out --only, --wallet and --resume")
    }
    guard !yes || !resume && !output.json else {
      throw ValidationError(
        "--yes brings what is missing at once, and --json lists it: leave out --json and --resume"
      )
    }
    guard !resume || archive == nil else {
      throw ValidationError(
        "--resume continues with the archive that the restore started with: do not name one")
    }
    guard !resume || only.only.isEmpty && exclude.isEmpty && wallet.isEmpty && onConflict == .fail else {
      throw ValidationError(
        "--resume keeps the choices that the restore started with: leave out --only, --exclude, --wallet and "
          + "--on-conflict"
      )
    }
  }

  mutating func run() throws {
    FreedMemory.keepForReuse()
    if let guide = try guide() { return try guide.run() }
    if let folder = archive, folder != "latest", (try? Directory.open(folder)) != nil {
      (archive, targets.target) = ("latest", [folder])
    }
    do {
      try restore()
    } catch RestoreError.newestFails(let path, let verdict, let fallback?)
      where consents.contains(.older) && !resume
    {
      output.console.warning("the newest archive does not verify (\(verdict.rawValue)): \(path)")
      archive = fallback
      try restore()
    } catch {
      let path = try? damagedPath(error)
      guard let failure = Failure(describing: error, during: .restore).naming(repair: path) else {
        throw error
      }
      throw failure
    }
  }

  /// Returns the archive that an error reports as damaged; nil for other errors.
  private func damagedPath(_ error: any Error) throws -> String? {
    switch error {
    case RestoreError.newestFails(let path, let verdict, _) where verdict.mayBeDamage: return path
    case FindingError.unusableNewest(let path, let verdict, _) where verdict.mayBeDamage: return path
    case let error as ArchiveError where error.verdict.mayBeDamage:
      let finder = ArchiveFinder(targets: targets.targets(try settings.load()))
      return try archive.map { try finder.path(of: $0) }
    default: return nil
    }
  }

  /// Returns the guide, on a terminal and if no archive or only its folder was given.
  private func guide() throws -> GuidedRestore? {
    guard !resume, !discardPrevious else { return nil }
    let configuration = try settings.load()
    let folder = archive.flatMap { (try? Directory.open($0)) == nil ? nil : $0 }
    guard archive == nil || folder != nil else { return nil }
    if Terminal.isAvailable, !output.json {
      return GuidedRestore(command: self, configuration: configuration, folder: folder)
    }
    guard archive != nil || !targets.targets(configuration).isEmpty else {
      throw Failure(
        .usage, "which archive? nothing says where the archives are", meaning: "nothing was restored",
        hint: "plug in the disk with the archives, and name it: fueki-backup restore DIR. On a terminal, "
          + "fueki-backup restore alone looks for them")
    }
    return nil
  }

  /// Restores.
  ///
  /// - Parameters:
  ///   - consent: confirms the restore of an opened archive; nil to restore without asking.
  ///   - secrets: open the archive; nil to ask for them.
  ///   - others: archives that may be restored instead in the same run.
  /// - Throws: every error of the run, and the exit status of an incomplete one.
  func restore(
    consent: ((any UnlockedArchive) throws -> Void)? = nil, opening secrets: UnlockingSecrets? = nil,
    orOneOf others: [String] = []
  ) throws {
    let loaded = try settings.load()
    let vault = try loaded.vault()
    let directory = try data.path(loaded)
    guard !discardPrevious else {
      return try PreviousLines.discard(besideDataDirectory: directory, dryRun: dryRun, output.console)
    }
    let lines = RestoreLines(console: output.console, isJSON: output.json)
    switch resume ? try RestoreOrder.resuming(directory, Places.state()) : .rest(try newOrder(directory)) {
    case .over(let journal):
      lines.print(journal)
      try ExitStatus(journal).end()
    case .files(let journal, let how): try putBack(journal, how)
    case .rest(let order):
      try restore(order, to: directory, loaded, vault, lines, orOneOf: others) { answers in
        if let consent { answers.archive = consent }
        if let secrets { answers.archiveSecrets = { secrets } }
      }
    }
  }

  private func restore(
    _ order: RestoreOrder, to directory: String, _ loaded: Configuration, _ vault: VaultSettings,
    _ lines: RestoreLines, orOneOf others: [String], answering adjust: (inout RestoreAnswers) -> Void
  ) throws {
    let console = output.console
    var configuration = loaded
    let state = try Places.state()
    if !dryRun { try order.checkPlace() }
    let shelter = try RestoreSandbox.enter(
      sandbox, needs(order, loaded, orOneOf: others), &configuration, console
    ) { opening in
      Offer.resyncer(directory, loaded, self.endpoints, console, opening: opening)
    }
    let found = try FoundArchive(
      order.archive ?? archive ?? "latest", in: targets.targets(configuration), trust, configuration, console,
      acceptsOlder: acceptsOlder)
    lines.begin(found, salvages: salvage)
    let progress = try output.progressLine
    let resyncer = noResync ? nil : chainResyncer(directory, configuration, shelter, console)
    let names = configuration.slotNames(of: found.stored)
    var answers = answers(found.stored, names, vault, configuration, console)
    adjust(&answers)
    var run = RestoreRun(
      order, from: try ArchiveToRestore(found, targets.targets(configuration)), state: state,
      program: Program.version, answers: answers,
      report: { try lines.show($0, progress) })
    run.options.acceptsOlder = acceptsOlder
    run.options.salvages = salvage
    run.options.acceptsDifferences = consents.contains(.differences)
    run.proofs = try passwords.material()
    run.resyncer = resyncer
    run.files = try filesChoice(order, configuration)
    guard !dryRun else {
      let preview = try names.explaining(found.stored) { try run.preview() }
      progress.clear()
      lines.print(preview)
      return try ExitStatus(preview).end()
    }
    let outcome = try names.explaining(found.stored) { try run.run() }
    progress.clear()
    let missing = RestoreEarlier(command: self, configuration: configuration, outcome: outcome)
    try end(outcome, missing, resyncer?.walletEndpoints ?? [], lines)
  }

  /// Prints the outcome, restores what earlier archives have, and ends with the run's exit status.
  private func end(
    _ outcome: RestoreOutcome, _ missing: RestoreEarlier, _ endpoints: [WalletEndpoint], _ lines: RestoreLines
  ) throws {
    guard item.isEmpty else {
      lines.print(adding: outcome)
      return try ExitStatus(adding: outcome, items: item).end()
    }
    let earlier = missing.archives
    guard !output.json else {
      lines.print(outcome, endpoints, try missing.documents(earlier))
      return try ExitStatus(outcome, isAllHere: earlier.allSatisfy { !$0.paths.isEmpty }).end()
    }
    lines.print(outcome, endpoints)
    try ExitStatus(outcome, isAllHere: try missing.bring(earlier)).end()
  }

  /// Returns the resyncer: in a sandbox, another process asks the chains.
  private func chainResyncer(
    _ directory: String, _ configuration: Configuration, _ shelter: RestoreSandbox, _ console: Console
  ) -> (any WalletResyncer)? {
    let opening = { try keychain.opening(console, try configuration.vault()) }
    let own = Offer.resyncer(directory, configuration, endpoints, console, opening: opening)
    guard own != nil, let attendant = shelter.attendant else { return own }
    return AttendedResyncer(attendant, console, opening: opening)
  }

  /// Whether to accept an archive older than the newest known one: single things are missing from a newer one.
  private var acceptsOlder: Bool { consents.contains(.older) || !item.isEmpty }

  private func newOrder(_ directory: String) throws -> RestoreOrder {
    var selection = try only.selection(excluding: exclude)
    guard !item.isEmpty else {
      return RestoreOrder(into: directory, selection, ofWallets: wallet, onConflict: onConflict)
    }
    selection = selection.only(Holding.sections(ofItems: item))
    // An older record takes no newer one's place.
    return RestoreOrder(
      into: directory, selection, ofWallets: item, onConflict: onConflict == .fail ? .skip : onConflict)
  }
}
