internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCollectors
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `drill`: a restore for practice, in memory, compared and wiped.
struct DrillCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "drill", abstract: "Restore an archive for practice, compare every record, and wipe it.",
    discussion: "Exit status: 0 everything came back; 60 something differs. See fueki-backup-drill(1).")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var data: DataOptions
  @Option(
    help: ArgumentHelp(
      "Restore into this folder, instead of one in memory.", valueName: "dir", visibility: .more),
    completion: .directory)
  var scratch: String?
  @Flag(help: ArgumentHelp("Do not compare with the wallet in use.", visibility: .more))
  var noLive = false
  @Option(
    name: .withLetter(.output),
    help: ArgumentHelp(
      "Write the result's line to this file too, replacing an older one.", valueName: "file",
      visibility: .more),
    completion: .file()
  )
  var file: String?
  @OptionGroup var passwords: KeystorePasswordOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @OptionGroup var signing: SigningOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let hooked = HookedRun("drill", configuration, console)
    let work: (RunFacts) throws -> Void = { facts in
      let readers = noLive ? nil : sandbox.readers(console, isJSON: output.json)
      try hold(configuration, readers, facts, console)
    }
    // Hooks need rights that a process gives up before reading archives.
    try sandbox.noSandbox ? hooked.run(work) : hooked.runApart(work)
  }

  private func hold(
    _ loaded: Configuration, _ readers: Readers?, _ facts: RunFacts, _ console: Console
  ) throws {
    let vault = try loaded.vault()
    let state = try Places.state()
    let folders = try PracticeFolder.makeAll(in: places(state))
    // The sandbox may not search the folders of patterns.
    let wallet = try wallet(loaded, vault, readers, console)
    var configuration = loaded
    _ = try RestoreSandbox.enter(sandbox, needs(loaded, in: folders), &configuration, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    try found.checkNewest()
    let (path, stored) = (found.path, found.stored)
    facts.vault = stored.facts.vaultID
    facts.note(archive: path, digest: stored.statedDigest, sequence: stored.facts.sequence)
    // Ask all questions before the work begins.
    let key = try signing.key(vault, of: stored.facts.vaultID, console)
    let unlocking = try secrets.unlocking(stored, configuration.slotNames(of: stored), console)
    var recovery = Recovery(clock: { SystemClock.workingSeconds }, secrets: { unlocking })
    recovery.trusted = try found.trusted
    recovery.bases = found.bases.candidates
    recovery.proofs = try passwords.material()
    recovery.known = try found.known

    let progress = try output.progressLine
    defer { progress.clear() }
    var run = DrillRun(recovery, in: folders, state: state) { event in
      switch event {
      case .onDisk: console.warning("the wallet is brought back on a disk, which may keep traces of it")
      case .step(.restoring(let event)): try StageLines.show(event, progress, console)
      case .step(.comparing(let section)): try progress.show("comparing \(section.name)")
      case .step(.comparingLive(let section)): try progress.show("comparing \(section.name) with the wallet")
      }
    }
    run.encodings = ShareEncoding.all
    run.live = try wallet.flatMap { try collectors($0, console) }
    run.leavingOut = { try SourceErrors.leavingOut($0, $1, console) }
    run.signingKey = key
    let outcome = try run.run(stored, at: path)
    progress.clear()
    if let file { try OutputFile.write(outcome.statement.line + "\n", to: file, existing: .replaced) }
    if output.json {
      Document.write(outcome.document)
    } else {
      DrillLines(console).print(outcome.report, outcome.statement)
    }
    guard outcome.report.isSame else { throw ExitStatus.differs }
    guard outcome.report.isComplete, outcome.report.live?.notCompared.isEmpty ?? true else {
      throw ExitStatus.partial
    }
  }

  /// Folders in memory first; the state's own folder is private at least.
  private func places(_ state: StateDirectory) throws -> [String] {
    if let scratch { return [scratch] }
    let memory = [Environment.get("XDG_RUNTIME_DIR"), "/dev/shm"].compactMap(\.self).filter { path in
      guard path.hasPrefix("/"), let folder = try? Directory.open(path) else { return false }
      return (try? folder.isInMemory()) ?? false
    }
    try Directory.makePrivateDirectories(state.path)
    return memory + [state.path]
  }

  /// The sources of the wallet in use; nil if there is no such wallet.
  private func wallet(
    _ configuration: Configuration, _ vault: VaultSettings, _ readers: Readers?, _ console: Console
  ) throws -> SourceList? {
    guard !noLive else { return nil }
    do {
      return try SourceList(
        [], data: data, keychain: keychain, configuration: configuration, console: console,
        readers: readers)
    } catch StoreError.notThere {
      return nil
    }
  }

  /// The sources' collectors, if they can be read without asking.
  private func collectors(_ sources: SourceList, _ console: Console) throws -> [any Collector]? {
    guard let collectors = try sources.collectorsWithoutAsking() else {
      console.warning("not compared with the wallet: nothing was given that opens its keychain")
      return nil
    }
    return collectors
  }
}

