internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `diff`: what was added, removed and changed between two archives, or since one.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff", abstract: "Compare two archives, or an archive with the wallet as it is now.",
    discussion: "Ids are shown, secrets never. The status is 0 whether or not anything differs.")

  @Argument(
    help: ArgumentHelp("The older archive: a path, a short id, or \"latest\".", valueName: "archive"))
  var older: String
  @Argument(help: ArgumentHelp("The newer archive.", valueName: "newer"))
  var newer: String?
  @Flag(help: "Compare with the wallet's data directory instead of another archive.")
  var live = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var only: OnlyOptions
  @Option(help: ArgumentHelp("Leave out these scopes or sections.", valueName: "sections"))
  var exclude: [String] = []
  @Flag(help: "End with status 60 where something differs.")
  var exitCode = false
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var output: OutputOptions

  func validate() throws {
    guard live == (newer == nil) else {
      throw ValidationError("diff compares with a second archive, or with --live")
    }
  }

  func run() throws {
    let console = output.console
    let selection = try only.selection(excluding: exclude)
    let configuration = try settings.load()
    let finder = ArchiveFinder(targets: targets.targets(configuration))
    let paths = try [older, newer].compactMap { $0 }.map { try finder.path(of: $0) }
    let stored = try paths.map { try StoredArchive(reading: ArchiveFile(try File.openRegular($0))) }
    let unlocking = try secrets.unlocking(console)
    let progress = output.progressLine
    let open = try stored.map { archive in
      try archive.opened(with: unlocking) { _ in try progress.show("verifying") }
    }
    let compared: (Section) throws -> Void = { try progress.show("comparing \($0.name)") }
    let difference =
      if open.count == 2 {
        try open[0].difference(to: open[1], selection: selection, progress: compared)
      } else {
        try open[0].difference(
          to: try collect(asIn: open[0], selection, configuration, progress), selection: selection,
          progress: compared)
      }
    progress.clear()
    if open.count == 2, open[0].facts.vaultID != open[1].facts.vaultID {
      console.warning("the two archives are of different vaults")
    }
    if output.json {
      Document.write(DiffDocument(difference, paths: paths, open))
    } else {
      DiffLines(console).print(difference)
    }
    if exitCode, !difference.isEmpty { throw ExitCode(ExitStatus.differs.rawValue) }
    guard difference.notCompared.isEmpty else { throw ExitCode(ExitStatus.partial.rawValue) }
  }

  /// What a backup would hold now; private keys only where the archive has some.
  private func collect(
    asIn archive: OpenArchive, _ selection: SectionSelection, _ configuration: Configuration,
    _ progress: ProgressLine
  ) throws -> BackupBundle {
    let hasKeys = archive.sections.contains { $0.id == Section.privateKeys.rawValue }
    let request = CollectionRequest(selection: selection, includesPrivateKeys: hasKeys)
    let sources = try SourceList(
      ["store"], data: data, keychain: keychain, configuration: configuration, console: output.console)
    var builder = BackupBundle.Builder()
    for source in try sources.collectors(request) {
      try progress.show(BackupProgress.collecting(source: source.name).text)
      try source.collect(request, into: &builder)
    }
    return builder.build()
  }
}

/// A difference as lines.
private struct DiffLines {
  private static let idsShown = 20
  private let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ difference: BundleDifference) {
    for section in difference.sections where !section.isEmpty {
      let counts = [
        (section.added.count, "added"), (section.removed.count, "removed"),
        (section.changed.count, "changed"),
      ]
      let text = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      console.line("\(section.section.name): \(text)")
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

/// `diff --json`.
struct DiffDocument: Encodable {
  struct Side: Encodable {
    let path: String
    let id: String
    let sequence: UInt64
  }

  struct Changes: Encodable {
    let added: [String]
    let removed: [String]
    let changed: [String]
  }

  let schema = "fueki.diff/1"
  let older: Side
  let newer: Side?
  let live: Bool
  let equal: Bool
  let sections: [String: Changes]
  let notCompared: [String]

  enum CodingKeys: String, CodingKey {
    case schema, older, newer, live, equal, sections
    case notCompared = "not_compared"
  }

  init(_ difference: BundleDifference, paths: [String], _ archives: [OpenArchive]) {
    let sides = zip(paths, archives).map { path, archive in
      Side(path: path, id: archive.digest.hex, sequence: archive.facts.sequence)
    }
    older = sides[0]
    newer = sides.count > 1 ? sides[1] : nil
    live = sides.count == 1
    equal = difference.isEmpty
    sections = Dictionary(
      uniqueKeysWithValues: difference.sections.map { section in
        (
          section.section.name,
          Changes(added: section.added, removed: section.removed, changed: section.changed)
        )
      })
    notCompared = difference.notCompared
  }
}
