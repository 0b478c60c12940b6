public import FuekiArchive
public import FuekiWallet

/// The whole way back: read → verify → authenticate → open → restore → resync.
///
/// Each stage takes what the stage before it has checked, and nothing else: a ``StoredArchive`` becomes an
/// ``IntactArchive``, that an ``OpenArchive``, that a ``RestorePlan``, that a ``RestoreReport``.
public struct Recovery {
  /// What opens the archive.
  public var secrets: () throws -> UnlockingSecrets
  /// What the key derivation may cost.
  public var allowance = Limits.DerivationAllowance.standard
  /// Ed25519 public keys, one of which must have signed; nil asks for none.
  public var trusted: [[UInt8]]?
  /// The newest archive known of the vault, or nil.
  public var known: VaultState.Link?
  /// An archive older than the newest known is wanted all the same.
  public var acceptsOlder = false
  /// The sections that are wanted.
  public var selection = SectionSelection.everything
  /// Seconds on a clock that only goes forward.
  public var clock: () -> Double

  /// - Parameters:
  ///   - clock: seconds on a clock that only goes forward.
  ///   - secrets: asked for only once the archive is known to be intact.
  public init(clock: @escaping () -> Double, secrets: @escaping () throws -> UnlockingSecrets) {
    self.clock = clock
    self.secrets = secrets
  }

  /// Walks the stages.
  ///
  /// Until the destination's ``Destination/finish()`` nothing in it is changed.
  ///
  /// - Parameters:
  ///   - stored: the archive, of which only the structure was read.
  ///   - resyncer: nil where there is no source to ask.
  ///   - progress: what it throws ends the restore, and nothing is left behind.
  ///   - prepare: makes the destination and its keychain, once the archive is open.
  /// - Returns: what is in place, what the resync said, and each stage's result.
  /// - Throws: ``ArchiveError`` where the archive is not intact or does not open; ``BackupError`` where it is older
  ///   than known, forks, or what was put in place differs; what the closures, the destination and its keychain
  ///   throw.
  public func run(
    _ stored: StoredArchive, resyncer: (any Resyncer)?,
    progress: @escaping (RestoreProgress) throws -> Void,
    prepare: (OpenArchive) throws -> (destination: any Destination, keychain: (any KeychainAccess)?)
  ) throws -> RecoveryOutcome {
    var log = StageLog(clock: clock, report: progress)
    let open = try opened(stored, &log, progress)
    let (destination, keychain) = try prepare(open)
    let plan = try log.run(.decryptShares, counts: { Self.named($0.secretCounts) }) {
      try open.decryptShares(selection, into: keychain)
    }
    let profile = try log.run(.restoreWallets, counts: Self.named) {
      try destination.begin(plan.manifest, vaultID: stored.facts.vaultID)
      return try plan.load(.profile, into: destination)
    }
    let history = try log.run(.restoreHistory, counts: Self.named) {
      let counts = try plan.load(.history, into: destination)
      // Indices, checks and the move into place are part of the stage, and of its time.
      try destination.finish()
      return counts
    }
    let outcome = try log.run(.resync, result: Self.sentence) {
      try resyncer?.resync() ?? .notRun(reason: "no source")
    }
    try log.run(.complete) {}
    let report = plan.report(profile.merging(history) { first, _ in first })
    return RecoveryOutcome(archive: open.source, report: report, resync: outcome, stages: log.results)
  }

  /// The first three stages, with no keychain: what a restore would bring.
  public func plan(
    _ stored: StoredArchive, progress: @escaping (RestoreProgress) throws -> Void
  ) throws -> RestorePlan {
    var log = StageLog(clock: clock, report: progress)
    let open = try opened(stored, &log, progress)
    return try log.run(.decryptShares) { try open.decryptShares(selection, into: nil) }
  }

  /// The stages that every way back begins with: verify, then authenticate.
  private func opened(
    _ stored: StoredArchive, _ log: inout StageLog, _ progress: (RestoreProgress) throws -> Void
  ) throws -> OpenArchive {
    let intact = try log.run(.verify) { try verify(stored, progress) }
    return try log.run(.authenticate) { try intact.unlock(with: try secrets(), allowance: allowance) }
  }

  private func verify(
    _ stored: StoredArchive, _ progress: (RestoreProgress) throws -> Void
  ) throws -> IntactArchive {
    let report = try stored.verify(trusting: trusted) {
      try progress(.reading(bytes: $0, of: stored.byteCount))
    }
    guard let intact = report.intact else {
      throw ArchiveError.damaged(report.damage.first ?? .structure)
    }
    do {
      try VaultChain.judge(intact.facts, digest: intact.digest, known: known)
    } catch BackupError.olderThanKnown where acceptsOlder {}
    return intact
  }

  private static func named(_ counts: [Section: UInt64]) -> [String: UInt64] {
    Dictionary(uniqueKeysWithValues: counts.map { ($0.key.name, $0.value) })
  }

  private static func sentence(_ outcome: ResyncOutcome) -> String {
    switch outcome {
    case .notRun(let reason): "not run: \(reason)"
    }
  }
}

/// What a restore came to, stage by stage.
public struct RecoveryOutcome: Sendable {
  /// The archive.
  public let archive: IntactArchive
  /// What is in place.
  public let report: RestoreReport
  /// What the resync came to.
  public let resync: ResyncOutcome
  /// Each stage's result.
  public let stages: [StageResult]
}
