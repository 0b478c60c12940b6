internal import FuekiCrypto
internal import FuekiSystem
public import FuekiArchive

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

/// How far a target is behind the newest archive of a vault.
public enum TargetLag: Equatable, Sendable {
  /// The target lacks the newest archive, and every one after the number that it has.
  case behind(newest: VaultState.Link, since: UInt64?, holder: String?)
  /// The target has the newest archive, and lacks the base that it needs.
  case lacksBase(newest: VaultState.Link, base: UInt64, holder: String?)

  /// Compares a target with others; nil if it has what it should have.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - target: the target.
  ///   - found: the archives of all targets that are mine, by target.
  ///   - made: the newest archive that this machine made, if it made some in this target.
  public init?(
    of vault: VaultID, in target: Target, among found: [(target: Target, archives: [StoredArchive])],
    made: (link: VaultState.Link, time: UInt64)?
  ) {
    let found = found.map { target, archives in
      (target: target, archives: archives.filter { $0.facts.vaultID == vault })
    }
    let here = found.filter { $0.target == target }.flatMap(\.archives)
    let all = found.flatMap(\.archives)
    guard let newest = all.max(by: { $0.facts.sequence < $1.facts.sequence }) else { return nil }
    var link = VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
    if let made, made.link.sequence > link.sequence { link = made.link }
    let last = here.map(\.facts.sequence).max() ?? 0
    guard last == link.sequence else {
      let missed = all.filter { $0.facts.sequence > last }.map(\.facts.created).min()
      self = .behind(
        newest: link, since: missed ?? made?.time,
        holder: found.first { $0.archives.contains { $0.facts.sequence == link.sequence } }?.target.path)
      return
    }
    let bases = here.filter { $0.facts.sequence == last }.compactMap(\.facts.base)
    guard let base = bases.first(where: { base in !here.contains { $0.statedDigest == base.digest } }) else {
      return nil
    }
    self = .lacksBase(
      newest: link, base: base.sequence,
      holder: found.first { $0.archives.contains { $0.statedDigest == base.digest } }?.target.path)
  }
}
