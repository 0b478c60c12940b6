internal import FuekiArchive
internal import FuekiCrypto

/// The contents of a target, their owners, and the damaged ones among the newest.
struct InspectedTarget {
  let entries: [TargetEntry]
  /// The entries that are archives, by vault.
  let byVault: [VaultID: [TargetEntry]]
  let ownerships: Ownerships
  private(set) var damaged: Set<Digest> = []
  /// The archives that an earlier verification found damaged.
  let recorded: [Digest: DamagedArchives.Finding]

  /// Judges a target's archives, and reads the newest one of each vault unless that was done within the last day.
  ///
  /// On a remote that is left to `verify` and `create`, which record it.
  ///
  /// - Throws: the reason that the target, its newest archives or this machine's state cannot be read.
  init(
    _ listing: TargetListing, _ trust: Trust, _ state: StateDirectory, _ past: DamagedArchives, _ now: Int64
  ) throws {
    recorded = past.findings(in: listing.target.place)
    entries = try listing.entries.get()
    ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: trust)
    var byVault: [VaultID: [TargetEntry]] = [:]
    for entry in entries {
      if let vault = entry.archive?.facts.vaultID { byVault[vault, default: []].append(entry) }
    }
    self.byVault = byVault
    guard listing.target.kind != .rclone else { return }
    for (vault, group) in byVault {
      let mine = group.filter { $0.archive.map { ownerships[$0] } == .mine }
      guard let digest = mine.newestArchive?.archive?.statedDigest else { continue }
      let files = mine.filter { $0.archive?.statedDigest == digest }
      let check = DailyCheck(state: state, vault: vault, target: listing.target)
      if try !check.isWhole(files, { _ in }) { damaged.insert(digest) }
    }
  }

  /// Returns the damaged and incomplete files that claim to be the newest archive of a vault that this machine does not
  /// know, without transfers that go on.
  ///
  /// Anyone who can write to the target can plant such a file, and this machine knows what its own vaults should have
  /// there.
  func broken(_ trust: Trust) -> [TargetEntry] {
    entries.filter { entry in
      guard entry.archive == nil, entry.state == .damaged || entry.state == .incomplete, !entry.isTransfer,
        let claim = entry.claim, let vault = claim.vaultID, (try? trust.of(vault).isKnown) != true
      else { return false }
      return claim.sequence > (byVault[vault] ?? []).newestArchive?.archive?.facts.sequence ?? 0
    }
  }

  /// Returns the archives that an earlier verification found damaged, or whose bases it found damaged, of vaults that
  /// this machine does not know.
  func recordedOfOthers(_ trust: Trust) -> Set<Digest> {
    guard !recorded.isEmpty else { return [] }
    let others = byVault.filter { (try? trust.of($0.key).isKnown) == false }
    let damaged = others.flatMap(\.value).compactMap(\.archive).filter { archive in
      recorded[archive.statedDigest] != nil || archive.facts.base.flatMap { recorded[$0.digest] } != nil
    }
    return Set(damaged.map(\.statedDigest))
  }

  /// The archives that a nightly backup must open: the user's, and those of a vault that this machine does not know.
  func own(_ trust: Trust) -> [StoredArchive] {
    byVault.flatMap { vault, entries in
      let wanted: Ownership = (try? trust.of(vault).isKnown) ?? true ? .mine : .unknown
      return entries.compactMap(\.archive).filter { ownerships[$0] == wanted }
    }
  }
}

extension [TargetEntry] {
  /// The entry whose archive has the highest number.
  var newestArchive: TargetEntry? {
    self.max { ($0.archive?.facts.sequence ?? 0) < ($1.archive?.facts.sequence ?? 0) }
  }
}
