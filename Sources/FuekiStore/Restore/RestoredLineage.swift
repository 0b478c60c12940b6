internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

// A restored archive's place in its vault's lineage: what this machine remembers of it, and what it names where the
// newest archive fails.

extension RestoreRun {
  /// Remembers the archive as the newest of its vault, where it is this person's.
  ///
  /// One that merely opened may be anybody's: it is remembered where it proves its signers by its one passphrase, or a
  /// person says yes to their fingerprint. An older archive, restored on purpose, does not make the machine forget the
  /// newest.
  ///
  /// - Returns: whether it is this person's.
  func remember(
    _ recovered: RecoveryOutcome, openedWith given: UnlockingSecrets?, _ lock: LockedState
  ) throws -> Bool {
    let facts = archive.stored.facts
    if archive.ownership != .mine {
      // A stranger's was taken because the person said so, which makes it no archive of the vault.
      guard archive.ownership == .unknown, let open = recovered.archive as? OpenArchive, let given,
        let accepted = try acceptance(given).accept(open, siblings: archive.siblings)
      else {
        try report(.vaultNotContinued)
        return false
      }
      try lock.accept(accepted, of: facts.vaultID)
    }
    let link = VaultState.Link(sequence: facts.sequence, digest: recovered.archive.digest)
    var state = try lock.directory.vault(facts.vaultID)
    // No source brings them: they are only in this store, and in archives.
    let hasSecrets = recovered.report.restored.contains { $0.key.leavesOnRequest && $0.value > 0 }
    if hasSecrets { state.handsOnSecrets = true }
    guard link.sequence >= state.known?.sequence ?? 0, link != state.known else {
      if hasSecrets { try lock.keep(state, of: facts.vaultID) }
      return true
    }
    state.known = link
    state.intent = nil
    // What another machine collected is no measure of what this one will.
    (state.counts, state.content, state.placedFiles) = (nil, nil, nil)
    state.missing = recovered.report.manifest.missing
    state.remember(recovered.report.manifest.findings)
    // What cannot be read of a damaged archive is not compared with the next one.
    if let inventory = try? recovered.archive.inventory(recovered.report.manifest) {
      state.inventory = inventory.following(state.inventory)
    }
    try lock.keep(state, of: facts.vaultID)
    return true
  }

  /// Names the vault's newest archive that does verify and is no less this person's.
  func fallback(for error: ArchiveError) throws -> RestoreError {
    let facts = archive.stored.facts
    let entries = try archive.targets.flatMap { try $0.entries() }
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: archive.trust)
    let next = try entries.first { entry in
      guard entry.path != archive.path, let other = entry.archive, other.facts.vaultID == facts.vaultID,
        other.facts.sequence <= facts.sequence,
        ownerships[other] == .mine || ownerships[other] == archive.ownership
      else { return false }
      let verification = Verification(trusted: archive.trusted)
      let result = try verification.run(on: entry.path, known: { _ in nil })
      return result.verdict == .intact && result.missingBase == nil
    }
    return .newestFails(path: archive.path, verdict: error.verdict, fallback: next?.path)
  }

  /// The newest archive does not open: where an older one does, it is not the person's memory that failed.
  ///
  /// - Returns: nil where none of the older ones opens either.
  func olderThatOpens(with given: UnlockingSecrets?) throws -> RestoreError? {
    guard let given else { return nil }
    let older = archive.siblings.filter { $0.facts.sequence < archive.stored.facts.sequence }
    for one in older.prefix(SignerLearning.mostTried) where acceptance(given).opened(one) != nil {
      let entries = try archive.targets.flatMap { try $0.entries() }
      let path = entries.first { $0.archive?.statedDigest == one.statedDigest }?.path
      return .opensOlder(
        .init(
          below: archive.path, name: path ?? one.statedDigest.shortID, sequence: one.facts.sequence,
          created: one.facts.created,
          above: archive.siblings.count { $0.facts.sequence > one.facts.sequence }))
    }
    return nil
  }

  private func acceptance(_ secrets: UnlockingSecrets) -> SignerAcceptance {
    SignerAcceptance(secrets: secrets, asking: answers.isOwnSigner)
  }
}
