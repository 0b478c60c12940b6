internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `create`: collects, bundles, seals and writes, reads back and verifies, then publishes.
struct CreateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "create", abstract: "Make an archive of the wallet's data.",
    discussion: "Exit status: 0 done; 3 done in part, each missing part named; see fueki-backup-create(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @Option(
    help: ArgumentHelp(
      "\"store\", kind:PATH, or \"all\" wallets found; may be given again.", valueName: "source"),
    completion: .sources)
  var from: [String] = []
  @OptionGroup var only: OnlyOptions
  @Option(
    help: ArgumentHelp("Leave out these scopes or sections.", valueName: "sections"), completion: .sections)
  var exclude: [String] = []
  @Option(help: ArgumentHelp("What the archive is called.", valueName: "label"))
  var label: String?
  @Flag(help: "Take private keys and seed phrases along.")
  var includePrivateKeys = false
  @Flag(help: "Let private keys leave for a synced folder.")
  var privateKeysToSynced = false
  @Flag(
    help:
      "Continue from archives in the targets that this machine has never seen, once their signer is accepted."
  )
  var adopt = false
  @Flag(help: "Sign nothing: nobody can then tell this archive from a stranger's.")
  var unsigned = false
  @Flag(help: "Make the archive though much of what the last one has is gone.")
  var acceptLoss = false
  @Flag(help: "Make an archive only if what would be in it differs from the last one.")
  var onChange = false
  @Flag(help: "Collect, say what would be in the archive, and write nothing.")
  var dryRun = false
  @Flag(help: "Take a passphrase that can be guessed.")
  var allowWeakPassphrase = false
  @OptionGroup var secrets: PassphraseOptions
  @OptionGroup var recipients: SlotOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard !unsigned || signing.signKey == nil else {
      throw ValidationError("--sign-key or --unsigned, not both")
    }
  }

  func run() throws {
    let console = output.console
    let request = CollectionRequest(
      selection: try only.selection(excluding: exclude), includesPrivateKeys: includePrivateKeys)
    let configuration = try settings.load()
    // A run that writes nothing is nobody's business.
    guard !dryRun else { return try create(request, configuration, RunFacts(), console) }
    try HookedRun("create", configuration, console).run { try create(request, configuration, $0, console) }
  }

  private func create(
    _ request: CollectionRequest, _ configuration: Configuration, _ facts: RunFacts, _ console: Console
  ) throws {
    let start = SystemClock.monotonicSeconds
    let vault = try configuration.vault()
    let targets = targets.targets(configuration)
    facts.targets = targets.map(\.path)
    if includePrivateKeys, !privateKeysToSynced,
      let synced = targets.first(where: \.isSeenByOthers)
    {
      throw CommandError.privateKeysToSynced(target: synced.path)
    }
    var sources = try SourceList(
      from, data: data, keychain: keychain, configuration: configuration, console: console)
    sources.namedSecretsMayLeave = privateKeysToSynced || !targets.contains(where: \.isSeenByOthers)
    sources.warnOfUncovered(configuration)
    guard !dryRun else { return try printDry(try collect(sources, request, output.progressLine), console) }

    guard !targets.isEmpty else { throw CommandError.usage("create needs a --target") }
    try Self.checkAnyIsThere(targets)
    let state = try lock.take("create", output)
    let vaultID = try sources.vaultID(state)
    facts.vault = vaultID
    var contents = ContentsMemory()
    contents.sections = Self.sections(of: request)
    contents.acceptsLoss = acceptLoss
    if onChange {
      let bundle = try collect(sources, request, output.progressLine)
      let memory = try contentMemory(bundle, request, vault)
      contents.content = memory
      if let unchanged = try unchanged(
        memory, vaultID, state.directory.vault(vaultID), targets, state.directory,
        TrustOptions.trust(configuration), console)
      {
        try unchanged.note(in: state.directory, vault: vaultID)
        printUnchanged(unchanged, bundle, console)
        let isComplete = unchanged.failures.isEmpty && bundle.reports.allSatisfy(\.complete)
        return try Self.end(with: bundle, isComplete: isComplete)
      }
    }
    let signing = try signing(vault, vaultID, console)
    let rule = passphraseRule(
      sources, vault, known: try state.directory.vault(vaultID).known, targets)
    let slots = try slots(vault, rule, console)
    var backup = Backup(
      targets: targets, vaultID: vaultID, slots: slots, signing: signing,
      facts: ManifestFacts(
        program: Program.name, label: label ?? vault.label ?? "wallet", device: HostName.current),
      created: UInt64(max(0, SystemClock.now) / 1_000_000))
    backup.isAdopting = adopt
    if adopt { try acceptLineage(of: vaultID, in: targets, configuration, state, console) }
    backup.trust = try TrustOptions.trust(configuration)
    // Who names a key made what it signed: a machine that lost its state knows its archives by it.
    if case .key(let key) = signing, self.signing.signKey != nil {
      backup.trust.everywhere.insert(key.publicKey)
    }
    backup.contents = contents
    let progress = output.progressLine
    let report = try backup.create(state: state, progress: { try progress.show($0.text) }) {
      try collect(sources, request, progress)
    }
    progress.clear()
    if let path = report.paths.first {
      facts.note(archive: path, digest: report.archive.digest, sequence: report.archive.facts.sequence)
    }
    try report.note(in: state.directory, vault: vaultID)
    print(report, seconds: SystemClock.monotonicSeconds - start, console)
    try Self.end(with: report.bundle, isComplete: report.isComplete)
  }

  /// A share that is not sound weighs more than a part that is missing: the part may be had again.
  private static func end(with bundle: BackupBundle, isComplete: Bool) throws {
    guard bundle.shareReport?.isSound ?? true else { throw ExitCode(ExitStatus.differs.rawValue) }
    guard isComplete else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  /// One target that is there is enough, so that a disk that is not plugged in does not stop the others; before
  /// anybody is asked for a passphrase.
  private static func checkAnyIsThere(_ targets: [Target]) throws {
    var first: (any Error)?
    for target in targets {
      do {
        try target.check()
        return
      } catch {
        first = first ?? error
      }
    }
    if let first { throw first }
  }

  /// Who signs: the key that is named, the one that this machine made for the vault, or for a new vault one that is made
  /// now.
  private func signing(
    _ vault: VaultSettings, _ vaultID: [UInt8], _ console: Console
  ) throws -> ArchiveSigning {
    guard !unsigned else { return .nobody }
    if let key = try signing.key(vault, of: vaultID, console) { return .key(key) }
    return .newVaults {
      let key = try SigningKeyPlace.make(of: vaultID)
      console.note(
        "made a key that signs this vault's archives: \(try SigningKeyPlace.ofVault(vaultID)); "
          + "its fingerprint is \(Signer.fingerprint(of: key.publicKey))")
      return key
    }
  }

  /// Who will open the archive: recipients and guardians need no secret here, so a passphrase is asked for only where
  /// there are none.
  private func slots(_ vault: VaultSettings, _ rule: PassphraseRule, _ console: Console) throws -> [NewSlot] {
    let others = try recipients.slots(vault)
    let keyFile = try secrets.keyFiles().first
    let passphrase =
      others.isEmpty || keyFile != nil
      ? try secrets.source.readNew(console, rule) : try secrets.source.givenNew(console, rule)
    guard let passphrase else { return others }
    return [.derivingEarly(passphrase, andKeyFile: keyFile, cost: cost.cost(vault))] + others
  }

  func collect(
    _ sources: SourceList, _ request: CollectionRequest, _ progress: ProgressLine
  ) throws -> BackupBundle {
    var builder = BackupBundle.Builder()
    for source in try sources.collectors(request) {
      try progress.show(BackupProgress.collecting(source: source.name).text)
      try source.collect(request, into: &builder)
    }
    return try builder.build().checkingShares(ShareEncoding.all)
  }

  private func print(_ report: BackupReport, seconds: Double, _ console: Console) {
    for warning in report.warnings { console.warning(warning.sentence) }
    for path in report.strangers { console.warning(OwnershipLines.passedOver(path, .stranger)) }
    guard !output.json else { return Document.write(CreateDocument(report, seconds: seconds)) }
    for source in report.bundle.reports { SourceLines.print(source, console) }
    printProblems(of: report.bundle, console)
    for failure in report.failures {
      console.warning("\(failure.path) has no copy: \(Failure(describing: failure.error).message)")
    }
    for path in report.paths { console.report(path) }
    console.report(
      "archive \(report.archive.digest.shortID), number \(report.archive.facts.sequence) of its vault, "
        + "\(Readable.bytes(report.archive.byteCount)), read back and verified in \(Readable.seconds(seconds))"
    )
  }

  private func printDry(_ bundle: BackupBundle, _ console: Console) throws {
    if output.json {
      Document.write(DryCreateDocument(bundle))
    } else {
      for source in bundle.reports { SourceLines.print(source, console) }
      printProblems(of: bundle, console)
      console.report("nothing was written (--dry-run)")
    }
    try Self.end(with: bundle, isComplete: bundle.reports.allSatisfy(\.complete))
  }

  func printProblems(of bundle: BackupBundle, _ console: Console) {
    for problem in bundle.problems.prefix(20) {
      let isOfShare = problem.section == UInt32(Section.keyShareDescriptors.rawValue)
      let what =
        isOfShare ? "key shares" : "a record of section \(problem.section) breaks its chain's rules"
      console.warning("\(what), kept all the same: \(problem.problem)")
    }
    for set in bundle.shareReport?.sets ?? [] { console.report("key shares: \(set.summary)") }
  }
}

