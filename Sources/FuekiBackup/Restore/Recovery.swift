package import FuekiArchive
package import FuekiWallet
package import FuekiCrypto

/// The whole way back: read → verify → authenticate → open → restore → resync.
///
/// Each stage takes what the stage before it has checked, and nothing else: a ``StoredArchive`` becomes an
/// ``IntactArchive``, that an ``OpenArchive``, that a ``RestorePlan``, that a ``RestoreReport``. A damaged one is
/// refused, unless it is to be salvaged: then it passes through ``DamagedArchive`` and ``SalvagedArchive``.
package struct Recovery {
  /// Returns the secrets that may open the archive.
  public var secrets: () throws -> UnlockingSecrets
  /// The permitted cost of the key derivation.
  public var allowance = Limits.DerivationAllowance.standard
  /// Ed25519 public keys, of which at least one must have signed; nil requires none.
  public var trusted: Set<Ed25519.PublicKey>?
  /// The newest archive known of the vault, or nil.
  public var known: VaultState.Link?
  /// The accepted risks, and whether to salvage.
  public var options = RestoreOptions()
  /// The material to derive the wallets' addresses again; nil for wallets that will not be used.
  public var proofs: ProofMaterial? = ProofMaterial()
  /// Where a differential archive's base may be.
  public var bases: BaseCandidates = { _ in [] }
  /// The sections to restore.
  public var selection = SectionSelection.everything
  /// The ids of the wallets to restore; empty for all.
  public var wallets: [String] = []
  /// Seconds on a clock that only goes forward.
  public var clock: () -> Double

  /// - Parameters:
  ///   - clock: seconds on a clock that only goes forward.
  ///   - secrets: asked for only once the archive is known to be intact.
  public init(clock: @escaping () -> Double, secrets: @escaping () throws -> UnlockingSecrets) {
    self.clock = clock
    self.secrets = secrets
  }

  /// Runs the stages.
  ///
  /// The destination stays unchanged until its ``Destination/finish()``. An error from the resync ends the restore too, but
  /// the restored contents stay in place.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - resyncer: refreshes from the chains once everything is in place; nil to skip.
  ///   - progress: receives each step. An error that it throws ends the restore and leaves no files.
  ///   - prepare: makes the destination and its keychain, once the archive is open.
  /// - Returns: the restored contents, the result of the resync, and each stage's result.
  /// - Throws: ``ArchiveError`` if the archive is not intact or does not open; ``LineageError`` if it is older than the
  ///   newest known one or forks; ``RestoreError``, ``PlaceError`` and ``RecordsError``; errors from the closures, the
  ///   destination and its keychain.
  public func run(
    _ stored: StoredArchive, resyncer: (any Resyncer)?,
    progress: @escaping (RestoreProgress) throws -> Void,
    prepare: (any UnlockedArchive) throws -> (destination: any Destination, keychain: (any KeychainAccess)?)
  ) throws -> RestoreReport {
    var log = StageLog(clock: clock, report: progress)
    let open = try opened(stored, &log, progress)
    let (destination, keychain) = try prepare(open)
    try refuseOlderShares(of: open, than: destination)
    let (plan, shares) = try log.run(
      .decryptShares, result: { $0.0.ledger.end(of: .secrets) }, counts: { Self.named($0.0.secretCounts) }
    ) {
      let added = try open.addShares(
        selection, ofWallets: wallets, with: try proofs(of: open), into: keychain)
      try added.1.continueConfirming()
      return added
    }
    let restored: [Section: UInt64]
    do {
      restored = try place(plan, shares, in: destination, &log, progress)
    } catch  where Interrupted.isCause(of: error) {
      // A run that resumes does not ask for the keychain's secret again.
      try? shares.confirm()
      throw error
    }
    let resync = try log.run(.resync, result: StageEnd.resynced) {
      try resyncer?.resync() ?? .notRun(reason: "not asked for")
    }
    try log.run(.complete) {}
    return RestoreReport(of: plan, restored, resync, log.results)
  }

  /// Restores wallets and history, and puts them in place once the shares are confirmed.
  private func place(
    _ plan: RestorePlan, _ shares: AddedShares, in destination: any Destination, _ log: inout StageLog,
    _ progress: @escaping (RestoreProgress) throws -> Void
  ) throws -> [Section: UInt64] {
    let (open, ledger, proofs) = (plan.archive, plan.ledger, plan.proofs)
    let tell: (RestoreProgress) throws -> Void = { event in
      try shares.continueConfirming()
      try progress(event)
    }
    let profile = try log.run(
      .restoreWallets, result: { _ in ledger.end(of: .profile, proofs) }, counts: Self.named
    ) {
      try destination.begin(plan.manifest, vaultID: open.facts.vaultID)
      return try plan.load(.profile, into: destination, progress: tell)
    }
    let history = try log.run(
      .restoreHistory, result: { _ in ledger.end(of: .history) }, counts: Self.named
    ) {
      let counts = try plan.load(.history, into: destination, progress: tell)
      try shares.confirm()
      destination.note(ledger.losses)
      // Indices, checks and the move into place are part of the stage, and of its time.
      try destination.finish()
      return counts
    }
    return profile.merging(history) { first, _ in first }
  }

  /// Derives the wallets' addresses again, before anything is put in place.
  private func proofs(of open: any UnlockedArchive) throws -> ProofReport {
    guard let proofs else { return .empty }
    let report = try open.prove(selection, ofWallets: wallets, with: proofs)
    return options.acceptsDifferences ? report.accepted : report
  }

  /// Runs the first three stages: finds what a restore would bring, and the losses of a damaged archive.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - progress: receives each step. An error that it throws ends the work.
  ///   - compare: returns the destination and keychain to compare with, once the archive is open; nil if there are none
  ///     yet.
  /// - Returns: the plan that a restore would begin with.
  /// - Throws: the errors of ``run(_:resyncer:progress:prepare:)``.
  public func plan(
    _ stored: StoredArchive, progress: @escaping (RestoreProgress) throws -> Void,
    comparedWith compare: (any UnlockedArchive) throws -> (any Destination, (any KeychainAccess)?)? = { _ in
      nil
    }
  ) throws -> RestorePlan {
    var log = StageLog(clock: clock, report: progress)
    let open = try opened(stored, &log, progress)
    let place = try compare(open)
    if let destination = place?.0 { try refuseOlderShares(of: open, than: destination) }
    return try log.run(.decryptShares) {
      let plan = try open.decryptShares(
        selection, ofWallets: wallets, with: try proofs(of: open), into: place?.1)
      if open is SalvagedArchive { try plan.survey(selection) }
      if let destination = place?.0 { try plan.compare(with: destination, progress: progress) }
      return plan
    }
  }

  /// Before anything is decrypted: refreshed shares cannot sign with old ones.
  private func refuseOlderShares(of archive: any UnlockedArchive, than destination: any Destination) throws {
    guard !options.acceptsOlder, selection.contains(.keyShares) else { return }
    let incoming = try archive.shareDescriptors(ofWallets: wallets)
    try ShareEpochs.refuseOlder(incoming, than: try destination.presentShares())
  }

  /// The stages that every way back begins with: verify, then authenticate.
  private func opened(
    _ stored: StoredArchive, _ log: inout StageLog, _ progress: (RestoreProgress) throws -> Void
  ) throws -> any UnlockedArchive {
    let verified = try log.run(.verify, result: \.end) { try verify(stored, progress) }
    return try log.run(.authenticate) {
      switch verified {
      case .intact(let archive): try open(archive, with: try secrets(), progress)
      case .damaged(let archive):
        try archive.salvage(with: try secrets(), allowance: allowance, bases: bases)
      }
    }
  }

  private func open(
    _ archive: IntactArchive, with secrets: UnlockingSecrets, _ progress: (RestoreProgress) throws -> Void
  ) throws -> any UnlockedArchive {
    let alone = try archive.unlockAlone(with: secrets, allowance: allowance)
    // All but the history is in the archive whole.
    guard alone.missingBase != nil, selection.touches(.history) else {
      return try alone.missingBase == nil ? alone.whole() : alone.withoutHistory()
    }
    do {
      return try alone.joined(with: secrets, allowance: allowance, bases: bases) {
        try progress(.reading(bytes: $0, of: $1))
      }
    } catch let error as ArchiveError where options.salvages && error.leavesSomethingToSalvage {
      return try archive.forSalvage.salvage(with: secrets, allowance: allowance, bases: bases)
    }
  }

  private func verify(
    _ stored: StoredArchive, _ progress: (RestoreProgress) throws -> Void
  ) throws -> Verified {
    let report = try stored.verify(trusting: trusted) {
      try progress(.reading(bytes: $0, of: stored.byteCount))
    }
    guard let verified = try verified(report) else {
      throw ArchiveError.damaged(report.damage.first ?? .structure)
    }
    do {
      try VaultLineage.judge(stored.facts, digest: verified.digest, known: known)
    } catch LineageError.olderThanKnown where options.acceptsOlder {}
    return verified
  }

  private func verified(_ report: ChecksumReport) throws -> Verified? {
    if let intact = report.intact { return .intact(intact) }
    guard options.salvages, let damaged = report.damaged else { return nil }
    if let problem = damaged.signatureProblem { throw problem }
    return .damaged(damaged)
  }

  /// An archive that may be opened.
  private enum Verified {
    case intact(IntactArchive)
    case damaged(DamagedArchive)

    var digest: Digest {
      switch self {
      case .intact(let archive): archive.digest
      case .damaged(let archive): archive.digest
      }
    }

    var end: StageEnd {
      switch self {
      case .intact: .done
      case .damaged: .salvaged
      }
    }
  }

  private static func named(_ counts: [Section: UInt64]) -> [String: UInt64] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.name, $0.value) })
  }
}

extension ArchiveError {
  /// Whether it is only the base that is damaged or not here.
  fileprivate var leavesSomethingToSalvage: Bool {
    switch self {
    case .baseMissing, .inBase(_, .damaged): true
    default: false
    }
  }
}
