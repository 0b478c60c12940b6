public import FuekiArchive
internal import FuekiWallet

/// A change of what opens a vault: its newest archive, opened whole, is sealed anew as the vault's next.
///
/// Every key in the new file is fresh. The old file stays as it is, and with it the old keys: who had one can still
/// open every copy of it.
public struct KeyChange: Sendable {
  /// The places that get the new archive.
  public var targets: [Target]
  /// What opens the new archive.
  public var slots: [NewSlot]
  /// Who signs it.
  public var signing: ArchiveSigning
  /// Whose word counts.
  public var trust = Trust()
  /// Seconds since 1970.
  public var created: UInt64
  /// How much of the new archive its recovery files can make good; nil for none.
  public var parity: ParityAmount?

  /// What a change came to.
  public struct Outcome: Sendable {
    /// The new archive.
    public let archive: WrittenArchive
    /// The new archive's path in each target that has it.
    public let paths: [String]
    /// The targets that do not have it: the newest archive there still opens with the old keys.
    public let failures: [TargetFailure]
    /// Its recovery files; none where none were asked for, or they could not be made.
    public let parity: [ParityFile]
    /// The targets that have the archive and not its recovery files; with no path where they could not be made.
    public let parityFailures: [TargetFailure]

    /// Whether every target has the archive and its recovery files.
    public var isComplete: Bool { failures.isEmpty && parityFailures.isEmpty }
  }

  /// - Parameters:
  ///   - targets: the places that get the new archive; at least one.
  ///   - slots: what opens the new archive; between them they open every scope.
  ///   - signing: who signs it.
  ///   - created: seconds since 1970.
  public init(targets: [Target], slots: [NewSlot], signing: ArchiveSigning = .nobody, created: UInt64) {
    self.targets = targets
    self.slots = slots
    self.signing = signing
    self.created = created
  }

  /// Checks all of the archive, seals it anew, reads that back, and puts it into every target that is there.
  ///
  /// Compressed blocks are carried over as they are. Key shares, which are sealed once more under a key of the old
  /// file, are opened and sealed one by one.
  ///
  /// - Parameters:
  ///   - open: the vault's newest archive.
  ///   - state: what this machine remembers; the lock is held until the run ends.
  ///   - progress: what it throws ends the run, and nothing is left behind.
  /// - Returns: the new archive, where it is, the targets that failed, and its recovery files.
  /// - Throws: ``KeyChangeError/partlyOpen(closed:)`` where the secret opens only some scopes;
  ///   ``LineageError/olderThanKnown(sequence:known:)``, ``LineageError/forked(sequence:known:)`` or
  ///   ``LineageError/unknownSuccessor(sequence:known:)`` where the archive is not the vault's newest;
  ///   ``ArchiveError`` where its contents do not hold; what reading and writing throw.
  public func run(
    _ open: OpenArchive, state: LockedState, progress: (BackupProgress) throws -> Void
  ) throws -> Outcome {
    try Self.checkWhole(open)
    try open.checkContentsAndRecords { try progress(.checking) }
    let label = try open.decodedManifest()?.manifest.label ?? ""
    var publication = Publication(
      targets: targets, vaultID: open.facts.vaultID, label: label, signing: signing, created: created,
      trust: trust)
    publication.parity = parity
    publication.resealed = open.facts.sequence
    let published = try publication.run(state: state, progress: progress) { vault, found, ownerships in
      try place(of: open, vault, found, ownerships)
    } contents: {
    } write: { _, file, draft, _ in
      let signers = try trust.of(open.facts.vaultID).signers.union(
        [draft.signer?.publicKey].compactMap(\.self))
      return try open.reseal(to: file, draft: draft, slots: slots, signers: signers, progress: progress)
    }
    return Outcome(
      archive: published.archive, paths: published.paths, failures: published.failures,
      parity: published.parity, parityFailures: published.parityFailures)
  }

  /// A secret that opens only some scopes cannot change keys: it would lose the others.
  ///
  /// - Throws: ``KeyChangeError/partlyOpen(closed:)``.
  public static func checkWhole(_ open: OpenArchive) throws {
    let closed = ArchiveScope.allCases.filter { !open.scopes.contains($0) }
    guard closed.isEmpty else { throw KeyChangeError.partlyOpen(closed: closed.map(\.name)) }
  }

  /// The next place, if nothing is newer than the archive: an old one sealed anew would pass for the newest.
  ///
  /// Sealed anew it would come under this person's name: that it opens does not make it theirs.
  private func place(
    of open: OpenArchive, _ vault: VaultState, _ found: [StoredArchive], _ ownerships: Ownerships
  ) throws -> VaultLineage.Position {
    let facts = open.facts
    guard ownerships[open.source.source] == .mine else {
      throw LineageError.notMine(sequence: facts.sequence, ownerships[open.source.source])
    }
    try VaultLineage.judge(facts, digest: open.digest, known: vault.known)
    let position = try VaultLineage.next(
      of: facts.vaultID, state: vault, found: found, ownerships: ownerships, adopting: false)
    guard position.previous == open.digest else {
      throw LineageError.olderThanKnown(sequence: facts.sequence, known: position.sequence - 1)
    }
    return position
  }
}
