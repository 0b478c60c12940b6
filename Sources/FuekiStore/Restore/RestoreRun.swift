internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A restore into a data directory: a new one, or one with a wallet in it.
///
/// It is given values, asks through ``RestoreAnswers``, tells through ``RestoreEvent``, and ends in a value.
public struct RestoreRun {
  /// What is to be done.
  public let order: RestoreOrder
  /// The archive, and whose it is.
  public let archive: ArchiveToRestore
  /// What this machine remembers.
  public let state: StateDirectory
  /// The program's version: another one does not go on with what this one has staged.
  public let program: String
  /// An archive older than the newest known is wanted all the same, and so are its key shares.
  public var acceptsOlder = false
  /// Of a damaged archive what is whole is wanted.
  public var salvages = false
  /// What the wallets' addresses are derived again with.
  public var proofs = ProofMaterial()
  /// Keys that are not those of their addresses are wanted all the same.
  public var acceptsDifferences = false
  /// Who asks the chains; nil where nobody is to.
  public var resyncer: (any Resyncer)?
  /// What becomes of the files of other programs.
  public var files = FilesChoice.unsaid
  let answers: RestoreAnswers
  let report: (RestoreEvent) throws -> Void

  /// - Parameters:
  ///   - order: what is to be done.
  ///   - archive: the archive, and whose it is.
  ///   - state: what this machine remembers.
  ///   - program: the program's version.
  ///   - answers: what only a person or their options know.
  ///   - report: is told what happens; what it throws ends the run.
  public init(
    _ order: RestoreOrder, from archive: ArchiveToRestore, state: StateDirectory, program: String,
    answers: RestoreAnswers, report: @escaping (RestoreEvent) throws -> Void
  ) {
    self.order = order
    self.archive = archive
    self.state = state
    self.program = program
    self.answers = answers
    self.report = report
  }

  /// What follows once the data directory is in place: one line for each stage, in their order.
  private var following: [FollowingStage] {
    [
      .resync(resyncer)
    ]
  }

  /// Restores.
  ///
  /// - Returns: what is in place.
  /// - Throws: ``RestoreError``, ``LineageError``, ``PlaceError``, ``RecordsError``, ``StateError``, ``ArchiveError``,
  ///   ``StoreError``, ``KeychainError``, and what the closures throw; nothing is in place then, unless the stages had
  ///   come to what follows.
  public func run() throws -> RestoreOutcome {
    let lock = try state.lock(purpose: "restore", processID: CurrentProcess.identifier)
    try order.begin(state, lock, report)
    let session = RestoreSession(
      order, order.journal(archive: archive.path, program: program), keepsStages: !salvages, lock, report)
    if case .into(let request) = files { try session.willPlace(request) }
    var given: UnlockingSecrets?
    let recovery = makeRecovery { given = $0 }
    let recovered: RecoveryOutcome
    var wallets: [HazardousWallet] = []
    do {
      recovered = try recovery.run(
        archive.stored, followedBy: following, progress: { try tell($0, in: session) }
      ) { open in
        try order.check(open)
        wallets = try open.hazardousWallets(in: order.selection, ofWallets: order.wallets)
        // Confirmed when it was begun.
        if !order.isResuming {
          try answers.archive(open)
          try answers.hazards(wallets)
        }
        return try place(for: open, session)
      }
    } catch {
      throw try end(session, with: error, given)
    }
    let isMine = try remember(recovered, openedWith: given, lock)
    let files = try placeFiles(of: recovered.archive, isMine: isMine, session, lock)
    // Until here a run that is stopped is gone on with: what is left is to put files back.
    try session.forget()
    // Of a whole archive the person has been told at every backup.
    let orphans =
      recovered.archive is SalvagedArchive ? try Orphans.all(inDataDirectory: order.dataDirectory) : []
    return RestoreOutcome(
      recovered: recovered, merge: session.merge?.report, orphans: orphans, wallets: wallets,
      path: archive.path, dataDirectory: order.dataDirectory, files: files)
  }

