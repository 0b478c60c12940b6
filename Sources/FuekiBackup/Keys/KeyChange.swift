internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet
internal import SwiftProtobuf
public import FuekiArchive

/// A change of a vault's keys: re-encrypts its newest archive, fully opened, as the vault's next one.
///
/// Every key in the new file is fresh. The old file keeps its old keys, and anyone who has one of them can still open
/// every copy of that file.
public struct KeyChange: Sendable {
  /// The places that get the new archive.
  public var targets: [Target]
  /// The slots of the new archive.
  public var slots: [NewSlot]
  /// The signer of the new archive.
  public var signing: ArchiveSigning
  /// The trusted signers.
  public var trust = Trust()
  /// Seconds since 1970.
  public var created: UInt64
  /// The options of the new archive, which holds everything whatever they say of the history.
  public var options = PublicationOptions()

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

  /// Checks the whole archive, re-encrypts it, reads the result back, and writes it to every available target.
  ///
  /// Compressed blocks are carried over unchanged. Key shares, which have a second encryption under a key of the old
  /// file, are opened and sealed one by one.
  ///
  /// - Parameters:
  ///   - open: the vault's newest archive.
  ///   - state: this machine's state. The lock is held until the run ends.
  ///   - progress: receives each step. An error that it throws ends the run and leaves no files.
  /// - Returns: the new archive and its places. In a failed target the newest archive still opens with the old keys.
  /// - Throws: ``KeyChangeError/partlyOpen(closed:)`` if the secret opens only some scopes;
  ///   ``LineageError/olderThanKnown(sequence:known:)``, ``LineageError/forked(sequence:known:)`` or
  ///   ``LineageError/unknownSuccessor(sequence:known:)`` if the archive is not the vault's newest; ``ArchiveError`` if
  ///   its contents are damaged; errors from reading and writing.
  public func run(
    _ open: OpenArchive, state: LockedState, progress: (BackupProgress) throws -> Void
  ) throws -> PublishedArchive {
    try Self.checkWhole(open)
    try open.checkContentsAndRecords { try progress(.checking) }
    let label = try open.decodedManifest()?.manifest.label ?? ""
    var options = options
    options.history = nil
    var publication = Publication(
      to: targets, of: open.facts.vaultID, label: label, slots: slots, signing: signing, created: created,
      state: state)
    (publication.trust, publication.options) = (trust, options)
    publication.reencrypted = open
    return try publication.run(progress: progress) {
      ReencryptedContents(open: open, slots: slots, trust: trust, state: state.directory)
    }.archive
  }

  /// A secret that opens only some scopes cannot change keys: it would lose the others.
  ///
  /// - Throws: ``KeyChangeError/partlyOpen(closed:)``.
  public static func checkWhole(_ open: OpenArchive) throws {
    let closed = ArchiveScope.allCases.filter { !open.scopes.contains($0) }
    guard closed.isEmpty else { throw KeyChangeError.partlyOpen(closed: closed.map(\.name)) }
  }
}

/// The contents of an open archive, under new keys.
private struct ReencryptedContents: PublicationContents {
  let open: OpenArchive
  let slots: [NewSlot]
  let trust: Trust
  let state: StateDirectory

  var facts: CollectedFacts? { nil }

  func write(
    to file: ArchiveFile, draft: ArchiveDraft, passing _: inout HistoryPass?,
    progress: (BackupProgress) throws -> Void
  ) throws -> (archive: WrittenArchive, inventory: Inventory?) {
    let vault = open.facts.vaultID
    let signers = try trust.of(vault).signers.union([draft.signer?.publicKey].compactMap(\.self))
    let written = try open.reseal(
      to: file, draft: draft, slots: slots, signers: signers, progress: progress)
    return (written, try state.vault(vault).inventory(reencrypting: open, as: written))
  }
}

