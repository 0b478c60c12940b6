internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

extension Publication {
  /// Announces the archive, publishes it in every target, and confirms it in this machine's state.
  ///
  /// - Throws: the first target's error if none has the archive; errors from the closure and from writing the state.
  func distribute<Contents>(
    _ verified: Verified<Contents>, _ progress: (BackupProgress) throws -> Void
  ) throws -> PublishedArchive {
    let (written, intact) = (verified.written, verified.intact)
    var place = verified.place
    let name = ArchiveName.make(label: label, facts: intact.facts, digest: intact.digest)
    let (parity, parityFailure) = try makeParity(of: verified.temporary, name, progress)
    try announce(written, intact.source)
    var putting = Distribution(
      made: verified.temporary, intact: intact, machine: place.machine, name: name, parity: parity)
    try putting.putIntoFolders(place.live, progress)
    // A run that ends while a remote is slow has already recorded the folders' archives.
    let isInFolders = !putting.paths.isEmpty
    if isInFolders { try confirm(verified) }
    try putting.putOnRemotes(place.live, progress)
    let failures = place.failures + putting.failures
    guard !putting.paths.isEmpty else { throw failures[0].error }
    if !isInFolders { try confirm(verified) }
    try place.catchUp.bringOnlyOnes(of: verified.inventory, besides: failures, progress)
    try state.note(written, in: putting.paths, to: place.permitted)
    let tableError = keepTable(verified.pass, of: written, in: putting.paths)
    return PublishedArchive(
      archive: written, paths: putting.paths, failures: failures, parity: putting.deliveredParity,
      parityFailures: (parityFailure.map { [$0] } ?? []) + putting.parityFailures,
      warnings: putting.warnings, strangers: place.strangers, fullReason: place.basis?.reason,
      baseSlotsForTheLongTerm: written.facts.base.map(place.slotsForTheLongTerm), tableError: tableError,
      inventory: verified.inventory, copies: place.catchUp.report)
  }

  /// Makes recovery files, without which the archive is published if they cannot be made.
  private func makeParity(
    of temporary: TemporaryArchive, _ name: String, _ progress: (BackupProgress) throws -> Void
  ) throws -> (made: MadeParity?, failure: TargetFailure?) {
    guard let amount = options.parity, amount.percent > 0 else { return (nil, nil) }
    do {
      let made = try MadeParity(amount, of: temporary.path, name: name, state: state) {
        try progress(.makingParity(percent: $0))
      }
      return (made, nil)
    } catch {
      guard !(error is Interrupted), !Interruption.wasRequested else { throw Interrupted() }
      return (nil, TargetFailure(path: "", error: error))
    }
  }

  /// Records the intent to publish the archive.
  private func announce(_ written: WrittenArchive, _ archive: StoredArchive) throws {
    var vault = try state.directory.vault(vaultID)
    vault.intent = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    vault.remember(sealsOf: archive)
    try state.keep(vault, of: vaultID)
  }

  /// Records the archive as the vault's newest.
  private func confirm<Contents>(_ verified: Verified<Contents>) throws {
    let (written, facts) = (verified.written, verified.facts)
    let link = VaultState.Link(sequence: written.facts.sequence, digest: written.digest)
    let before = try state.directory.vault(vaultID)
    var vault = before
    vault.advance(to: link, signer: written.facts.signer)
    memory.remember(written, in: &vault, before: before)
    vault.inventory = verified.inventory
    vault.guardians = options.guardiansStay ? slots.guardians?.line : nil
    vault.emptied = nil
    if let base = written.facts.base, vault.base?.digest == base.digest.hex {
      vault.base?.opensAlike = link.digest
    }
    vault.missing = facts?.missing ?? before.missing
    vault.keptUnread = facts.map { $0.keptUnread.isEmpty ? nil : $0.keptUnread } ?? before.keptUnread
    if let facts {
      vault.sources = facts.sources
      vault.declinedKeys = facts.declinedKeys
      vault.remember(facts.findings)
      vault.placedFiles = facts.placedFiles
    }
    try state.keep(vault, of: vaultID)
  }
}
