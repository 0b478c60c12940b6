internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

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

/// The contents of a target, or the reason that they cannot be listed.
package struct TargetListing: Sendable {
  package let target: Target
  package let entries: Result<[TargetEntry], any Error>

  package init(_ target: Target, entries: Result<[TargetEntry], any Error>) {
    self.target = target
    self.entries = entries
  }

  /// Lists a target.
  ///
  /// A folder without archives may be where the disk of the archives is not mounted.
  ///
  /// - Parameters:
  ///   - target: the target.
  ///   - past: this machine's past activities.
  package init(of target: Target, past: [Activity]) {
    let entries = Result {
      let entries = try target.entries()
      if !entries.contains(where: { $0.archive != nil }) { try target.checkMount(past) }
      return entries
    }
    self.init(target, entries: entries)
  }

  /// The entries; empty if they cannot be listed.
  package var readable: [TargetEntry] { (try? entries.get()) ?? [] }
}

/// The listings of targets in a run, each made once.
///
/// Any thread may use it. A thread waits while another one lists a target.
package final class TargetListings: Sendable {
  private let known = Locked<[ExactText: [TargetEntry]]>([:])
  private let copies: RemoteCopies?

  /// - Parameter copies: receives small archives of listed remotes; nil to read the structures only.
  package init(keeping copies: RemoteCopies? = nil) { self.copies = copies }

  /// Returns the contents of a target, which is listed unless that was done before.
  ///
  /// - Throws: the errors of ``Target/entries()``.
  package func list(_ target: Target) throws -> [TargetEntry] {
    if let entries = known.withLock({ $0[target.place] }) { return entries }
    let entries = try target.entries(keeping: copies)
    known.withLock { $0[target.place] = entries }
    return entries
  }

  /// Lists a remote and everything below it through one rclone.
  ///
  /// - Parameter folders: the remote's folders with archives.
  /// - Throws: the reason that the remote cannot be read, and `Interrupted`.
  package func list(_ folders: ArchiveFolders) throws {
    for listing in try folders.listings(past: [], keeping: copies) {
      let entries = try listing.entries.get()
      known.withLock { $0[listing.target.place] = entries }
    }
  }

  /// Returns the contents of a target; empty if it cannot be listed.
  func entries(of target: Target) -> [TargetEntry] {
    known.withLock { known in
      if let entries = known[target.place] { return entries }
      let entries = (try? target.entries()) ?? []
      known[target.place] = entries
      return entries
    }
  }
}
