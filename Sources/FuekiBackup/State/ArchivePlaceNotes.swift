internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiWallet

extension LockedState {
  /// Records the archives that were found in targets; a stranger's is passed over.
  func note(
    _ found: [(target: Target, entries: [TargetEntry])], _ ownerships: Ownerships, of vault: VaultID
  ) throws {
    let own = found.flatMap { target, entries in
      entries.compactMap(\.archive).filter {
        $0.facts.vaultID == vault && ownerships[$0] == .mine
      }.map { (target.place, $0.facts.sequence) }
    }
    guard let newest = own.map(\.1).max() else { return }
    let known = try directory.vault(vault).known?.sequence ?? 0
    try notePlaces(of: vault, since: max(known, newest).addingReportingOverflow(1).partialValue) { places in
      for (place, sequence) in own { places.insert(sequence, in: place) }
    }
  }

  /// Records the places of a new archive.
  ///
  /// - Parameters:
  ///   - written: the archive.
  ///   - paths: its files.
  ///   - targets: all intended targets. Private keys in it stay in these, and in local ones.
  /// - Throws: errors from reading and writing the state.
  func note(_ written: WrittenArchive, in paths: [String], to targets: [Target]) throws {
    let seen = targets.filter(\.isSeenByOthers).map(\.place)
    let hasPrivateKeys = [Section.privateKeys, .secretFiles].contains {
      written.recordCounts[$0.rawValue] ?? 0 > 0
    }
    let sequence = written.facts.sequence
    try notePlaces(of: written.facts.vaultID, since: sequence) { places in
      for path in paths { places.insert(sequence, in: Target(holding: path).place) }
      guard hasPrivateKeys else { return }
      if seen.isEmpty { places.confine(sequence) } else { places.allow(sequence, in: seen) }
    }
  }

  /// Records a copy.
  func note(_ link: VaultState.Link, in target: Target, of vault: VaultID) throws {
    let known = try directory.vault(vault).known?.sequence ?? 0
    try notePlaces(of: vault, since: max(known, link.sequence)) { $0.insert(link.sequence, in: target.place) }
  }

  private func notePlaces(
    of vault: VaultID, since: UInt64, _ change: (inout ArchivePlaces) -> Void
  ) throws {
    var state = try directory.vault(vault)
    var places = state.places ?? ArchivePlaces(since: since)
    change(&places)
    guard places != state.places else { return }
    state.places = places
    try keep(state, of: vault)
  }
}