/// A drill's result as lines.
struct DrillLines {
  private let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ report: DrillReport, _ statement: DrillStatement) {
    for scope in report.recovery.closedScopes {
      console.warning("\(scope.name): not drilled, because this secret does not open it")
    }
    for id in report.recovery.unknownSections {
      console.warning("section \(id): not drilled, because this version does not know it")
    }
    for set in report.shares.sets { console.line("key shares: \(set.summary)") }
    let proofs = report.recovery.proofs
    for proof in proofs.differences { console.line("\(ProofLines.name(of: proof)): \(proof.sentence)") }
    if let sentence = proofs.tally.sentence { console.line(sentence) }
    if let live = report.live { print(live: live) }
    if !report.difference.isEmpty {
      console.line("what was restored differs from the archive:")
      DiffLines(console).print(report.difference)
    }
    for file in report.brokenFiles {
      let name = String(decoding: file.place ?? file.path, as: UTF8.self)
      console.line("\(name): cannot be put back, because the archive does not have the whole file")
    }
    let name = "\(statement.digest.shortID), number \(statement.sequence)"
    switch statement.result {
    case .same:
      console.line("\(name): all \(report.records) records came back as they were. Everything is wiped")
    case .partial:
      console.line("\(name): the \(report.records) records that this secret opens came back as they were")
    case .differs: console.line("\(name): DIFFERS. The archive is unchanged, but do not rely on it alone")
    }
    if statement.signature == nil {
      console.note("the result is stored unsigned: this machine has no signing key for the vault")
    }
  }

  /// Counts alone: that a wallet has moved on is no fault.
  private func print(live: BundleDifference) {
    for name in live.notCompared { console.warning("\(name): not compared") }
    let parts = live.sections.filter { !$0.isEmpty }.map { "\($0.section.name): \($0.countsText)" }
    console.line(
      parts.isEmpty
        ? live.notCompared.isEmpty
          ? "the wallet has not changed since the archive" : "what was compared of the wallet has not changed"
        : "the wallet since then: \(parts.joined(separator: "; "))")
  }
}

extension DrillOutcome {
  /// `drill --json`.
  fileprivate var document: Members {
    let (restored, shares) = (report.recovery, report.shares)
    return [
      "schema": "fueki.drill/1",
      "archive": statement.digest.hex,
      "path": path,
      "vault": statement.vaultID.hex,
      "sequence": statement.sequence,
      "time": Times.text(statement.time),
      "result": statement.result.rawValue,
      "records": statement.records,
      "inMemory": wasInMemory,
      "stages": report.recovery.stages.map(\.document),
      "restored": restored.restored.document,
      "differences": report.difference.sections.filter { !$0.isEmpty }.document,
      "notRestored": SectionName.notRestored(restored.closedScopes, restored.unknownSections),
      "proofs": restored.proofs.documents,
      "shares": shares.sets.isEmpty
        ? nil : ["sound": shares.isSound, "enough": shares.isEnough, "sets": shares.sets.count] as Members,
      "live": report.live?.sections.filter { !$0.isEmpty }.document,
      "liveNotCompared": report.live?.notCompared,
      "signer": statement.signature?.signer.hex,
      "line": statement.line,
    ]
  }
}