  /// What a restore would bring; nothing is written, and nobody is asked for the secret of the keychain that is there.
  ///
  /// - Returns: what it would come to.
  /// - Throws: as ``run()``.
  public func preview() throws -> RestorePreview {
    var comparison: MergeComparison?
    let plan = try makeRecovery { _ in }.plan(archive.stored, progress: { try report(.progress($0)) }) {
      open in
      guard try MergeComparison.isThere(order.dataDirectory) else { return nil }
      let made = try MergeComparison(dataDirectory: order.dataDirectory, archive: open)
      comparison = made
      guard let opening = try answers.presentKeychainUnasked() else { return (made, nil) }
      if made.keychain.isThere { try made.keychain.open(with: opening) }
      return (made, made.keychain)
    }
    let counts =
      try comparison?.report.counts ?? plan.countsInNewPlace(progress: { try report(.progress($0)) })
    return RestorePreview(
      plan: plan, counts: counts, merge: comparison?.report,
      wallets: try plan.archive.hazardousWallets(in: order.selection, ofWallets: order.wallets),
      proofs: try plan.archive.prove(order.selection, ofWallets: order.wallets, with: proofs))
  }

  /// The way back; what opens the archive is noted.
  private func makeRecovery(noting note: @escaping (UnlockingSecrets) -> Void) -> Recovery {
    var recovery = Recovery(clock: { SystemClock.workingSeconds }) {
      let given = try answers.archiveSecrets()
      note(given)
      return given
    }
    recovery.trusted = archive.trusted
    recovery.bases = BaseFinder(beside: archive.path, targets: archive.targets).candidates
    recovery.known = archive.known
    recovery.acceptsOlder = acceptsOlder
    recovery.salvages = salvages
    recovery.selection = order.selection
    recovery.wallets = order.wallets
    recovery.proofs = proofs
    recovery.acceptsDifferences = acceptsDifferences
    return recovery
  }

  private func tell(_ event: RestoreProgress, in session: RestoreSession) throws {
    if case .ended(let result) = event { try session.passed(result) }
    do {
      try report(.progress(event))
    } catch is Interrupted where session.isInPlace {
      // The restore is done, and says so; what asks chains has heard of the interruption itself.
    }
  }

  /// Clears away what a run that fails has staged, or leaves it to another.
  ///
  /// - Returns: what is said of it.
  /// - Throws: what clearing away throws.
  private func end(
    _ session: RestoreSession, with error: any Error, _ given: UnlockingSecrets?
  ) throws -> any Error {
    switch error {
    case is Interrupted:
      guard try session.stop() else { return error }
      return RestoreError.stopped
    case let error as RestoreError where order.isResuming && error.asksForConsent:
      // It was given when the restore was begun: it can be given again, and what is staged waits for that.
      _ = try session.stop()
      return error
    case let error as ArchiveError where archive.isLatest && error == .wrongSecret:
      try session.fail()
      return try olderThatOpens(with: given) ?? error
    case let error as ArchiveError where archive.isLatest && error.verdict != .wrongSecret:
      try session.fail()
      return try fallback(for: error)
    default:
      try? session.fail()
      return error
    }
  }

  /// Where the archive goes, and the keychain that its secrets go into, with what opens it: nothing is asked for where
  /// a run that was stopped has written it.
  private func place(
    for open: any UnlockedArchive, _ session: RestoreSession
  ) throws -> (any Destination, (any KeychainAccess)?) {
    let holdsSecrets = open.sections.contains { section in
      Section(rawValue: section.id).map { $0.scope == .secrets && order.selection.contains($0) } ?? false
    }
    let (destination, keychain) = try session.place(for: open)
    guard holdsSecrets else { return (destination, nil) }
    guard keychain?.staged == nil else { return (destination, keychain) }
    if let merge = session.merge {
      if merge.vaultID != open.facts.vaultID { try report(.anotherVault) }
      guard try prepare(merge.keychain, open) else { return (destination, nil) }
    }
    // The new machine's keychain gets a secret of its own: the archive's is never taken silently.
    if let restored = keychain as? RestoredKeychain {
      guard let slots = try answers.newKeychain(open) else { return (destination, nil) }
      restored.create(opening: slots)
    }
    return (destination, keychain)
  }

  /// Opens or makes the keychain of the wallet that is there.
  ///
  /// - Returns: whether there is one now.
  private func prepare(_ keychain: MergedKeychain, _ open: any UnlockedArchive) throws -> Bool {
    guard keychain.isThere else {
      guard let slots = try answers.newKeychain(open) else { return false }
      keychain.create(opening: slots)
      return true
    }
    let opening = try answers.presentKeychain()
    do {
      try keychain.open(with: opening)
    } catch KeychainError.wrongSecret {
      throw RestoreError.presentKeychainClosed
    }
    return true
  }
}

extension RestoreError {
  /// Whether a restore goes on once somebody has said that it should all the same.
  fileprivate var asksForConsent: Bool {
    switch self {
    case .olderShares, .proofsDiffer: true
    default: false
    }
  }
}