extension VaultLineage {
  /// Returns the next place, if no archive is newer: an old archive, re-encrypted, would pass for the newest.
  ///
  /// Only the user's own archives qualify. Re-encryption signs an archive with the user's key, and opening it does not
  /// prove that it is the user's.
  static func next(
    reencrypting open: OpenArchive, _ vault: VaultState, _ found: [StoredArchive], _ ownerships: Ownerships
  ) throws -> Position {
    let facts = open.facts
    guard ownerships[open.source.source] == .mine else {
      throw LineageError.notMine(sequence: facts.sequence, ownerships[open.source.source])
    }
    try judge(facts, digest: open.digest, known: vault.known)
    let position = try next(
      of: facts.vaultID, state: vault, found: found, ownerships: ownerships, adopting: false)
    guard position.previous == open.digest else {
      throw LineageError.olderThanKnown(sequence: facts.sequence, known: position.sequence - 1)
    }
    return position
  }
}

/// An error that stops a change of an archive's keys.
public enum KeyChangeError: Error, Equatable, Sendable {
  /// The secret opens only some scopes, and cannot change the archive's keys.
  case partlyOpen(closed: [String])
}

extension VaultState {
  /// The inventory of an archive that has the contents of another one under new keys.
  func inventory(reencrypting open: OpenArchive, as written: WrittenArchive) -> Inventory? {
    var same = inventory
    if same?.archive.digest != open.digest.hex, let manifest = try? open.decodedManifest()?.manifest,
      let found = try? open.inventory(manifest)
    {
      same = found.claimed(by: Set([written.facts.signer].compactMap(\.self))).following(inventory)
    }
    same?.archive = Link(sequence: written.facts.sequence, digest: written.digest)
    return same
  }
}

extension OpenArchive {
  /// Writes all that the archive holds into another file, under fresh keys.
  ///
  /// The archive is open whole, and its contents have been checked.
  func reseal(
    to file: ArchiveFile, draft: ArchiveDraft, slots: [NewSlot], signers: Set<Ed25519.PublicKey>,
    progress: (BackupProgress) throws -> Void
  ) throws -> WrittenArchive {
    guard var decoded = try decodedManifest()?.manifest else { throw ArchiveError.forged(.manifest) }
    decoded.name(signers: signers)
    let manifest: [UInt8] = try decoded.serializedBytes()
    try progress(.sealing)
    var draft = draft
    // Its blocks are carried over, and a program that reads this archive will read the other.
    draft.suite = facts.suite
    var writer = try ArchiveWriter(to: file, draft: draft, slots: slots, manifestByteCount: manifest.count)
    for section in sections where section.id != Section.manifest.rawValue {
      if let known = Section(rawValue: section.id) { try progress(.writing(known, records: 0, of: 0)) }
      if section.id == Section.keyShares.rawValue {
        try resealShares(to: &writer)
      } else {
        try writer.carry(section: section.id, from: self)
      }
    }
    return try writer.finish(manifest: manifest)
  }

  /// A share's record is kept as it is, but for the bytes that were sealed under a key of the old file.
  private func resealShares(to writer: inout ArchiveWriter) throws {
    var batch = RecordBatch()
    try readSecretSection(Section.keyShares.rawValue) { message in
      let bytes = message.indices.map { message[$0] }
      guard var share = try? KeyShare(serializedBytes: bytes), share.id.count == 16 else {
        throw RecordsError.malformedRecord(section: Section.keyShares.name)
      }
      let id = [UInt8](share.id)
      let secret = try open(share: [UInt8](share.sealed), id: id)
      share.sealed = Data(try writer.seal(share: secret, id: id))
      let record: [UInt8] = try share.serializedBytes()
      batch.append(record)
    }
    let source = SingleBatch(batch)
    try writer.write(section: Section.keyShares.rawValue) { source.take() }
  }
}

extension UnlockedArchive {
  /// Returns the names in an archive that an acquaintance may try as a passphrase.
  ///
  /// They are its label, its device and its wallets. Unreadable ones are skipped.
  public func knownNames() -> [String] {
    var names = (try? decodedManifest()).map { [$0.manifest.label, $0.manifest.device] } ?? []
    _ = try? readRecords(of: Section.wallets.rawValue) { block in
      block.messages.compactMap { try? Wallet(serializedBytes: Array(block.bytes[$0])).name }
    } body: {
      names += $0
    }
    return names
  }
}
