internal import FuekiCrypto
internal import FuekiSystem
public import FuekiArchive

/// Old archives thinned out by rule, in one target after another.
///
/// It is given values, tells through ``PruneEvent``, and ends in a value.
public struct PruneRun {
  /// The targets that contain the archives.
  public let targets: [Target]
  /// The archives to keep.
  public let rules: RetentionRules
  /// The only vault to prune; nil for all.
  public var vault: VaultID?
  /// Nothing is removed.
  public var isTrial = false
  /// Confirms the removal of a plan's files.
  ///
  /// False removes none of them. An error that it throws leaves the target unchanged.
  public var consent: (PrunePlan) throws -> Bool = { _ in true }
  let trust: Trust
  let now: Int64
  let report: (PruneEvent) throws -> Void

  /// - Parameters:
  ///   - targets: contain the archives.
  ///   - rules: the archives to keep.
  ///   - trust: determines the user's archives. Without proof of ownership, none is removed.
  ///   - now: seconds since 1970.
  ///   - report: receives each event. An error that it throws ends the run.
  public init(
    of targets: [Target], by rules: RetentionRules, trust: Trust, now: Int64,
    report: @escaping (PruneEvent) throws -> Void
  ) {
    self.targets = targets
    self.rules = rules
    self.trust = trust
    self.now = now
    self.report = report
  }

  /// Makes each target's plan, reports it, and removes the archives.
  ///
  /// - Parameter state: the lock that excludes this machine's other runs.
  /// - Returns: the plans and their results. A target that cannot be reached does not stop the others.
  /// - Throws: the first target's error if no target has a plan, `Interrupted`, and errors from `report`.
  public func run(state: LockedState) throws -> PruneOutcome {
    var outcome = PruneOutcome()
    for target in targets {
      do {
        outcome.targets.append(try prune(target, state))
      } catch  where Interrupted.isCause(of: error) {
        throw Interrupted()
      } catch {
        outcome.failures.append((target.path, error))
      }
    }
    if outcome.targets.isEmpty, let first = outcome.failures.first { throw first.error }
    return outcome
  }

  private func prune(_ target: Target, _ state: LockedState) throws -> PruneOutcome.Pruned {
    let plan = try PrunePlan(
      of: target, rules: rules, now: now, vault: vault, trust: trust,
      progress: { try report(.verifying(file: $0)) })
    try report(.decided(plan))
    guard !isTrial, !target.isAppendOnly else { return PruneOutcome.Pruned(plan: plan, report: nil) }
    guard try plan.removed.isEmpty || consent(plan) else {
      return PruneOutcome.Pruned(plan: plan, report: nil, isDeclined: true)
    }
    let removed = try plan.run(state: state) { try report(.removing(file: $0)) }
    for vault in plan.vaults {
      guard let base = try? trust.base(of: vault.id),
        removed.removed.contains(where: { $0.copyOf == nil && $0.entry.archive?.statedDigest == base })
      else { continue }
      // A removed base's table is useless. If it cannot be removed, the next archive detects it.
      try? state.forgetBase(of: vault.id)
    }
    for vault in plan.vaults where vault.verified != nil {
      try? state.directory.note(.prune, target: target.path, vault: vault.id)
    }
    try report(.removed(removed))
    return PruneOutcome.Pruned(plan: plan, report: removed)
  }
}

/// An event of a running `prune`, for display.
public enum PruneEvent: Sendable {
  /// A file is read to its end: the newest that is whole stays.
  case verifying(file: String)
  /// The plan of a target.
  case decided(PrunePlan)
  /// A file goes.
  case removing(file: String)
  /// The removed files of the target.
  case removed(PruneReport)
}

/// The outcome of a run of `prune`.
public struct PruneOutcome {
  /// One target.
  public struct Pruned: Sendable {
    /// The plan.
    public let plan: PrunePlan
    /// The result; nil for a dry run.
    public let report: PruneReport?
    /// Whether the consent was refused.
    public var isDeclined = false
  }

  /// The targets with a plan, in their order.
  public internal(set) var targets: [Pruned] = []
  /// The targets that were left alone, and why.
  public internal(set) var failures: [(path: String, error: any Error)] = []

  /// The vaults of all plans.
  public var vaults: [PrunePlan.Vault] { targets.flatMap(\.plan.vaults) }
  /// Whether a vault has no archive that verifies: nothing of it went.
  public var isDamaged: Bool { vaults.contains { $0.verified == nil && $0.unproven == nil } }
  /// Whether the consent was refused for a target.
  public var isDeclined: Bool { targets.contains(where: \.isDeclined) }
  /// Whether something was not decided, or not done, as the rules say.
  public var isPartial: Bool {
    !failures.isEmpty
      || targets.contains { pruned in
        !pruned.plan.isWholePicture || !(pruned.report?.changed.isEmpty ?? true)
          || pruned.plan.vaults.contains(where: \.isUndecided) || pruned.plan.isNothingMine
      }
  }
}

/// The result of a run of `prune`.
public struct PruneReport: Sendable {
  /// The removed files, in the order of their removal.
  public internal(set) var removed: [PrunePlan.Removed] = []
  /// Files to remove that have changed since the plan was made.
  public internal(set) var changed: [String] = []

  /// The room that was made, in bytes.
  public var freedBytes: UInt64 { removed.reduce(0) { $0 + $1.entry.byteCountWithParity } }
}

extension PrunePlan {
  /// Removes the plan's files, oldest first.
  ///
  /// Each file is inspected again before its removal. A copy is removed only after a comparison of every byte with the
  /// remaining file. An interrupted run has removed the oldest files and changed nothing else.
  ///
  /// - Parameters:
  ///   - state: the lock that excludes this machine's other runs.
  ///   - progress: receives the file being removed. An error that it throws ends the run.
  /// - Returns: the removed files, and those that had changed and were kept.
  /// - Throws: ``TargetError/noTarget(path:)``, and errors from removing and from `progress`.
  public func run(state: LockedState, progress: (String) throws -> Void) throws -> PruneReport {
    let storage = try target.storage
    let going = removed
    var report = PruneReport()
    try storage.remove(going.map(\.entry)) { index in
      let entry = going[index].entry
      try progress(entry.name)
      guard try Self.isStill(going[index], in: storage, progress) else {
        report.changed.append(entry.name)
        return false
      }
      return true
    } removed: {
      report.removed.append(going[$0])
    }
    return report
  }

  private static func isStill(
    _ going: Removed, in storage: any TargetStorage, _ progress: (String) throws -> Void
  ) throws -> Bool {
    guard let file = still(going.entry, in: storage) else { return false }
    guard let original = going.original else { return true }
    guard let stays = still(original, in: storage) else { return false }
    do {
      return try stays.hasSameBytes(as: file) { _ in try progress(going.entry.name) }
    } catch ArchiveError.unreadable(let error) where !error.isInterrupted {
      return false
    }
  }

  /// Opens a file if it is unchanged since the plan was made.
  private static func still(_ entry: TargetEntry, in storage: any TargetStorage) -> ArchiveFile? {
    guard let file = try? storage.open(entry),
      let now = try? StoredArchive(reading: file, search: .nearTheEnd),
      let before = entry.archive, now.statedDigest == before.statedDigest,
      now.trailerDigest == before.trailerDigest, now.byteCount == entry.byteCount
    else { return nil }
    return file
  }
}
