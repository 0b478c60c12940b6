internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// `list`: the archives of a target, newest first, with no secret.
struct ListCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "list", abstract: "List the archives of a target, with no secret.")

  @Argument(
    help: ArgumentHelp("Folders with archives, or rclone:REMOTE:PATH.", valueName: "target"),
    completion: .directory)
  var folders: [String] = []
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var search: RecursiveOptions
  @Option(help: .maxAgeOfVaults)
  var maxAge: DurationArgument?
  @Flag(help: "Show only archives with a problem.")
  var problemsOnly = false
  @OptionGroup var trust: TrustOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let loaded = try settings.load()
    let named = folders.map { Target(path: $0) }
    let all = named + (named.isEmpty || !targets.target.isEmpty ? targets.targets(loaded) : [])
    guard !all.isEmpty else { throw NoTarget.failure("list", loaded) }
    let configuration = try sandbox.enter(needs(all, loaded), loaded, console)
    let remembered = (try? Places.state())?.vaults() ?? [:]
    let found = try search.listings(of: all, console).map {
      (target: $0.target, entries: try $0.entries.get())
    }
    let entries = found.flatMap(\.entries)
    let ownerships = try Ownerships(
      of: entries.compactMap(\.archive), trust: try trust.trust(configuration).readable)
    let notes = Self.notes(entries, ownerships, remembered)
    let gaps = LineageGaps(entries, ownerships)
    let absent = AbsenceSearch(found, ownerships, remembered.compactMapValues { try? $0.get() }).all
    let late = maxAge.map { Self.late(entries, ownerships, over: $0) }?.sentences ?? []
    let isShown = { (entry: TargetEntry) in !problemsOnly || Self.hasProblem(entry, notes, ownerships) }
    let digests = entries.digests
    guard !output.json else {
      Document.write([
        "schema": "fueki.list/1",
        "archives": entries.filter(isShown).map {
          $0.document(notes[ExactText($0.path)], ownerships, besides: digests)
        },
        "missing": absent.map(\.document),
        "warnings": absent.sentences + gaps.fileSentences + late,
      ])
      guard late.isEmpty else { throw ExitStatus.differs }
      return
    }
    let vaults = Set(entries.compactMap { $0.archive?.facts.vaultID })
    var table = TextTable(["ID", "CREATED", "NUMBER", "SIZE", "FILE"])
    for entry in entries where isShown(entry) {
      let base = entry.archive?.facts.base.map {
        "  on \(BaseLines.sentence($0, isAtHand: digests.contains($0.digest)))"
      }
      let vault = vaults.count < 2 ? nil : entry.archive.map { Self.vault($0.facts.vaultID, configuration) }
      table.add(
        Self.row(
          entry, notes[ExactText(entry.path)], entry.archive.map { ownerships[$0] },
          (vault ?? "") + (base ?? "")))
    }
    let hasHeading = !table.isEmpty && !console.isQuiet
    for line in table.lines(on: Screen(.output), hasHeading: hasHeading) { console.line(line) }
    for sentence in absent.sentences + gaps.fileSentences { console.warning(sentence) }
    if notes.values.contains(.forked) {
      console.warning(
        "a vault's history forks: two machines made backups of it, or an archive was replaced")
    }
    if notes.values.contains(.older), !absent.contains(where: { $0.reason == .neverWritten }) {
      console.warning("this machine knows a newer archive than the newest here: has one been removed?")
    }
    let covers = entries.compactMap { $0.archive.map { SealCover($0.facts) } }
    if let note = SealLines.note(covers) { console.note(note) }
    for target in all {
      let own = entries.filter { ExactText(Target(holding: $0.path).path) == ExactText(target.path) }
      guard let denied = DeniedArchives(of: own, in: target) else { continue }
      console.warning("\(denied.sentence): \(denied.hint)")
    }
    if entries.isEmpty {
      console.note(FindingError.nothing(in: all.map(\.path)) + RecursiveOptions.hint(all))
    }
    for sentence in late { console.warning(sentence) }
    guard late.isEmpty else { throw ExitStatus.differs }
  }

  private static func late(
    _ entries: [TargetEntry], _ ownerships: Ownerships, over limit: DurationArgument
  ) -> LateVaults {
    let archives = entries.compactMap { entry in entry.archive.map { ($0, entry.name) } }
    return LateVaults(
      archives.filter { ownerships[$0.0] != .stranger }.map { ($0.0.facts, $0.1) }, limit: limit.seconds,
      now: SystemClock.now / 1_000_000)
  }

  /// Whether an entry is anything but a whole archive in its place.
  private static func hasProblem(
    _ entry: TargetEntry, _ notes: [ExactText: LineageNote], _ ownerships: Ownerships
  ) -> Bool {
    guard let archive = entry.archive, entry.state == .complete else { return true }
    let note = notes[ExactText(entry.path)]
    if case .otherBytes? = entry.conflict { return true }
    return ownerships[archive] == .stranger || note == .forked || note == .older
  }

  /// Returns the archives' places in their vaults' chains, by path.
  ///
  /// Without this machine's state, or with a damaged one, archives are compared with one another. A stranger's archive
  /// has no place, and occupies none.
  private static func notes(
    _ entries: [TargetEntry], _ ownerships: Ownerships,
    _ remembered: [VaultID: Result<VaultState, any Error>]
  ) -> [ExactText: LineageNote] {
    let archives = entries.filter { entry in entry.archive.map { ownerships[$0] != .stranger } ?? false }
    let facts = archives.compactMap { entry in entry.archive.map { ($0.facts, digest: $0.statedDigest) } }
    let notes = VaultLineage.notes(of: facts) { vault in (try? remembered[vault]?.get())?.known }
    return Dictionary(zip(archives.map { ExactText($0.path) }, notes)) { first, _ in first }
  }

  /// Which of several vaults an archive is of.
  private static func vault(_ id: VaultID, _ configuration: Configuration) -> String {
    "  vault \(id.hex.prefix(8))" + (configuration.name(of: id).map { " (\($0))" } ?? "")
  }

  private static func row(
    _ entry: TargetEntry, _ note: LineageNote?, _ ownership: Ownership?, _ rest: String
  ) -> [String] {
    guard let archive = entry.archive else {
      return [entry.state.rawValue, "", "", Readable.bytes(entry.byteCount), entry.name + recovery(entry)]
    }
    let notable = note == .inPlace ? nil : note?.rawValue
    let whose = ownership.map(OwnershipLines.sentence)
    let state = [entry.state == .complete ? nil : entry.state.rawValue, notable, whose].compactMap { $0 }
      .map { "  \($0)" }.joined()
    let conflict =
      entry.conflict.flatMap { conflict in
        if case .fork = conflict, note != .forked { nil } else { "  (\(conflict.sentence))" }
      } ?? ""
    return [
      archive.statedDigest.shortID, Times.text(archive.facts.created), "\(archive.facts.sequence)",
      Readable.bytes(entry.byteCount), "\(entry.name)\(state)\(rest)\(conflict)\(recovery(entry))",
    ]
  }

  private static func recovery(_ entry: TargetEntry) -> String {
    guard !entry.parity.isEmpty else { return "" }
    return "  +\(Readable.bytes(entry.byteCountWithParity - entry.byteCount)) of recovery files"
  }
}

