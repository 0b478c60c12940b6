internal import ArgumentParser
internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiStore
internal import FuekiSystem
internal import FuekiWallet

/// `put-back`: the files of other programs, out of an archive and into their places.
struct PutBackCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "put-back",
    abstract: "Put other wallets' files back where their programs look for them.",
    discussion: "It replaces no file that differs, unless you ask for it. See fueki-backup-put-back(1).")

  @Argument(
    help: .archive, completion: .file())
  var archive = "latest"
  @Option(
    help: ArgumentHelp(
      "home (their old places in your home directory), a folder (below it), or none (only list them).",
      valueName: "where"), completion: .placings)
  var files = PlacingArgument.home
  @Option(
    help: ArgumentHelp(
      "How to treat files that exist and differ: fail, rename or replace.", valueName: "rule"),
    completion: .list(PlacingPolicy.allCases.map(\.rawValue)),
    transform: PlacingPolicy.init(option:))
  var onConflict = PlacingPolicy.fail
  @Option(
    help: ArgumentHelp(
      "Only the file with this place, such as ~/wallets/savings. May be repeated.", valueName: "place"))
  var path: [String] = []
  @OptionGroup var accepted: ConsentOptions<PlacingConsents>
  @Flag(name: .withLetter(.dryRun), help: "Say which files would go where, and write nothing.")
  var dryRun = false
  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var targets: TargetOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var secrets: ArchiveSecretOptions
  @OptionGroup var lock: LockOptions
  @OptionGroup var sandbox: SandboxOptions
  @OptionGroup var output: OutputOptions

  func run() throws {
    var put = PutBack(
      archive: archive, files: files, policy: onConflict, placing: PlacingOptions(accepted.consents),
      dryRun: dryRun,
      settings: settings,
      targets: targets, trust: trust, secrets: secrets, sandbox: sandbox, output: output)
    put.places = path
    try put.run { try lock.take("put-back", output) }
  }
}

/// Puts the files of an archive back, for `put-back` and `restore --resume`.
struct PutBack {
  let archive: String
  let files: PlacingArgument
  let policy: PlacingPolicy
  let placing: PlacingOptions
  let dryRun: Bool
  let settings: ConfigurationOptions
  let targets: TargetOptions
  let trust: TrustOptions
  let secrets: ArchiveSecretOptions
  let sandbox: SandboxOptions
  let output: OutputOptions
  /// The required digest of the archive, in hex; nil for any.
  var digest: String?
  /// The sections whose files to restore.
  var selection = SectionSelection.everything
  /// The places of the files to restore; empty for all.
  var places: [String] = []
  /// The things to restore, in the form of a restore's options; empty for everything.
  var items: [String] = []
  /// Is called once each file is in its place or waits.
  var done: () throws -> Void = {}

  func run(lock: () throws -> LockedState) throws {
    let console = output.console
    let loaded = try settings.load()
    var configuration = loaded
    _ = try RestoreSandbox.enter(sandbox, needs(loaded), &configuration, console)
    let found = try FoundArchive(archive, in: targets.targets(configuration), trust, configuration, console)
    try found.checkNewest()
    // A secret cannot make a stranger's archive the user's.
    if files == .home, found.ownership == .stranger { try found.checkMine() }
    console.note(OwnershipLines.restoring(found))
    let progress = try output.progressLine
    let (open, accepted) = try opened(found, configuration, progress)
    let isWritten = !dryRun && files != .nowhere
    let state = isWritten ? try lock() : nil
    // The next backup reports the newer archive, which this one must not hide.
    if let accepted, accepted.doubt == nil {
      try state?.accept(accepted.state, of: found.stored.facts.vaultID)
    }
    let isMine = found.ownership == .mine || accepted != nil
    try put(open, isMine: isMine, state, progress) { request in
      request.learn(trust, configuration)
      request.own.prove(found.stored, isIntact: true)
      try request.own.learn(of: open, from: state?.directory ?? Places.state())
    }
  }

  /// Opens the archive, and recognizes it if this machine's state does not know it.
  private func opened(
    _ found: FoundArchive, _ configuration: Configuration, _ progress: ProgressLine
  ) throws -> (open: OpenArchive, accepted: SignerAcceptance.Accepted?) {
    let unlocking = try secrets.unlocking(
      found.stored, configuration.slotNames(of: found.stored), output.console)
    let open = try found.stored.opened(
      with: unlocking, names: configuration.slotNames(of: found.stored), bases: nil,
      trusting: found.trusted,
      progress: { bytes in try progress.show("verifying, \(Readable.bytes(bytes))") },
      explaining: { error, given in
        try ArchiveToRestore(found, targets.targets(configuration)).failure(error, openedWith: given)
      })
    progress.clear()
    let accepted = try recognized(found, open, with: unlocking)
    guard digest == nil || digest == open.digest.hex else {
      throw RestoreError.anotherArchive(path: found.path)
    }
    return (open, accepted)
  }

