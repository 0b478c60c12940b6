internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

// A restored archive in its vault's lineage: how this machine records it, and its fallback if the newest
// archive fails.

extension RestoreRun {
  /// Records the archive as the newest of its vault, if it is the user's.
  ///
  /// An archive that merely opens may be from anyone. It is recorded only if it proves its signers by its
  /// single passphrase, or the user confirms their fingerprint. Restoring an older archive on purpose does
  /// not make the machine forget the newest.
  ///
  /// - Returns: whether it is the user's.
  func remember(
    _ recovered: RestoreReport, openedWith given: UnlockingSecrets?, _ lock: LockedState
  ) throws -> Bool {
    let facts = archive.stored.facts
    var doubt: LineageError?
    if archive.ownership != .mine {
      // The user accepted a stranger's archive, which does not make it one of the vault.
      guard archive.ownership == .unknown, let open = recovered.archive as? OpenArchive, let given,
        let accepted = try acceptance(given).accept(open, siblings: archive.siblings)
      else {
        try report(.vaultNotContinued(isDamaged: recovered.archive is SalvagedArchive))
        return false
      }
      doubt = accepted.doubt
      if doubt == nil { try lock.accept(accepted.state, of: facts.vaultID) }
    }
    // Backups of an archive's sources continue its vault, whether or not they name its restored store.
    if recovered.manifest.isOfSourcesAlone { try lock.keepStorelessUnlessKept(facts.vaultID) }
    // The next backup reports the newer archive, which this one must not hide.
    guard doubt == nil else { return true }
    let link = VaultState.Link(sequence: facts.sequence, digest: recovered.archive.digest)
    var state = try lock.directory.vault(facts.vaultID)
    let (handsOn, restoredSources) = (state.handsOnSecrets, state.restoredSources)
    // No source provides them. They are only in this store, and in archives.
    let hasSecrets = recovered.restored.contains { $0.key.leavesOnRequest && $0.value > 0 }
    if hasSecrets { state.handsOnSecrets = true }
    var sources = OriginalSources()
    // Unreadable parts of a damaged archive are not compared with the next one.
    let inventory = try? recovered.archive.inventory(recovered.manifest) { sources.note($0) }
    state.add(sources, recovered.manifest)
    guard link.sequence >= state.known?.sequence ?? 0, link != state.known else {
      if state.handsOnSecrets != handsOn || state.restoredSources != restoredSources {
        try lock.keep(state, of: facts.vaultID)
      }
      return true
    }
    state.continue(
      from: recovered.archive, recovered.manifest, inventory,
      signing: lock.directory.ownKeys(of: facts.vaultID), among: archive.siblings + [archive.stored])
    try lock.keep(state, of: facts.vaultID)
    return true
  }

  /// Whether the intact parts of a damaged archive are the user's: what a passphrase alone opens was made by a person
  /// who knows it.
  ///
  /// The vault does not continue from it, because its damaged parts may name other signers.
  func isProvedByPassphrase(_ recovered: RestoreReport) -> Bool {
    archive.ownership == .unknown && recovered.archive is SalvagedArchive
      && SignerLearning.hasOnlyPassphrase(archive.stored)
  }

  private func acceptance(_ secrets: UnlockingSecrets) -> SignerAcceptance {
    SignerAcceptance(secrets: secrets, asking: answers.isOwnSigner)
  }
}
