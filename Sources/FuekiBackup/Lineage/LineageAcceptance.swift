internal import FuekiArchive
internal import FuekiCrypto

extension BackupRun {
  /// Takes the signers of a vault's archives for this vault's, where an archive that the passphrase opens proves them, or
  /// a person says yes to their fingerprint.
  ///
  /// - Throws: ``LineageError/notMine(sequence:_:)`` where nothing does, and
  ///   ``LineageError/implausibleSequence(_:known:)``.
  func acceptLineage(of vaultID: VaultID, _ state: LockedState) throws {
    let trust = try answers.trust()
    let found = targets.flatMap { (try? $0.entries()) ?? [] }.compactMap(\.archive)
      .filter { $0.facts.vaultID == vaultID }.sorted { $0.facts.sequence > $1.facts.sequence }
    let ownerships = try Ownerships(of: found, trust: trust)
    let known = try state.directory.vault(vaultID).known
    let foreign = found.filter {
      ownerships[$0] != .mine && $0.facts.sequence >= known?.sequence ?? 0
    }
    guard !foreign.isEmpty else { return }
    // Somebody's, put there with a great number, so that the vault has no number left.
    let plausible = foreign.filter { VaultLineage.isPlausible($0.facts.sequence, after: known?.sequence) }
    if let accepted = try accepted(plausible, of: found) {
      return try state.accept(accepted, of: vaultID)
    }
    // A stranger's is passed over, as where nothing is adopted.
    guard let unknown = foreign.first(where: { ownerships[$0] == .unknown }) else { return }
    throw plausible.isEmpty
      ? LineageError.implausibleSequence(unknown.facts.sequence, known: known?.sequence)
      : LineageError.notMine(sequence: unknown.facts.sequence, .unknown)
  }

  /// The newest that the passphrase opens is asked first: others may have been put above it.
  private func accepted(_ archives: [StoredArchive], of vault: [StoredArchive]) throws -> VaultState? {
    let candidates = archives.filter(SignerLearning.hasOnlyPassphrase).prefix(SignerLearning.mostTried)
    if !candidates.isEmpty, let secrets = try answers.archiveSecrets() {
      let acceptance = SignerAcceptance(secrets: secrets, asking: answers.isOwnSigner)
      for archive in candidates {
        guard let open = acceptance.opened(archive) else { continue }
        let siblings = vault.filter { $0.statedDigest != archive.statedDigest }
        let learned = try SignerLearning(from: open, others: siblings, open: acceptance.opened)
        guard let learned else { return nil }
        var state = VaultState()
        state.accept(learned)
        return state
      }
    }
    for archive in archives {
      guard let signer = archive.facts.signer, archive.isSigned(byOneOf: [signer]) else { continue }
      guard try answers.isOwnSigner(signer, archive.facts) else { return nil }
      var state = VaultState()
      state.accept(signers: [signer])
      return state
    }
    return nil
  }
}