  /// Puts the files back, or shows where they would go if there is no locked state.
  private func put(
    _ open: OpenArchive, isMine: Bool, _ state: LockedState?, _ progress: ProgressLine,
    learning learn: (inout PlacingRequest) throws -> Void
  ) throws {
    // A preview of the restored files, if none are written.
    let place = files == .nowhere ? PlacingArgument.home : files
    guard let root = try place.root else { return }
    let begun = PlacingJournal(
      archive: open.digest.hex, root: root, policy: policy, now: SystemClock.now)
    let journal = try state?.begin(begun) ?? begun
    guard
      var request = try placing.request(
        place, policy, isMine: isMine, stamp: journal.stamp, token: journal.token)
    else { return }
    try learn(&request)
    request.selection = selection
    request.isPreview = state == nil
    if !places.isEmpty { request.places = Set(places.flatMap(Self.spellings)) }
    if !items.isEmpty {
      let wanted = try open.originalFiles().placeable(in: selection, of: items)
      request.places = Set(wanted.compactMap(\.place))
    }
    var plan: PlacePlan
    do {
      try progress.show("looking at the places")
      plan = try open.placePlan(request)
      try checkPlaces(plan)
      if let state {
        if files == .home { try state.keepSources(of: plan, from: open) }
        let own = plan.awaitingConsent
        if !output.json, !own.isEmpty, try OwnFilesQuestion.ask(own) {
          request.own.isAccepted = true
          plan = try open.placePlan(request)
        }
        try state.keepFolders(of: plan, from: open)
        plan = try open.place(plan, request) { try progress.show("put back \($0.path)") }
        try state.forgetMissingFolders(open.facts.vaultID)
      }
    } catch let error where error is PlacingError || error is Failure {
      // No work is half-done that another run would have to continue.
      try state?.forget(journal)
      throw error
    }
    progress.clear()
    try state?.forget(journal)
    try done()
    let lines = PlacingLines(plan, archive: open.digest.hex, root: root.path, isWritten: state != nil)
    guard !output.json else { return try end(with: plan, Document.write(lines.document)) }
    lines.print(output.console)
    try end(with: plan, ())
  }

  /// Recognizes an archive that this machine's state does not know, as `restore` does: only the user's own archive may
  /// be restored to a home, even with a trusted signature.
  ///
  /// - Returns: the facts that it proves of its vault; nil if it is already known, or nothing proves it.
  /// - Throws: ``LineageError/notMine(sequence:_:)`` if nothing proves that an archive for a home is the user's.
  private func recognized(
    _ found: FoundArchive, _ open: OpenArchive, with secrets: UnlockingSecrets
  ) throws -> SignerAcceptance.Accepted? {
    guard found.ownership == .unknown else { return nil }
    let acceptance = SignerAcceptance(secrets: secrets) { signer, facts in
      try files == .home && SignerAcceptance.asks(about: signer, of: facts)
    }
    guard let accepted = try acceptance.accept(open, siblings: found.siblings) else {
      if files == .home { try found.checkMine() }
      return nil
    }
    return accepted
  }

  /// A place as it was given, and as an archive has one below a home.
  private static func spellings(of place: String) -> [[UInt8]] {
    [place.pathBytes, HomePath.shortened(place, home: Environment.get("HOME") ?? "").pathBytes]
  }

  /// - Throws: a ``Failure`` for a place that no file of the archive has.
  private func checkPlaces(_ plan: PlacePlan) throws {
    let found = Set(plan.files.compactMap(\.file.place))
    for place in places where found.isDisjoint(with: Self.spellings(of: place)) {
      throw Failure(
        .notFound, "the archive has no file at \(place)", meaning: "nothing was put back",
        hint:
          "fueki-backup put-back \(ShellWord.quoted(archive)) --files none lists the files and their places")
    }
  }

  private func end(with plan: PlacePlan, _ printed: Void) throws {
    guard plan.obstacles.allSatisfy({ $0.kind == .noRoom }) else { throw ExitStatus.wouldOverwrite }
    guard plan.running.isEmpty else { throw ExitStatus.locked }
    guard plan.isComplete, files != .nowhere || plan.files.isEmpty else {
      throw ExitStatus.partial
    }
  }
}
