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
    commandName: "import", abstract: "Take another wallet's backup or files into the data directory.",
    discussion: """
      All or nothing: a record that is there and differs stops it, with exit status 40, unless --on-conflict says \
      otherwise.

      Kinds:
      \(CollectorKind.all.map { "  \($0.name): \($0.summary)" }.joined(separator: "\n"))
      """)

  @Argument(help: ArgumentHelp("Files, or folders of them.", valueName: "file"))
  var files: [String]
  @Option(help: ArgumentHelp("The kind of the files; recognised where not given.", valueName: "kind"))
  var format: String?
  @Option(
    help: ArgumentHelp(
      "What happens to a record that is there and differs: fail, skip, replace.", valueName: "rule"))
  var onConflict = ImportRule.fail
  @OptionGroup var source: SourceSecretOptions
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var lock: LockOptions
  @Flag(help: "Read and compare, say what would be imported, and write nothing.")
  var dryRun = false
  @Flag(help: "Take a passphrase that can be guessed for a new keychain.")
  var allowWeakPassphrase = false
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let passphrase = source.passphrase(console)
    let sources = try files.map { try source(at: $0, passphrase) }
    let configuration = try settings.load()
    let directory = try data.path(configuration)
    let request = CollectionRequest(includesPrivateKeys: true)
    let read = try sources.map { try ($0.name, $0.read(request)) }
    let reports = read.map { name, records in records.report(source: name) }
    for (_, records) in read {
      for problem in records.problems.prefix(20) { console.warning("kept, although \(problem.problem)") }
    }
    let records = read.map(\.1)
    guard !dryRun else {
      let plan = try StoreImport.plan(directory, onConflict: onConflict.policy) { running in
        for records in records { try records.add(to: running) }
      }
      return ImportLines(reports, plan, isDryRun: true).print(console, isJSON: output.json)
    }
    let lock = try lock.take("import", output)
    defer { withExtendedLifetime(lock) {} }
    let outcome = try write(records, into: directory, try configuration.vault(), console)
    ImportLines(reports, outcome, isDryRun: false).print(console, isJSON: output.json)
    guard reports.allSatisfy(\.complete) else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  private func source(at path: String, _ passphrase: SourcePassphrase) throws -> any ForeignSource {
    if let format { return try CollectorKind(named: format).source(at: path, passphrase: passphrase) }
    guard let kind = try CollectorKind.recognised(at: path) else {
      throw ForeignFileError.notThisFormat(
        reason: "\(path) is of no kind that is known here; give --format")
    }
    return kind.source(at: path, passphrase: passphrase)
  }

  /// Writes the keychain, then lets the store's transaction end: a run that is killed in between leaves secrets that no
  /// record speaks of, and never records whose secrets are missing.
  private func write(
    _ records: [ImportedRecords], into directory: String, _ vault: VaultSettings, _ console: Console
  ) throws -> StoreImport.Outcome {
    let secrets = try secrets(records, directory, vault, console)
    if let secrets, onConflict == .fail, !secrets.outcome.conflicts.isEmpty {
      throw Failure.Thrown(failure: Self.failure(secrets.outcome))
    }
    let place = try ImportPlace(directory)
    var outcome = try place.store.importRecords(onConflict: onConflict.policy) { running in
      for records in records { try records.add(to: running) }
    } beforeCommit: {
      if let secrets, secrets.isChanged { try secrets.write(in: place.directory) }
    }
    guard onConflict != .fail || outcome.conflicts.isEmpty else {
      throw Failure.Thrown(failure: Self.failure(outcome))
    }
    try place.finish()
    if let secrets { outcome.add(secrets.outcome) }
    return outcome
  }

  /// The secrets, compared with those of the keychain; nil where there are none.
  private func secrets(
    _ records: [ImportedRecords], _ directory: String, _ vault: VaultSettings, _ console: Console
  ) throws -> ImportedSecrets? {
    guard records.contains(where: \.hasSecrets) else { return nil }
    // Without a data directory there is no keychain either.
    if (try? Directory.open(directory)) != nil, try Keychain.currentStamp(in: directory) != nil {
      let opened = try Keychain.read(directory, with: try keychain.opening(console, vault))
      return try ImportedSecrets(
        records, editor: KeychainEditor(editing: opened), keychain: opened, policy: onConflict.policy)
    }
    let editor = try KeychainEditor(
      slots: try keychain.newSlots(console, cost: cost.cost(vault), allowsWeak: allowWeakPassphrase, vault))
    return try ImportedSecrets(records, editor: editor, keychain: nil, policy: onConflict.policy)
  }

  private static func failure(_ outcome: StoreImport.Outcome) -> Failure {
    let named = outcome.conflicts.prefix(5).map { conflict in
      "\(conflict.section.name) \(conflict.id)"
    }.joined(separator: ", ")
    return Failure(
      .wouldOverwrite, "\(outcome.conflicts.count) records are there already and differ: \(named)",
      meaning: "nothing was imported: the data directory is as it was",
      hint: "import into another --datadir, or choose with --on-conflict skip or replace")
  }
}

/// What an import does with a record that is there and differs.
enum ImportRule: String, ExpressibleByArgument, CaseIterable {
  case fail
  case skip
  case replace

  var policy: ImportConflictPolicy {
    switch self {
    case .fail: .fail
    case .skip: .keep
    case .replace: .replace
    }
  }
}

extension ImportedRecords {
  /// Whether something of it belongs into the keychain.
  fileprivate var hasSecrets: Bool { !shares.isEmpty || !privateKeys.isEmpty || !secretFiles.isEmpty }

  /// Adds all records but the secrets, which are the keychain's.
  fileprivate func add(to store: StoreImport) throws {
    try store.add(wallets)
    try store.add(assets)
    try store.add(contacts)
    try store.add(settings)
    try store.add(descriptors + shares.map(\.descriptor))
    try store.add(files)
    try store.add(transactions)
    try store.add(receipts)
    try store.add(credentialSharing)
    try store.add(idTokenSharing)
    for problem in problems { try store.note(problem) }
  }
}
