internal import FuekiArchive
public import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A restore into a new data directory, or one with a wallet in it.
///
/// It takes values, asks through ``RestoreAnswers``, reports through ``RestoreEvent``, and returns a value.
public struct RestoreRun {
  /// The restore's parameters.
  public let order: RestoreOrder
  /// The archive and its ownership.
  public let archive: ArchiveToRestore
  /// This machine's state.
  public let state: StateDirectory
  /// The program's version.
  ///
  /// Another version does not resume this one's staged data.
  public let program: String
  /// The accepted risks, and whether to salvage.
  public var options = RestoreOptions()
  /// The material for deriving the wallets' addresses again.
  public var proofs = ProofMaterial()
  /// Refreshes from the chains; nil to skip.
  public var resyncer: (any Resyncer)?
  /// The choice for files of other programs.
  public var files = FilesChoice.unsaid
  let answers: RestoreAnswers
  let report: (RestoreEvent) throws -> Void

  /// - Parameters:
  ///   - order: the restore's parameters.
  ///   - archive: the archive and its ownership.
  ///   - state: this machine's state.
  ///   - program: the program's version.
  ///   - answers: answers from the user or their options.
  ///   - report: receives events; an error thrown by it ends the run.
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

  /// Restores.
  ///
  /// - Returns: the result.
  /// - Throws: ``RestoreError``, ``LineageError``, ``PlaceError``, ``RecordsError``, ``StateError``,
  ///   ``ArchiveError``, ``StoreError``, ``KeychainError``, and the closures' errors. Nothing is in place
  ///   then, unless the resync had started.
  public func run() throws -> RestoreOutcome {
    let lock = try state.lock(purpose: "restore", processID: CurrentProcess.identifier)
    try order.begin(state, lock, report)
    let session = RestoreSession(
      order, order.journal(archive: archive.path, program: program), keepsStages: !options.salvages, lock,
      report)
    if case .into(let request) = files { try session.willPlace(request) }
    var given: UnlockingSecrets?
    let recovery = makeRecovery { given = $0 }
    let recovered: RestoreReport
    var wallets: [HazardousWallet] = []
    do {
      recovered = try recovery.run(
        archive.stored, resyncer: resyncer, progress: { try tell($0, in: session) }
      ) { open in
        try order.check(open)
        wallets = try open.hazardousWallets(in: order.selection, ofWallets: order.wallets)
        // Confirmed when it was started.
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
    let files = try placeFiles(
      of: recovered.archive, isMine: isMine || isProvedByPassphrase(recovered), session, lock)
    // A run stopped before this point can be resumed. Only putting files back remains.
    try session.forget()
    // For an intact archive, every backup has already reported orphans.
    let orphans =
      recovered.archive is SalvagedArchive ? try Orphans.all(inDataDirectory: order.dataDirectory) : []
    return RestoreOutcome(
      recovered: recovered, merge: session.merge?.report, orphans: orphans, wallets: wallets,
      path: archive.path, given: given, dataDirectory: order.dataDirectory, files: files)
  }

  /// Determines what a restore would do, without writing or asking for the existing keychain's secret.
  ///
  /// - Returns: the expected result.
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
      wallets: try plan.archive.hazardousWallets(in: order.selection, ofWallets: order.wallets))
  }

  /// Creates the recovery, which passes the archive's secrets to `note`.
  private func makeRecovery(noting note: @escaping (UnlockingSecrets) -> Void) -> Recovery {
    var recovery = Recovery(clock: { SystemClock.workingSeconds }) {
      let given = try answers.archiveSecrets()
      note(given)
      return given
    }
    recovery.trusted = archive.trusted
    recovery.bases = BaseFinder(beside: archive.path, targets: archive.targets).candidates
    recovery.known = archive.known
    recovery.options = options
    recovery.selection = order.selection
    recovery.wallets = order.wallets
    recovery.proofs = proofs
    return recovery
  }

  private func tell(_ event: RestoreProgress, in session: RestoreSession) throws {
    if case .ended(let result) = event { try session.passed(result) }
    do {
      try report(.progress(event))
    } catch  where Interrupted.isCause(of: error) && session.isInPlace {
      // The restore is complete and reports it. The resyncer has handled the interruption itself.
    }
  }

  /// Cleans up the staged data of a failed run, or leaves it to another.
  ///
  /// - Returns: the error to report.
  /// - Throws: errors of cleaning up.
  private func end(
    _ session: RestoreSession, with error: any Error, _ given: UnlockingSecrets?
  ) throws -> any Error {
    switch error {
    case _ where Interrupted.isCause(of: error):
      guard try session.stop() else { return error }
      return RestoreError.stopped
    case let error as RestoreError where order.isResuming && error.asksForConsent:
      // The secret was right when the restore started, so it can be given again. The staged data waits for
      // it.
      _ = try session.stop()
      return error
    case let error as ArchiveError where archive.isLatest:
      try session.fail()
      return try archive.failure(error, openedWith: given)
    default:
      try? session.fail()
      return error
    }
  }

  /// Returns the archive's destination, and the keychain for its secrets.
  ///
  /// Nothing is asked if a stopped run has written the keychain.
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
    // The new machine's keychain gets its own secret. The archive's is never used silently.
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
  /// Whether the restore can continue after the user's consent.
  fileprivate var asksForConsent: Bool {
    switch self {
    case .olderShares: true
    default: false
    }
  }
}
