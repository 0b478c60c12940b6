internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `export`: an archive's records in open formats.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export", abstract: "Write an archive's records in open formats.",
    discussion: "Secrets are left out unless asked for: they would lie there in the clear.")

  @Argument(
    help: ArgumentHelp("A path, a short id, or \"latest\".", valueName: "archive"), completion: .file())
  var archive = "latest"
  @Option(help: ArgumentHelp("The directory to make.", valueName: "dir"), completion: .directory)
  var output: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var only: OnlyOptions
  @Option(
    help: ArgumentHelp(
      "jsonl: one JSON object a line; csv: a table a section; eip3076: slashing records, merged.",
      valueName: "format"))
  var format = FormatArgument.jsonl
  @Flag(help: "In a table, write texts exactly, those that a spreadsheet takes for formulas too.")
  var raw = false
  @Flag(help: "Write key shares, private keys and secret files too, in the clear.")
  var includeSecrets = false
  @Flag(help: "Of a damaged archive, write what is whole, and name what is lost.")
  var salvage = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var speech: OutputOptions

  func run() throws {
    let console = speech.console
    let selection = try only.selection()
    guard includeSecrets || only.only.isEmpty || !selection.touches(.secrets) else {
      throw CommandError.usage(
        "--only names secrets, which are written in the clear and so only with --include-secrets")
    }
    let destination = try ExportDestination(output: output, format: format.format, isExact: raw)
    let loaded = try settings.load()
    try secrets.readGiven(console)
    let configuration = try sandbox.enter(needs(destination, loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    try found.checkNewest()
    let stored = found.stored
    var recovery = Recovery(
      clock: { SystemClock.monotonicSeconds },
      secrets: {
        try secrets.unlocking(stored, configuration.slotNames(of: stored), readsFiles: false, console)
      })
    recovery.trusted = try found.trusted
    recovery.salvages = salvage
    recovery.proofs = nil
    recovery.selection =
      includeSecrets
      ? selection
      : try only.selection(excluding: [ArchiveScope.secrets.name])
    let progress = speech.progressLine
    let outcome = try recovery.run(stored, resyncer: nil) { event in
      if case .began(let stage) = event { try progress.show(stage.rawValue) }
    } prepare: { _ in
      (destination, includeSecrets ? destination.secrets : nil)
    }
    progress.clear()
    LossLines.print(outcome.archive, outcome.report.losses, console)
    for name in destination.incompleteFiles { console.warning("\(name): not every part is in the archive") }
    if includeSecrets { console.warning("\(output)/secrets holds secrets in the clear") }
    if speech.json {
      Document.write(ExportDocument(outcome, output: output))
    } else {
      for (section, count) in outcome.report.restored.sorted(by: { $0.key < $1.key }) {
        console.report("\(section.name): \(count)")
      }
      console.report("exported to \(output)")
    }
    guard outcome.report.isComplete, destination.incompleteFiles.isEmpty else {
      throw ExitStatus.partial
    }
  }
}

/// `export --json`.
struct ExportDocument: Encodable {
  let schema = "fueki.export/1"
  let archive: String
  let output: String
  let sections: [String: UInt64]
  let lost: [LossDocument]
  let lostScopes: [String]

  enum CodingKeys: String, CodingKey {
    case schema, archive, output, sections, lost
    case lostScopes = "lost_scopes"
  }

  init(_ outcome: RecoveryOutcome, output: String) {
    archive = outcome.archive.digest.hex
    self.output = output
    lost = outcome.report.losses.sections.map(LossDocument.init)
    lostScopes = outcome.report.losses.scopes.map(\.name)
    sections = Dictionary(uniqueKeysWithValues: outcome.report.restored.map { ($0.key.name, $0.value) })
  }
}

/// A format as people type it.
enum FormatArgument: String, CaseIterable, ExpressibleByArgument {
  case jsonl
  case csv
  case eip3076

  var format: ExportFormat {
    switch self {
    case .jsonl: .jsonl
    case .csv: .csv
    case .eip3076: .eip3076
    }
  }
}
