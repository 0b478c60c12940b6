internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `import`: another wallet's files into the data directory.
///
/// Read and checked, compared, then written: secrets first, then the records that speak of them.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Import another wallet's backup or files into the data directory.",
    discussion: """
      All or nothing: a record that is there and differs stops it, with exit status 40, unless --on-conflict says \
      otherwise.

      Kinds:
      \(CollectorKind.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("Files, or folders of them.", valueName: "file"), completion: .file())
  var files: [String]
  @Option(
    help: ArgumentHelp("The kind of the files, if their content does not show it.", valueName: "kind"),
    completion: .sourceKinds)
  var format: String?
  @Option(
    help: .onConflict, completion: .conflictPolicies,
    transform: ConflictPolicy.init(option:))
  var onConflict = ConflictPolicy.fail
  @OptionGroup var source: SourceSecretOptions
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var lock: LockOptions
  @Flag(name: .withLetter(.dryRun), help: "Read and compare, say what would be imported, and write nothing.")
  var dryRun = false
  @OptionGroup var accepted: ConsentOptions<PassphraseConsents>
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let directory = try data.path(configuration)
    try source.readGiven(console)
    if !dryRun { try keychain.readGiven(console) }
    let lock = dryRun ? nil : try lock.take("import", output)
    defer { withExtendedLifetime(lock) {} }
    let place = dryRun ? nil : try ImportPlace(directory)
    let vault = dryRun ? VaultSettings() : try configuration.vault()
    _ = try sandbox.enter(
      needs(place?.directory ?? directory, isNew: place?.isNew ?? false, vault), configuration, console)
    let passphrase = source.passphrase(console)
    let sources = try files.map { try source(at: $0, passphrase) }
    let request = CollectionRequest(includesPrivateKeys: true)
    var ids = FileIDs()
    let read = try sources.map { source in
      var records = try source.read(request)
      records.nameFiles(&ids)
      return (source.name, records)
    }
    let reports = read.map { name, records in records.report(source: name) }
    for (_, records) in read {
      for problem in records.problems.prefix(20) { console.warning("kept, although \(problem.problem)") }
    }
    let records = read.map(\.1)
    if let place {
      let outcome = try write(records, into: directory, place, vault, console)
      ImportLines(reports, outcome, isDryRun: false).print(console, isJSON: output.json)
    } else {
      let plan = try StoreImport.plan(directory, onConflict: onConflict) { try $0.add(records) }
      ImportLines(reports, plan, isDryRun: true).print(console, isJSON: output.json)
    }
    guard reports.allSatisfy(\.complete) else { throw ExitStatus.partial }
  }

  private func source(at path: String, _ passphrase: SourcePassphrase) throws -> any ForeignSource {
    if let format { return try CollectorKind(named: format).source(at: path, passphrase: passphrase) }
    guard let kind = try CollectorKind.recognised(at: path) else {
      throw Failure.unknownFile(path, isFolder: (try? Directory.open(path)) != nil)
    }
    return kind.source(at: path, passphrase: passphrase)
  }

  private func write(
    _ records: [ImportedRecords], into directory: String, _ place: ImportPlace, _ vault: VaultSettings,
    _ console: Console
  ) throws -> MergeReport {
    // Before the store is locked, because the user may take long to answer.
    let secret = try secret(for: records, directory, vault, console)
    let report = try place.open().importRecords(onConflict: onConflict) { running in
      try running.add(records)
      guard let secret else { return }
      switch secret {
      case .present(let keychain, let opening): try running.keychain?.use(keychain, opening)
      case .new(let slots): running.keychain?.create(opening: slots)
      }
      for records in records { try records.addSecrets(to: running) }
    }
    guard onConflict != .fail || report.conflicts.isEmpty else {
      throw Self.failure(report.conflicts)
    }
    try place.finish()
    return report
  }

  /// The secret for the keychain that receives the secrets.
  private enum Secret {
    case present(Keychain, KeychainOpening)
    case new([NewKeychainSlot])
  }

  private func secret(
    for records: [ImportedRecords], _ directory: String, _ vault: VaultSettings, _ console: Console
  ) throws -> Secret? {
    guard records.contains(where: \.hasSecrets) else { return nil }
    // Without a data directory there is no keychain either.
    if (try? Directory.open(directory)) != nil, try Keychain.currentStamp(in: directory) != nil {
      let opening = try keychain.opening(console, vault, of: directory)
      return .present(try Keychain.read(directory, with: opening), opening)
    }
    let rule = PassphraseRule(
      cost.cost(vault), allowsWeak: accepted.consents.contains(.weakPassphrase),
      names: KnownNames.of(vault) + records.flatMap(\.wallets).map(\.name))
    return .new(try keychain.newSlots(console, rule, vault))
  }

  private static func failure(_ conflicts: [RestoreConflict]) -> Failure {
    let count = conflicts.count == 1 ? "1 record is" : "\(conflicts.count) records are"
    var failure = Failure(
      .wouldOverwrite, "\(count) already there, but different in the files",
      meaning: "nothing was imported: the data directory is as it was",
      hint: "import into another --datadir, or say with --on-conflict skip, newer, replace or rename"
        + " what happens to them")
    failure.conflicts = conflicts
    failure.conflictOrigin = .importedFile
    return failure
  }
}

extension StoreImport {
  /// Adds the records, except for the secrets.
  ///
  /// Wallets come first, because the others need their names.
  fileprivate func add(_ read: [ImportedRecords]) throws {
    for problem in read.flatMap(\.problems) { note(problem) }
    try add(read.flatMap(\.wallets))
    for records in read {
      try records.forEachRecord(besides: .wallets) { try add(one: $0) }
    }
  }

  private func add(one record: some SectionRecord) throws { try add([record]) }
}

extension ImportedRecords {
  /// Whether something of it belongs into the keychain.
  fileprivate var hasSecrets: Bool { !shares.isEmpty || !privateKeys.isEmpty || holdsSecretFiles }

  fileprivate func addSecrets(to store: StoreImport) throws {
    for share in shares { try store.add(share: share.descriptor, secret: share.secret) }
    for key in privateKeys {
      let message = try key.encoded()
      try store.keychain?.add(secretRecord: message, of: .privateKeys)
    }
    try forEachSecretFileRecord { try store.keychain?.add(secretRecord: $0, of: .secretFiles) }
  }
}

/// Where the passphrase of another wallet's encrypted files comes from.
struct SourceSecretOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("The other wallet's passphrase: \(SecretPlace.forms).", valueName: "place"))
  var sourcePassphraseFrom: SecretPlace?

  /// Returns the passphrase, requested at most once in a run, and only for a file that needs it.
  func passphrase(_ console: Console) -> SourcePassphrase {
    let source = source
    return SourcePassphrase { try source.read(console).secret }
  }

  /// Reads a given one, so that it is known after the run has given up its rights.
  func readGiven(_ console: Console) throws { _ = try source.given(console) }

  private var source: SecretSource {
    SecretSource(place: sourcePassphraseFrom, name: .source, secret: .source)
  }
}

/// The result of an import, or its preview.
struct ImportLines {
  private let reports: [SourceReport]
  private let outcome: MergeReport
  private let isDryRun: Bool

  init(_ reports: [SourceReport], _ outcome: MergeReport, isDryRun: Bool) {
    self.reports = reports
    self.outcome = outcome
    self.isDryRun = isDryRun
  }

  /// `import --json`.
  private var document: Members {
    func named(_ count: (Section) -> UInt64) -> [String: UInt64] {
      let counts = outcome.counts.keys.map { ($0.name, count($0)) }.filter { $0.1 > 0 }
      return Dictionary(uniqueKeysWithValues: counts)
    }
    return [
      "schema": "fueki.import/1",
      "sources": reports.map(\.document),
      "dryRun": isDryRun,
      "added": named { outcome.counts[$0]?.added ?? 0 },
      "equal": named { outcome.counts[$0]?.equal ?? 0 },
      "replaced": named(outcome.replaced),
      "differing": named { outcome.counts[$0]?.differing ?? 0 },
      "conflicts": outcome.conflicts.map(\.document),
      "namesakes": outcome.namesakes.map(\.document),
    ]
  }

  func print(_ console: Console, isJSON: Bool) {
    guard !isJSON else { return Document.write(document) }
    for report in reports { SourceLines.print(report, console) }
    for conflict in outcome.conflicts { console.warning(conflict.line(of: .importedFile)) }
    for namesake in outcome.namesakes { console.warning(namesake.line(of: .importedFile)) }
    for (section, merged) in outcome.counts.sorted(by: { $0.key < $1.key }) where merged.all > 0 {
      let replaced = outcome.replaced(in: section)
      let counts: [(UInt64, String)] = [
        (merged.added, isDryRun ? "would be added" : "added"),
        (merged.equal, isDryRun ? "are equal" : "were there already"),
        (replaced, isDryRun ? "would be replaced" : "replaced"),
        (merged.differing - min(replaced, merged.differing), isDryRun ? "differ" : "kept, which differ"),
      ]
      let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      console.report("\(section.name): \(text)")
    }
    guard isDryRun else { return }
    let secrets: [Section] = [.keyShares, .privateKeys, .secretFiles]
    let count = reports.reduce(0) { sum, report in
      sum + secrets.reduce(0) { $0 + report.records(in: $1) }
    }
    if count > 0 {
      console.report("\(Readable.count(count, "secret")) would be compared with the keychain's")
    }
    console.report("nothing was written (--dry-run)")
  }
}

extension MergeReport {
  /// How many records of a section took the place of others.
  fileprivate func replaced(in section: Section) -> UInt64 {
    UInt64(conflicts.count { $0.section == section && $0.resolution == .replaced })
  }
}
