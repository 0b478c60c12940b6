public import FuekiArchive
internal import FuekiWallet

/// A change of what opens a vault: its newest archive, opened whole, is sealed anew as the vault's next.
///
/// Every key in the new file is fresh. The old file stays as it is, and with it the old keys: who had one can still
/// open every copy of it.
public struct KeyChange: Sendable {
  /// The folder that the archive lies in, and the new one will.
  public var target: Target
  /// What opens the new archive.
  public var slots: [NewSlot]
  /// Who signs it, or nil.
  public var signer: SigningKey?
  /// Seconds since 1970.
  public var created: UInt64

  /// - Parameters:
  ///   - target: the folder that the archive lies in, and the new one will.
  ///   - slots: what opens the new archive; between them they open every scope.
  ///   - signer: nil for an unsigned archive.
  ///   - created: seconds since 1970.
  public init(target: Target, slots: [NewSlot], signer: SigningKey? = nil, created: UInt64) {
    self.target = target
    self.slots = slots
    self.signer = signer
    self.created = created
  }

  /// Checks all of the archive, seals it anew, reads that back, and puts it beside the old one.
  ///
  /// Compressed blocks are carried over as they are. Key shares, which are sealed once more under a key of the old
  /// file, are opened and sealed one by one.
  ///
  /// - Parameters:
  ///   - open: the vault's newest archive.
  ///   - state: what this machine remembers; the lock is held until the run ends.
  ///   - progress: what it throws ends the run, and nothing is left behind.
  /// - Returns: the new archive and its path.
  /// - Throws: ``BackupError/partlyOpen(closed:)`` where the secret opens only some scopes;
  ///   ``BackupError/olderThanKnown(sequence:known:)``, ``BackupError/forked(sequence:known:)`` or
  ///   ``BackupError/unknownSuccessor(sequence:known:)`` where the archive is not the vault's newest;
  ///   ``ArchiveError`` where its contents do not hold; what reading and writing throw.
  public func run(
    _ open: OpenArchive, state: LockedState, progress: (BackupProgress) throws -> Void
  ) throws -> (archive: WrittenArchive, path: String) {
    try Self.checkWhole(open)
    try open.checkContents { _ in try progress(.checking) }
    let label = try open.decodedManifest()?.manifest.label ?? ""
    let publication = Publication(
      targets: [target], vaultID: open.facts.vaultID, label: label, signer: signer, created: created)
    let published = try publication.run(state: state, progress: progress) { vault, found in
      try place(of: open, vault, found)
    } contents: {
    } write: { _, file, draft in
      try open.reseal(to: file, draft: draft, slots: slots, progress: progress)
    }
    return (published.archive, published.paths.first ?? target.path)
  }

  /// A secret that opens only some scopes cannot change keys: it would lose the others.
  ///
  /// - Throws: ``BackupError/partlyOpen(closed:)``.
  public static func checkWhole(_ open: OpenArchive) throws {
    let closed = ArchiveScope.allCases.filter { !open.scopes.contains($0) }
    guard closed.isEmpty else { throw BackupError.partlyOpen(closed: closed.map(\.name)) }
  }

  /// The next place, if nothing is newer than the archive: an old one sealed anew would pass for the newest.
  private func place(
    of open: OpenArchive, _ vault: VaultState, _ found: [StoredArchive]
  ) throws -> VaultChain.Position {
    let facts = open.facts
    try VaultChain.judge(facts, digest: open.digest, known: vault.known)
    let link = VaultState.Link(sequence: facts.sequence, digest: open.digest)
    return try VaultChain.next(
      of: facts.vaultID, state: VaultState(known: link, intent: vault.intent), found: found, adopting: false)
  }
}
