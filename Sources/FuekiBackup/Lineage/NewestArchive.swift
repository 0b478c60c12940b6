internal import FuekiArchive
internal import FuekiCrypto

extension BackupRun {
  /// Returns the vault's newest archive: of this machine, or of another one whose signer it has accepted; nil if there
  /// is none.
  ///
  /// The other machine may have changed the passphrase. Its archives in a remote are not listed here.
  func newest(of vault: VaultID, _ state: LockedState) throws -> VaultState.Link? {
    let own = try newestOwn(of: vault, state)
    let found = targets.filter { $0.kind != .rclone }.flatMap { (try? $0.entries()) ?? [] }.compactMap(
      \.archive
    )
    .filter { $0.facts.vaultID == vault }
    let later = OtherMachine.later(than: try state.directory.vault(vault), of: vault, among: found)
    guard !later.isEmpty else { return own }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    guard let other = later.first(where: { ownerships[$0] == .mine }),
      other.facts.sequence > own?.sequence ?? 0
    else { return own }
    return VaultState.Link(sequence: other.facts.sequence, digest: other.statedDigest)
  }

  /// Returns the newest archive that this machine made or accepted; nil if there is none.
  ///
  /// An interrupted run may have published an archive without recording it, so this machine's intent counts too.
  private func newestOwn(of vault: VaultID, _ state: LockedState) throws -> VaultState.Link? {
    let remembered = try state.directory.vault(vault)
    guard let announced = remembered.intent, announced.sequence > remembered.known?.sequence ?? 0 else {
      return remembered.known
    }
    let isPublished = targets.contains { target in
      ((try? target.entries()) ?? []).contains { $0.archive?.statedDigest.hex == announced.digest }
    }
    return isPublished ? announced : remembered.known
  }
}
