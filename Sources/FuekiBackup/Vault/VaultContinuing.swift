package import FuekiArchive
internal import FuekiCrypto
package import FuekiWallet

// A machine that restored an archive, and makes the vault's next one.

extension LockedState {
  /// Continues the vault of a restored archive.
  ///
  /// - Parameter archive: opened with the vault's only passphrase, or signed by one of its known signers.
  /// - Throws: ``VaultError``; ``StateError/damaged(path:)``; errors from reading the archive and writing the state.
  func `continue`(after archive: OpenArchive) throws {
    let id = archive.facts.vaultID
    if let kept = try keptStorelessVaultID(), kept != id { throw VaultError.otherVault(kept) }
    var state = try directory.vault(id)
    if let learned = try SignerLearning(from: archive, others: [], open: { _ in nil }) {
      state.accept(learned)
    } else if archive.facts.signer.map(state.signerKeys.contains) != true {
      throw VaultError.unprovenOwner
    }
    if archive.facts.sequence > state.known?.sequence ?? 0,
      let manifest = try archive.decodedManifest()?.manifest
    {
      state.continue(from: archive, manifest, try? archive.inventory(manifest))
    }
    try keep(state, of: id)
    try keepStoreless(id)
  }
}

extension LockedState {
  /// Takes the place of the machines that made a vault's archives: all that the newest has is here.
  func takeOver(_ inventory: Inventory?, among archives: [StoredArchive], of vault: VaultID) throws {
    guard let inventory,
      let archive = archives.first(where: { $0.statedDigest.hex == inventory.archive.digest })
    else { return }
    try change(vault) { $0.takeOver(archive.facts, losing: inventory.absent) }
  }
}

extension VaultState {
  /// Records a restored archive as the newest of its vault.
  ///
  /// - Parameters:
  ///   - archive: the archive.
  ///   - manifest: its manifest.
  ///   - found: what it has; nil if parts of it cannot be read, so that they are not compared with the next one.
  package mutating func `continue`(
    from archive: any UnlockedArchive, _ manifest: Manifest, _ found: Inventory?
  ) {
    known = VaultState.Link(sequence: archive.facts.sequence, digest: archive.digest)
    intent = nil
    // Counts from another machine are no reference for this one.
    (counts, content, placedFiles) = (nil, nil, nil)
    missing = manifest.missing
    remember(manifest.findings)
    if let found { inventory = found.following(inventory) }
    takeOver(archive.facts, losing: manifest.losses)
  }

  /// Takes the place of the machine that made an archive, unless an owner gave something up there.
  mutating func takeOver(_ archive: HeaderFacts, losing losses: [Absence]) {
    guard let signer = archive.signer, !losses.contains(where: \.isAccepted) else { return }
    tookOver = (tookOver ?? [:]).merging([signer.hex: archive.sequence], uniquingKeysWith: max)
  }
}
