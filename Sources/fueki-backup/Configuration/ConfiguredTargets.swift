internal import FuekiArchive
internal import FuekiBackup
internal import FuekiSystem

// The targets that apply to a run, and the decisions about them.

extension Configuration {
  /// The targets of the selected vault, or of all vaults if none was selected.
  var chosenTargets: [Target] {
    guard let wanted = meant?.targets else {
      return targets.map(\.target)
    }
    return targets.filter { $0.name.map(wanted.contains) ?? false }.map(\.target)
  }

  /// Returns the handling of unencrypted keys in archives for these targets: all of them get the same archive.
  ///
  /// The keys are included only if they may go to every target that others see.
  ///
  /// - Parameters:
  ///   - targets: the targets of a run.
  ///   - areAllowed: whether an option allows the keys everywhere.
  /// - Returns: the decision.
  func keysDecision(for targets: [Target], areAllowed: Bool) -> KeysDecision {
    let seen = targets.filter(\.isSeenByOthers)
    if areAllowed || seen.isEmpty { return .included }
    let decisions = seen.map(includesKeys)
    if decisions.allSatisfy({ $0 == true }) { return .included }
    return decisions.contains(false) ? .declined : .undecided
  }

  /// Returns whether unencrypted keys may go to a target that others see; nil if undecided.
  private func includesKeys(_ target: Target) -> Bool? {
    let decisions = targets.filter { $0.target.place == target.place }.map(\.includesKeys)
    return decisions.contains(false) ? false : decisions.contains(true) ? true : nil
  }

  /// Returns whether a target is append-only, independent of the path or link that leads there.
  func isAppendOnly(_ target: Target) -> Bool {
    target.isAppendOnly
      || targets.contains { $0.target.isDeclaredAppendOnly && $0.target.place == target.place }
  }

  /// The ids of the configured vaults whose archives are made in a target, as far as they are known.
  func vaultIDs(in target: Target) -> [VaultID] {
    guard let entry = targets.first(where: { ExactText($0.target.path) == ExactText(target.path) }) else {
      return []
    }
    return candidates.filter { vault in
      vault.targets.map { wanted in entry.name.map(wanted.contains) ?? false } ?? true
    }.compactMap(vaultID)
  }
}
