internal import FuekiArchive
internal import FuekiSystem

extension Publication {
  /// The place of the next archive: its position in the vault's history, and the targets that can have it.
  struct Place {
    let machine: String
    let position: VaultLineage.Position
    let signer: SigningKey?
    /// The base that the archive can be made from; nil if no differential archive is requested.
    var basis: Basis?
    /// The least room that the archive needs.
    let room: UInt64
    /// The targets that answer and may have the archive, folders first.
    var live: [Target]
    /// The targets that may have the archive.
    let permitted: [Target]
    var failures: [TargetFailure]
    /// Copies earlier archives to the targets that lack them.
    var catchUp: CatchUp
    /// The paths of a stranger's files that call themselves archives of this vault.
    let strangers: [String]
    /// This machine's knowledge of the vault before this archive.
    let known: VaultState
    /// The archives in the targets.
    let found: [StoredArchive]
  }

  /// Finds the archive's place, from the state and the archives in the targets.
  ///
  /// - Throws: ``LineageError``; ``PublishError/notDifferential(_:)``; the first target's error if none can have the
  ///   archive; errors from the closures.
  func findPlace(
    recognizing: (_ found: [TargetEntry]) throws -> Void, _ progress: (BackupProgress) throws -> Void
  ) throws -> Place {
    let machine = try state.machineID()
    var survey = try TargetSurvey(
      of: targets, for: vaultID, state, checksMounts: !memory.acceptance.coversNewDisk)
    try recognizing(survey.entries)
    let known = try state.directory.vault(vaultID)
    // As it is under the lock: what another run has made meanwhile is this machine's, too.
    var trust = trust
    trust.remember(known, of: vaultID)
    let found = survey.archives
    let ownerships = try Ownerships(of: found, trust: trust)
    try survey.refuseUnknown(of: vaultID, known, ownerships)
    try state.note(survey.found, ownerships, of: vaultID)
    var catchUp = CatchUp(
      vaultID: vaultID, found: survey.foundInLive, trust: trust, state: state, machine: machine,
      label: label, options: options)
    let position = try position(known, found, ownerships)
    let closed = survey.live.filter { !mayTake($0, known) }
    let isClosed = { (target: Target) in closed.contains(target) }
    let failures =
      survey.failures
      + closed.map { TargetFailure($0, TargetError.holdsPrivateKeys(path: $0.path)) }
    let live = survey.live.filter { !isClosed($0) }
    guard !live.isEmpty else { throw failures[0].error }
    let isFirst = known.isEmpty && !found.contains { $0.facts.vaultID == vaultID }
    let signer = try signing.key(
      isFirst: isFirst, isContinuing: known.counts == nil, trust.of(vaultID))
    let basis = try basis(position, &catchUp, progress)
    return Place(
      machine: machine, position: position, signer: signer, basis: basis,
      room: roomNeeded(found.filter { ownerships[$0] != .stranger }), live: live,
      permitted: targets.filter { !isClosed($0) }, failures: failures, catchUp: catchUp,
      strangers: survey.strangers(of: vaultID, ownerships), known: known, found: found)
  }

  private func position(
    _ known: VaultState, _ found: [StoredArchive], _ ownerships: Ownerships
  ) throws -> VaultLineage.Position {
    if let reencrypted {
      return try VaultLineage.next(reencrypting: reencrypted, known, found, ownerships)
    }
    return try VaultLineage.next(
      of: vaultID, state: known, found: found, ownerships: ownerships, adopting: options.isAdopting)
  }

  /// Whether a target may take the contents: private keys in them stay in the targets that they were made for.
  private func mayTake(_ target: Target, _ known: VaultState) -> Bool {
    guard let reencrypted, target.isSeenByOthers, let places = known.places else { return true }
    return places.mayLeave(reencrypted.facts.sequence, to: target.place)
  }

  /// Returns the least room for the next archive: half the size of the vault's last one, for a wallet may have shrunk.
  private func roomNeeded(_ found: [StoredArchive]) -> UInt64 {
    let own = found.filter { $0.facts.vaultID == vaultID }
    return own.max { $0.facts.sequence < $1.facts.sequence }.map { $0.byteCount / 2 } ?? 0
  }
}
