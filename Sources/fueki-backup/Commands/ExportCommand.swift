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
    discussion: "Secrets are left out unless you ask for them: they are written unencrypted.")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @Option(
    name: .withLetter(.output), help: ArgumentHelp("The directory to make.", valueName: "dir"),
    completion: .directory)
  var output: String
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var only: OnlyOptions
  @Option(
    help: ArgumentHelp(
      "jsonl (one JSON object a line), csv (a table a section), native (every original file), bip329 (labels), bed "
        + "(encrypted descriptors), or eip3076 (slashing records, merged).", valueName: "format"))
  var format = FormatArgument.jsonl
  @Flag(
    help: ArgumentHelp(
      "In tables, write texts exactly, even those that a spreadsheet takes for formulas.", visibility: .more))
  var raw = false
  @Flag(help: "Write key shares, private keys and secret files too, in the clear.")
  var includeSecrets = false
  @Flag(help: "Write what is undamaged in a damaged archive, and name what is lost.")
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
    if let sections = format.sections, sections.intersection(selection.sections).isEmpty {
      throw CommandError.usage("--format \(format.rawValue) has nothing of what --only names")
    }
    let destination = try format.output(at: output, isExact: raw)
    let loaded = try settings.load()
    try secrets.readGiven(console)
    let configuration = try sandbox.enter(needs(destination, loaded), loaded, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    try found.checkNewest()
    let stored = found.stored
    var recovery = Recovery(
      clock: { SystemClock.workingSeconds },
      secrets: {
        try secrets.unlocking(stored, configuration.slotNames(of: stored), readsFiles: false, console)
      })
    recovery.trusted = try found.trusted
    recovery.bases = found.bases.candidates
    recovery.options.salvages = salvage
    recovery.proofs = nil
    recovery.selection = format.selection(
      of: includeSecrets ? selection : try only.selection(excluding: [ArchiveScope.secrets.name]))
    let progress = try speech.progressLine
    let outcome = try recovery.run(stored, resyncer: nil) { event in
      if case .began(let stage) = event { try progress.show(stage.rawValue) }
    } prepare: { _ in
      (destination, includeSecrets ? destination.keychain : nil)
    }
    progress.clear()
    LossLines.print(outcome.archive, outcome.losses, outcome.manifest, console)
    for name in destination.incompleteFiles { console.warning("\(name): not every part is in the archive") }
    if includeSecrets, destination.keychain != nil {
      console.warning("\(format == .native ? output : "\(output)/secrets") holds secrets in the clear")
    }
    if !destination.keepsPermissions { console.warning(UnprotectedText.warning(output)) }
    RenamedFileLines.print(destination.renamedFiles, console)
    let leftOut = (destination as? InterchangeExport)?.leftOut ?? 0
    if leftOut > 0 { console.warning("\(leftOut) descriptors have no public key to encrypt them to") }
    if speech.json {
      Document.write(
        outcome.losses.document + [
          "schema": "fueki.export/1",
          "archive": outcome.archive.digest.hex,
          "output": output,
          "sections": outcome.restored.document,
          "renamed": destination.renamedFiles.map { ["path": $0.path, "written": $0.written] as Members },
        ])
    } else {
      for (section, count) in outcome.restored.sorted(by: { $0.key < $1.key }) {
        console.report("\(section.name): \(count)")
      }
      console.report("exported to \(output)")
    }
    guard outcome.isComplete, destination.incompleteFiles.isEmpty else {
      throw ExitStatus.partial
    }
  }
}

/// A format as people type it.
enum FormatArgument: String, CaseIterable, ExpressibleByArgument {
  case jsonl
  case csv
  case native
  case bip329
  case bed
  case eip3076

  /// Creates the output of the format.
  func output(at path: String, isExact: Bool) throws -> any ExportOutput {
    switch self {
    case .jsonl: try ExportDestination(output: path, format: .jsonl, isExact: isExact)
    case .csv: try ExportDestination(output: path, format: .csv, isExact: isExact)
    case .native: try NativeExport(output: path)
    case .bip329: try InterchangeExport(output: path, format: .labels)
    case .bed: try InterchangeExport(output: path, format: .encryptedDescriptors)
    case .eip3076: try ExportDestination(output: path, format: .eip3076, isExact: isExact)
    }
  }

  /// The sections that the format exports; nil for all.
  var sections: Set<Section>? {
    switch self {
    case .jsonl, .csv: nil
    case .native: NativeExport.sections
    case .bip329: InterchangeExport.sections(of: .labels)
    case .bed: InterchangeExport.sections(of: .encryptedDescriptors)
    case .eip3076: [.files]
    }
  }

  /// Returns the part of the archive to read for the format.
  func selection(of selection: SectionSelection) -> SectionSelection {
    sections.map { selection.only($0) } ?? selection
  }
}

/// The files of an export under other names than their own.
enum RenamedFileLines {
  private static let shown = 20

  /// Prints both names of each file, one line per file.
  static func print(_ files: [RenamedFile], _ console: Console) {
    for file in files.prefix(shown) {
      console.warning(
        "\(file.written) is the file \(file.path): its own name is taken, or the file system does not accept it"
      )
    }
    if files.count > shown { console.warning("and \(files.count - shown) more under other names") }
  }
}
