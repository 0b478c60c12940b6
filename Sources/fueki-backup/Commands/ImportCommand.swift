internal import ArgumentParser
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `import`: another wallet's files into the data directory.
struct ImportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "import", abstract: "Take another wallet's backup or files into the data directory.",
    discussion: "All or nothing: a record that is there and differs stops it, with exit status 40.")

  @Argument(help: ArgumentHelp("Files, or folders of them.", valueName: "file"))
  var files: [String]
  @Option(help: ArgumentHelp("The kind of the files; recognised where not given.", valueName: "kind"))
  var format: String?
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @Flag(help: "Read the files, say what would be imported, and write nothing.")
  var dryRun = false
  @Flag(help: "Take a passphrase that can be guessed for a new keychain.")
  var allowWeakPassphrase = false
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var cost: CostOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let sources = try files.map { path in
      if let format { return try CollectorKind(named: format).source(at: path) }
      guard let kind = try CollectorKind.recognised(at: path) else {
        throw ForeignFileError.notThisFormat(
          reason: "\(path) is of no kind that is known here; give --format")
      }
      return kind.source(at: path)
    }
    let configuration = try settings.load()
    let vault = try configuration.vault()
    let directory = try data.path(configuration)
    let read = try sources.map { try ($0.name, $0.read(CollectionRequest())) }
    let reports = read.map { name, records in records.report(source: name) }
    for (_, records) in read {
      for problem in records.problems.prefix(20) { console.warning("kept, although \(problem.problem)") }
    }
    guard !dryRun else { return print(reports, nil, console) }

    let lock = try Places.state().lock(purpose: "import", processID: CurrentProcess.identifier)
    defer { withExtendedLifetime(lock) {} }
    let editor = try keychainEditor(read.map(\.1), directory, vault, console)
    let store = try openOrCreate(directory)
    defer { try? store.close() }
    let outcome = try store.importRecords { running in
      for (_, records) in read { try records.add(to: running) }
    }
    guard outcome.conflicts.isEmpty else { throw Failure.Thrown(failure: Self.failure(outcome)) }
    if let editor { _ = try editor.write(in: directory) }
    print(reports, outcome, console)
    guard reports.allSatisfy(\.complete) else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  /// The keychain with the imported shares in it, not yet written; nil where there are none.
  private func keychainEditor(
    _ read: [ImportedRecords], _ directory: String, _ vault: VaultSettings, _ console: Console
  ) throws -> KeychainEditor? {
    let shares = read.flatMap(\.shares)
    guard !shares.isEmpty else { return nil }
    let editor: KeychainEditor
    var known: Set<[UInt8]> = []
    if try Keychain.currentStamp(in: directory) != nil {
      let opened = try Keychain.read(directory, with: try keychain.opening(console, vault))
      for share in opened.shares { known.insert([UInt8](share.descriptor.id)) }
      editor = KeychainEditor(editing: opened)
    } else {
      editor = try KeychainEditor(
        slots: try keychain.newSlots(console, cost: cost.cost(vault), allowsWeak: allowWeakPassphrase, vault))
    }
    for share in shares where known.insert([UInt8](share.descriptor.id)).inserted {
      try editor.add(share: share.descriptor, secret: share.secret.bytes)
    }
    return editor
  }

  private func openOrCreate(_ directory: String) throws -> WalletStore {
    do {
      return try WalletStore.open(directory)
    } catch StoreError.notThere {
      try Directory.makePrivateDirectories(directory)
      return try WalletStore.create(directory)
    }
  }

  private static func failure(_ outcome: StoreImport.Outcome) -> Failure {
    let named = outcome.conflicts.prefix(5).map { conflict in
      "\(conflict.section.name) \(conflict.id)"
    }.joined(separator: ", ")
    return Failure(
      .wouldOverwrite, "\(outcome.conflicts.count) records are there already and differ: \(named)",
      meaning: "nothing was imported: the store is as it was", hint: "import into another --datadir")
  }

  private func print(_ reports: [SourceReport], _ outcome: StoreImport.Outcome?, _ console: Console) {
    guard !output.json else { return Document.write(ImportDocument(reports, outcome)) }
    for report in reports { SourceLines.print(report, console) }
    guard let outcome else { return console.report("nothing was written (--dry-run)") }
    for (section, count) in outcome.added.sorted(by: { $0.key < $1.key }) {
      console.report("added \(count) \(section.name)")
    }
    let equal = outcome.equal.values.reduce(0, +)
    if equal > 0 { console.report("\(equal) records were there already") }
  }
}

extension ImportedRecords {
  /// Adds all records but the shares' secrets, which are the keychain's.
  fileprivate func add(to store: StoreImport) throws {
    try store.add(wallets)
    try store.add(contacts)
    try store.add(settings)
    try store.add(descriptors + shares.map(\.descriptor))
    try store.add(files)
    try store.add(transactions)
    try store.add(receipts)
    for problem in problems { try store.note(problem) }
  }
}

/// `import --json`.
struct ImportDocument: Encodable {
  let schema = "fueki.import/1"
  let sources: [SourceDocument]
  let added: [String: UInt64]?
  let equal: [String: UInt64]?

  init(_ reports: [SourceReport], _ outcome: StoreImport.Outcome?) {
    func named(_ counts: [Section: UInt64]) -> [String: UInt64] {
      Dictionary(uniqueKeysWithValues: counts.map { ($0.key.name, $0.value) })
    }
    sources = reports.map(SourceDocument.init)
    added = (outcome?.added).map(named)
    equal = (outcome?.equal).map(named)
  }
}