extension BackupProgress {
  /// What is being done, in a few words.
  var text: String {
    switch self {
    case .collecting(let source): "collecting \(source)"
    case .sealing: "deriving keys"
    case .writing(let section): "writing \(section.name)"
    case .readingBack: "reading back"
    case .checking: "checking the archive"
    case .publishing(let target): "copying to \(target)"
    }
  }
}

extension TargetWarning {
  /// What is not promised, and what that means.
  var sentence: String {
    switch kind {
    case .permissions: "\(path) has no permissions to set: others may copy the archive, which stays sealed"
    case .fileNotSynced, .nameNotSynced:
      "\(path) does not say whether the archive is on the disk: wait before you unplug it or cut the power"
    }
  }
}

/// What a source gave and what not, as lines.
enum SourceLines {
  static func print(_ report: SourceReport, _ console: Console) {
    let counts = report.included.compactMap { included in
      Section(rawValue: UInt16(truncatingIfNeeded: included.section)).map { "\(included.records) \($0.name)" }
    }
    console.report("\(report.name): \(counts.isEmpty ? "nothing" : counts.joined(separator: ", "))")
    for excluded in report.excluded {
      let fate = excluded.byRequest ? "left out" : report.complete ? "not taken" : "MISSING"
      let text = "  \(fate): \(excluded.what): \(excluded.reason)"
      if fate == "MISSING" { console.line(text) } else { console.report(text) }
    }
  }
}
