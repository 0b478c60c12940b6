internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto

/// Compares the targets of `status` with one another, and with this machine's own archives.
struct LagSearch {
  private let found: [(path: String, archives: [StoredArchive])]
  private let activity: [Activity]
  private let state: StateDirectory

  /// - Parameters:
  ///   - found: the contents of the targets, by path.
  ///   - trust: the signers whose archives are the user's. For a vault unknown to this machine, all archives count.
  ///   - activity: this machine's activities in the targets.
  ///   - state: this machine's state.
  init(
    _ found: [(path: String, entries: [TargetEntry])], _ trust: Trust, _ activity: [Activity],
    _ state: StateDirectory
  ) {
    self.activity = activity
    self.state = state
    let ownerships = try? Ownerships(
      of: found.flatMap(\.entries).compactMap(\.archive), trust: trust.readable)
    self.found = found.map { path, entries in
      let archives = entries.compactMap(\.archive).filter { archive in
        guard archive.structuralDamage.isEmpty, let whose = ownerships?[archive] else { return false }
        let isKnown = (try? trust.of(archive.facts.vaultID).isKnown) ?? false
        return whose == (isKnown ? .mine : .unknown)
      }
      return (path, archives)
    }
  }

  /// How far a target is behind; nil if it is not.
  func lag(of vault: String, in target: Target) -> TargetLag? {
    guard let id = VaultID(hex: vault) else { return nil }
    // A folder that this machine never wrote to may be an old copy.
    let isOwn = activity.contains { $0.kind == .create && $0.target == target.place && $0.vault == vault }
    let known = isOwn ? (try? state.vault(id))?.known : nil
    let made = activity.filter { $0.kind == .create && $0.vault == vault && $0.archive == known?.digest }
    return TargetLag(
      of: id, in: target.path, among: found,
      made: known.map { ($0, UInt64(clamping: made.map(\.time).min() ?? 0)) })
  }
}
