public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Old archives thinned out by rule, in one target after another.
///
/// It is given values, tells through ``PruneEvent``, and ends in a value.
public struct PruneRun {
  /// Where the archives lie.
  public let targets: [Target]
  /// What stays.
  public let rules: RetentionRules
  /// The only vault that is decided for; nil for all.
  public var vault: VaultID?
  /// Nothing is removed.
  public var isTrial = false
  /// Asked before the files of a plan are removed.
  ///
  /// False removes none of them. What it throws leaves the target alone.
  public var consent: (PrunePlan) throws -> Bool = { _ in true }
  let trust: Trust
  let now: Int64
  let report: (PruneEvent) throws -> Void

  /// - Parameters:
  ///   - targets: where the archives lie.
  ///   - rules: what stays.
  ///   - trust: whose word counts; where nothing says that an archive is mine, none is removed.
  ///   - now: seconds since 1970.
  ///   - report: is told what happens; what it throws ends the run.
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

  /// Decides for each target, says so, and removes what goes.
  ///
  /// - Parameter state: the lock that keeps this machine's other runs away.
  /// - Returns: what was decided and done; a target that cannot be reached does not stop the others.
  /// - Throws: the first target's error where none could be decided for, `Interrupted`, and what `report` throws.
  public func run(state: LockedState) throws -> PruneOutcome {
    var outcome = PruneOutcome()
    for target in targets {
      do {
        outcome.targets.append(try prune(target, state))
      } catch is Interrupted {
        throw Interrupted()
      } catch let error as SystemError where error.isInterrupted {
        throw error
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
      // What is kept of a base is of no use without it; where that cannot be forgotten, the next archive finds out.
      try? state.forgetBase(of: vault.id)
    }
    for vault in plan.vaults where vault.verified != nil {
      try? state.directory.note(.prune, target: target.path, vault: vault.id)
    }
    try report(.removed(removed))
    return PruneOutcome.Pruned(plan: plan, report: removed)
  }
}

/// What happens while old archives are thinned out, for whoever shows it.
public enum PruneEvent: Sendable {
  /// A file is read to its end: the newest that is whole stays.
  case verifying(file: String)
  /// What stays in a target, and what goes.
  case decided(PrunePlan)
  /// A file goes.
  case removing(file: String)
  /// What went from the target.
  case removed(PruneReport)
}

/// What a run of `prune` came to.
public struct PruneOutcome {
  /// One target.
  public struct Pruned: Sendable {
    /// What was decided.
    public let plan: PrunePlan
    /// What was done; nil where it was only tried.
    public let report: PruneReport?
    /// Whether the consent was refused.
    public var isDeclined = false
  }

  /// The targets that were decided for, in their order.
  public internal(set) var targets: [Pruned] = []
  /// The targets that were left alone, and why.
  public internal(set) var failures: [(path: String, error: any Error)] = []

  /// The vaults that were decided for.
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