extension [TargetEntry] {
  /// The digests of the archives among them, from their trailers.
  var digests: Set<Digest> { Set(compactMap { $0.archive?.computedDigest }) }
}

extension TargetEntry.Conflict {
  /// The relation in a few words.
  var sentence: String {
    switch self {
    case .identical(let name): "identical to \(name)"
    case .otherBytes(let name): "the digest of \(name) and other bytes: one of the two is damaged or forged"
    case .fork(let name): "a fork: \(name) has the same number in the vault's history"
    }
  }
}

extension TargetEntry {
  /// What every list of archives in JSON has of a file.
  var document: Members {
    [
      "path": path, "id": archive?.statedDigest.hex, "vault": archive?.facts.vaultID.hex,
      "sequence": archive?.facts.sequence, "created": archive.map { Times.text($0.facts.created) },
      "bytes": byteCount,
    ]
  }

  /// The file in `list --json`.
  fileprivate func document(
    _ note: LineageNote?, _ ownerships: Ownerships, besides digests: Set<Digest>
  ) -> Members {
    let standing: Members =
      switch conflict {
      case .identical(let name): ["identicalTo": name]
      case .otherBytes(let name): ["otherBytesThan": name]
      case .fork(let name): ["forkOf": note == .forked ? name : nil]
      case nil: [:]
      }
    return document + standing + [
      "state": state.rawValue,
      "chain": note?.rawValue,
      "whose": archive.map { ownerships[$0].rawValue },
      "signer": archive?.facts.signer?.hex,
      "seals": archive.flatMap { SealLines.uncovered(SealCover($0.facts)) },
      "base": archive?.facts.base.map { $0.document(isAtHand: digests.contains($0.digest)) },
      "recoveryFiles": parity.map(\.name),
    ]
  }
}
