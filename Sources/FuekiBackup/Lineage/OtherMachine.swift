package import FuekiArchive
public import FuekiCrypto

/// Archives of the vault that another machine made since this machine's last one.
public struct OtherMachine: Equatable, Sendable {
  /// The newest of them.
  public let newest: VaultState.Link
  /// Its path.
  public let path: String
  /// The key that signed it; nil if it is not signed.
  public let signer: Ed25519.PublicKey?
  /// When it was made, in seconds since 1970, by its machine's clock.
  public let created: UInt64
}

extension OtherMachine {
  /// Finds archives that another machine made, without accepting them; nil if there are none.
  ///
  /// - Parameters:
  ///   - state: this machine's state of the vault.
  ///   - vault: the vault's id.
  ///   - entries: the archives in the targets.
  ///   - isMine: whether an archive is the user's.
  /// - Throws: errors from `isMine`.
  package init?(
    since state: VaultState, of vault: VaultID, among entries: [TargetEntry],
    where isMine: (StoredArchive) throws -> Bool
  ) rethrows {
    let later = Self.later(than: state, of: vault, among: entries.compactMap(\.archive))
    guard let newest = try later.first(where: isMine) else { return nil }
    self.init(newest, among: entries)
  }

  /// The vault's archives that this machine did not make, from the place of its newest on; the newest first.
  static func later(
    than state: VaultState, of vault: VaultID, among found: [StoredArchive]
  ) -> [StoredArchive] {
    guard let known = state.known else { return [] }
    let own = [known.digest, state.intent?.digest].compactMap(\.self)
    return found.filter { archive in
      archive.facts.vaultID == vault && archive.facts.sequence >= known.sequence
        && !own.contains(archive.statedDigest.hex)
        && VaultLineage.isPlausible(archive.facts.sequence, after: known.sequence)
    }.sorted { $0.facts.sequence > $1.facts.sequence }
  }

  init(_ newest: StoredArchive, among entries: [TargetEntry]) {
    self.newest = VaultState.Link(sequence: newest.facts.sequence, digest: newest.statedDigest)
    path = entries.first { $0.archive?.statedDigest == newest.statedDigest }?.path ?? ""
    signer = newest.facts.signer
    created = newest.facts.created
  }
}

extension BackupRun {
  /// Finds archives that another machine made since the newest that this machine knows, and accepts their signer.
  ///
  /// The signer may be new to this machine, as after a restore elsewhere: then the passphrase must open the newest of
  /// them. Their contents are remembered, so that later losses are reported. An archive in the known one's place is
  /// accepted too, so that the fork is reported.
  ///
  /// - Parameters:
  ///   - vaultID: the vault.
  ///   - entries: the archives in the targets.
  ///   - state: this machine's state.
  /// - Returns: nil if no other machine has made any.
  /// - Throws: errors from reading, saving the state and requesting the secret.
  func otherMachine(
    of vaultID: VaultID, among entries: [TargetEntry], _ state: LockedState
  ) throws -> OtherMachine? {
    let vault = try state.directory.vault(vaultID)
    let found = entries.compactMap(\.archive).filter { $0.facts.vaultID == vaultID }
    let later = OtherMachine.later(than: vault, of: vaultID, among: found)
    guard !later.isEmpty else { return nil }
    let accept = { (learned: VaultState) in
      try state.accept(learned, of: vaultID, signing: answers.signing(vaultID), among: found)
    }
    let proven = try proof.proven(later, of: found)
    if let proven { try accept(proven.state) }
    let ownerships = try Ownerships(of: found, trust: try answers.trust())
    // One that proves no signers may be of a signer that was accepted before.
    if proven == nil, let known = try proof.contents(of: later.filter({ ownerships[$0] == .mine })) {
      try accept(known)
    }
    guard let newest = later.first(where: { ownerships[$0] == .mine }) else { return nil }
    return OtherMachine(newest, among: entries)
  }

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
