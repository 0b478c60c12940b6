internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// Compares the targets of a status run with one another, and with this machine's own archives.
struct LagSearch {
  private let targets: [Target]
  /// The archives of each vault, by the place of their target.
  private let archives: [VaultID: [Int: [StoredArchive]]]
  private let activity: [VaultID: [Activity]]
  private let state: StateDirectory

  /// - Parameters:
  ///   - listings: the contents of the targets.
  ///   - trust: the signers whose archives are the user's. For a vault unknown to this machine, all archives count.
  ///   - activity: this machine's activities in the targets, by vault.
  ///   - state: this machine's state.
  init(
    _ listings: [TargetListing], _ trust: Trust, _ activity: [VaultID: [Activity]], _ state: StateDirectory
  ) {
    self.activity = activity
    self.state = state
    targets = listings.map(\.target)
    let ownerships = try? Ownerships(
      of: listings.flatMap(\.readable).compactMap(\.archive), trust: trust.readable)
    var counted: [VaultID: Ownership] = [:]
    var archives: [VaultID: [Int: [StoredArchive]]] = [:]
    for (place, listing) in listings.enumerated() {
      for archive in listing.readable.compactMap(\.archive) where archive.structuralDamage.isEmpty {
        let vault = archive.facts.vaultID
        let wanted = counted[vault] ?? ((try? trust.of(vault).isKnown) ?? false ? .mine : .unknown)
        counted[vault] = wanted
        guard ownerships?[archive] == wanted else { continue }
        archives[vault, default: [:]][place, default: []].append(archive)
      }
    }
    self.archives = archives
  }

  /// How far a target is behind; nil if it is not.
  func lag(of vault: VaultID, in target: Target) -> TargetLag? {
    let activity = activity[vault] ?? []
    // A folder that this machine never wrote to may be an old copy.
    let place = target.place
    let isOwn = activity.contains { $0.kind == .create && $0.target == place }
    let known = isOwn ? (try? state.vault(vault))?.known : nil
    let made = activity.filter { $0.kind == .create && $0.archive == known?.digest }
    return TargetLag(
      of: vault, in: target,
      among: (archives[vault] ?? [:]).sorted { $0.key < $1.key }.map { (targets[$0.key], $0.value) },
      made: known.map { ($0, UInt64(clamping: made.map(\.time).min() ?? 0)) })
  }
}
