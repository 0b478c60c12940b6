internal import FuekiArchive
internal import FuekiCrypto

extension BackupRun {
  /// Accepts the signers of a vault's archives, proved by an archive that the passphrase opens, or confirmed by the
  /// user.
  ///
  /// - Throws: ``LineageError/notMine(sequence:_:)`` without proof or confirmation,
  ///   ``LineageError/inDoubt(sequence:signer:)``, and ``LineageError/implausibleSequence(_:known:)``.
  func acceptLineage(of vaultID: VaultID, _ state: LockedState) throws {
    let found = try archivesInTargets().filter { $0.facts.vaultID == vaultID }
      .sorted { $0.facts.sequence > $1.facts.sequence }
    let trust = try answers.trust()
    let ownerships = try Ownerships(of: found, trust: trust)
    let known = try state.directory.vault(vaultID).known
    let foreign = found.filter {
      ownerships[$0] != .mine && $0.facts.sequence >= known?.sequence ?? 0
    }
    guard !foreign.isEmpty else { return }
    // There is nothing to adopt if this machine's key, all that is left of its state, signed the newest.
    let last = newestFirst(found).first?.facts.sequence
    if known == nil, try ownKey(of: vaultID, among: found.filter { $0.facts.sequence == last }) != nil {
      _ = try continueFound(NextVault(vaultID), state)
      return
    }
    // An attacker's archive with a huge number would leave the vault no numbers.
    let plausible = foreign.filter { VaultLineage.isPlausible($0.facts.sequence, after: known?.sequence) }
    let accepted =
      known == nil
      ? try proof.recognized(newestFirst(found), trust: trust) : try self.accepted(plausible, of: found)
    if let accepted { return try state.accept(accepted, of: vaultID) }
    // A stranger's is passed over, as where nothing is adopted.
    guard let unknown = foreign.first(where: { ownerships[$0] == .unknown }) else { return }
    throw plausible.isEmpty
      ? LineageError.implausibleSequence(unknown.facts.sequence, known: known?.sequence)
      : LineageError.notMine(sequence: unknown.facts.sequence, .unknown)
  }

  /// Continues a vault whose archives are in the targets, if this machine knows nothing of it.
  ///
  /// This machine's key, a trusted signer, the passphrase, or a person proves whose they are. Archives of unknown origin
  /// stop the run later.
  ///
  /// - Returns: the archive that the next one follows; nil if there is none, or this machine knows it.
  /// - Throws: ``LineageError/inDoubt(sequence:signer:)``, and errors from reading, saving the state and the answers.
  func continueFound(_ vault: NextVault, _ state: LockedState) throws -> VaultState.Link? {
    guard try state.directory.vault(vault.id).known == nil else { return nil }
    let found = newestFirst(try archivesInTargets().filter { $0.facts.vaultID == vault.id })
    guard !found.isEmpty else { return nil }
    if let own = try ownKey(of: vault.id, among: found) { try state.accept(own, of: vault.id) }
    if let accepted = try vault.recognized ?? proof.recognized(found, trust: try answers.trust()) {
      try state.accept(accepted, of: vault.id)
      if vault.isAllHere { try state.takeOver(accepted.inventory, among: found, of: vault.id) }
    }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    guard let newest = found.first(where: { ownerships[$0] == .mine }) else { return nil }
    try report(.continues(vault.id, after: newest.facts.sequence))
    return VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
  }

  /// The facts that this machine's key proves, if it signed one of the archives.
  func ownKey(of vault: VaultID, among archives: [StoredArchive]) throws -> VaultState? {
    guard case .key(let key) = try answers.signing(vault) else { return nil }
    return LineageProof.own(key.publicKey, among: archives)
  }

  /// The newest that the passphrase opens is asked first: others may have been put above it.
  private func accepted(_ archives: [StoredArchive], of vault: [StoredArchive]) throws -> VaultState? {
    try proof.proven(archives, of: vault)?.state ?? proof.asked(about: archives)
  }

  var proof: LineageProof {
    LineageProof(secrets: answers.archiveSecrets, budget: trials, asks: answers.isOwnSigner)
  }

  /// Returns the archives with plausible numbers, newest first.
  func newestFirst(_ archives: [StoredArchive]) -> [StoredArchive] { LineageProof.newestFirst(archives) }
}
