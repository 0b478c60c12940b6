internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `diff`: lists records added, removed and changed between two archives, or since one.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two archives, or an archive with the wallet as it is now.",
    discussion: "Ids are shown, secrets never. The status is 0 whether or not anything differs.")

  @Argument(
    help: ArgumentHelp("The older archive: a path, a short id, or \"latest\".", valueName: "archive"),
    completion: .file())
  var older = "latest"
  @Argument(help: ArgumentHelp("The newer archive.", valueName: "newer"), completion: .file())
  var newer: String?
  @Flag(help: "Compare with the wallet as it is now, instead of with another archive.")
  var live = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var only: OnlyOptions
  @Option(
    help: .exclude, completion: .sections)
  var exclude: [String] = []
  @Flag(help: "Exit with status 60 if something differs.")
  var exitCode = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard live == (newer == nil) else {
      throw ValidationError("diff compares with a second archive, or with --live")
    }
  }

  func run() throws {
    let console = output.console
    let selection = try only.selection(excluding: exclude)
    let loaded = try settings.load()
    let sources = live ? try sources(loaded) : nil
    try secrets.readGiven(console)
    if live { try keychain.readGiven(console) }
    let configuration = try sandbox.enter(needs(loaded), loaded, console)
    let found = try [older, newer].compactMap { $0 }.map {
      try FoundArchive($0, in: targets.targets(configuration), trust, configuration, console)
    }
    for archive in found { try archive.checkNewest() }
    let unlocking =
      try found.first.map { try secrets.unlocking($0.stored, readsFiles: false, console) }
      ?? secrets.unlocking(console)
    let progress = try output.progressLine
    let open = try found.map { archive in
      try archive.stored.opened(
        with: unlocking, names: configuration.slotNames(of: archive.stored), bases: archive.bases,
        trusting: archive.trusted
      ) { _ in
        try progress.show("verifying")
      }
    }
    let compared: (Section) throws -> Void = { try progress.show("comparing \($0.name)") }
    let difference =
      if open.count == 2 {
        try open[0].difference(to: open[1], selection: selection, progress: compared)
      } else {
        try open[0].difference(
          to: try collect(sources, asIn: open[0], selection, progress), selection: selection,
          progress: compared)
      }
    progress.clear()
    if open.count == 2, open[0].facts.vaultID != open[1].facts.vaultID {
      console.warning("the two archives are of different vaults")
    }
    if output.json {
      Document.write([
        "schema": "fueki.diff/1",
        "older": open[0].document(found[0].path),
        "newer": open.count > 1 ? open[1].document(found[1].path) : nil,
        "live": open.count == 1,
        "equal": difference.isEmpty,
        "sections": difference.sections.document,
        "notCompared": difference.notCompared,
      ])
    } else {
      DiffLines(console).print(difference)
    }
    if exitCode, !difference.isEmpty { throw ExitStatus.differs }
    guard difference.notCompared.isEmpty else { throw ExitStatus.partial }
  }

  /// The sources that a backup has where no option names them.
  private func sources(_ configuration: Configuration) throws -> SourceList {
    try SourceList([], data: data, keychain: keychain, configuration: configuration, console: output.console)
  }

  /// Collects the contents of a backup made now, with the secrets that the archive's request included.
  private func collect(
    _ sources: SourceList?, asIn archive: OpenArchive, _ selection: SectionSelection,
    _ progress: ProgressLine
  ) throws -> BackupBundle {
    let request = try ArchivedRequest(of: archive, selection)
    let collectors = try sources?.collectors(request.whole) ?? []
    return try BackupBundle.collected(from: collectors) { source in
      try progress.show(BackupProgress.collecting(source: source.name).text)
      return request.request(of: source)
    } leavingOut: {
      try SourceErrors.leavingOut($0, $1, output.console)
    }
  }
}

/// A difference as lines.
struct DiffLines {
  private static let idsShown = 20
  private let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ difference: BundleDifference) {
    for section in difference.sections where !section.isEmpty {
      console.line("\(section.section.name): \(section.countsText)")
      print(section.added, as: "+")
      print(section.removed, as: "-")
      print(section.changed, as: "~")
    }
    for name in difference.notCompared { console.warning("\(name): not compared") }
    if difference.isEmpty { console.report("nothing differs") }
  }

  private func print(_ ids: [String], as sign: String) {
    let shown = console.isVerbose ? ids.count : Self.idsShown
    for id in ids.prefix(shown) { console.line("  \(sign) \(id)") }
    if ids.count > shown { console.line("  \(sign) and \(ids.count - shown) more (-v shows all)") }
  }
}

extension SectionDifference {
  /// How many records differ in which way, such as "2 added, 1 changed".
  var countsText: String {
    let counts = [(added.count, "added"), (removed.count, "removed"), (changed.count, "changed")]
    return counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
  }
}

extension OpenArchive {
  fileprivate func document(_ path: String) -> Members {
    ["path": path, "id": digest.hex, "sequence": facts.sequence]
  }
}

extension [SectionDifference] {
  /// The sections by name, in JSON.
  var document: [String: Members] {
    Dictionary(
      uniqueKeysWithValues: map {
        ($0.section.name, ["added": $0.added, "removed": $0.removed, "changed": $0.changed])
      })
  }
}
