internal import FuekiArchive
internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension RestoreCommand {
  /// Remembers the archive as the newest of its vault, where it is this person's.
  ///
  /// One that merely opened may be anybody's: it is remembered where it proves its signers by its one passphrase, or a
  /// person says yes to their fingerprint. An older archive, restored on purpose, does not make the machine forget the
  /// newest.
  func remember(
    _ found: FoundArchive, _ outcome: RecoveryOutcome, openedWith unlocking: UnlockingSecrets?,
    _ lock: LockedState,
    _ console: Console
  ) throws {
    let facts = found.stored.facts
    if found.ownership != .mine {
      // A stranger's was taken because the person said so, which makes it no archive of the vault.
      guard found.ownership == .unknown, let open = outcome.archive as? OpenArchive, let unlocking,
        let accepted = try SignerAcceptance(secrets: unlocking).accept(
          open, siblings: found.siblings)
      else {
        console.warning(
          "nothing shows that this archive is yours, so this machine does not continue its vault unasked: "
            + "accept its signer with \"key trust\" once you have compared it with your recovery kit")
        return
      }
      try lock.accept(accepted, of: facts.vaultID)
    }
    let link = VaultState.Link(sequence: facts.sequence, digest: outcome.archive.digest)
    var state = try lock.directory.vault(facts.vaultID)
    guard link.sequence >= state.known?.sequence ?? 0, link != state.known else { return }
    state.known = link
    state.intent = nil
    // What another machine collected is no measure of what this one will.
    (state.counts, state.content) = (nil, nil)
    state.missing = outcome.report.manifest.missing
    try lock.keep(state, of: facts.vaultID)
  }

  /// Names the vault's newest archive that does verify and is no less this person's, and stops until told.
  func fallback(from found: FoundArchive, _ error: ArchiveError) throws -> CommandError {
    let facts = found.stored.facts
    let trusted = try found.trusted
    let entries = try targets.targets(settings.load()).flatMap { try $0.entries() }
    let ownerships = try Ownerships(of: entries.compactMap(\.archive), trust: found.trust)
    let next = try entries.first { entry in
      guard entry.path != found.path, let archive = entry.archive, archive.facts.vaultID == facts.vaultID,
        archive.facts.sequence <= facts.sequence,
        ownerships[archive] == .mine || ownerships[archive] == found.ownership
      else { return false }
      return try Verification(trusted: trusted).run(on: entry.path, known: { _ in nil }).verdict == .intact
    }
    return .newestFails(path: found.path, verdict: error.verdict, fallback: next?.path)
  }

  /// The newest archive does not open: where an older one does, it is not the person's memory that failed.
  ///
  /// - Returns: nil where none of the older ones opens either.
  func wrongForNewest(_ found: FoundArchive, _ unlocking: UnlockingSecrets?) throws -> (any Error)? {
    guard let unlocking else { return nil }
    let older = found.siblings.filter { $0.facts.sequence < found.stored.facts.sequence }
    for archive in older.prefix(SignerLearning.mostTried)
    where SignerAcceptance(secrets: unlocking).opened(archive) != nil {
      let entries = try targets.targets(settings.load()).flatMap { try $0.entries() }
      let path = entries.first { $0.archive?.statedDigest == archive.statedDigest }?.path
      let above = found.siblings.count { $0.facts.sequence > archive.facts.sequence }
      return Failure.Thrown(
        failure: Failure(
          .wrongSecret, "what was given does not open the newest archive here, \(found.path)",
          meaning:
            "it does open archive \(archive.facts.sequence) of \(LocalTime.text(archive.facts.created)), and "
            + "\(above == 1 ? "one stands" : "\(above) stand") above it, which may be a stranger's",
          hint: "restore \(path ?? archive.statedDigest.shortID), if that is the archive you know"))
    }
    return nil
  }
}

extension OwnershipLines {
  /// The line that every restore begins with.
  static func restoring(_ found: FoundArchive) -> String {
    let facts = found.stored.facts
    let place = found.siblings.filter { $0.facts.sequence > facts.sequence }.isEmpty
    let standing = "\(place ? "the newest" : "not the newest") of \(found.siblings.count) here"
    return
      "archive \(found.stored.statedDigest.shortID), number \(facts.sequence), made \(LocalTime.text(facts.created)), "
      + "\(OwnershipLines.signer(found)), \(standing)"
  }
}
