internal import FuekiSystem
public import FuekiArchive
public import FuekiCrypto
public import FuekiWallet

/// An archive in a target, not yet verified: only ``open(with:progress:)`` leads to its records.
public struct Archive: Sendable {
  /// The file's path, or `rclone:remote:path`.
  public let path: String
  /// The archive's owner, as far as signatures and this machine's state prove it.
  public let ownership: Ownership
  private let stored: StoredArchive
  private let targets: [Target]

  /// The header's facts, such as the archive's number and its time, not yet authenticated.
  public var facts: HeaderFacts { stored.facts }

  /// Finds the newest archive of a vault, on a machine that has its state.
  ///
  /// Archives of other vaults and other signers are ignored.
  ///
  /// - Parameters:
  ///   - vault: the vault.
  ///   - targets: where to look.
  ///   - acceptsOlder: whether to return an archive although this machine knows a newer one.
  /// - Returns: the archive, which is the user's.
  /// - Throws: ``FindingError``; ``LineageError/olderThanKnown(sequence:known:)``, or
  ///   ``LineageError/forked(sequence:known:)`` if two archives contend; ``TargetError``; `CancellationError`.
  public static func newest(
    of vault: Vault, in targets: [Target], acceptsOlder: Bool = false
  ) async throws -> Archive {
    try await BlockingRun.run { _ in
      let state = try vault.state.vault(vault.id)
      var trust = Trust()
      trust.remember(state, of: vault.id)
      let found = try newest(of: vault.id, in: targets, trust, acceptsOlder: acceptsOlder)
      guard found.facts.vaultID == vault.id, found.ownership == .mine else {
        throw FindingError.noArchive(name: "latest")
      }
      if !acceptsOlder {
        try VaultLineage.judge(found.facts, digest: found.stored.statedDigest, known: state.known)
      }
      return found
    }
  }

  /// Finds the newest archive of the only vault in the targets, on a machine that has no state of it.
  ///
  /// Anyone who can write to a target can put an archive there. A signer excludes those. So does a passphrase that
  /// only the user knows, because only they can have made an archive that it opens.
  ///
  /// - Parameters:
  ///   - targets: where to look.
  ///   - signer: the key that must have signed the archive; nil to accept any.
  /// - Returns: the archive.
  /// - Throws: ``FindingError``, ``LineageError/forked(sequence:known:)``, ``TargetError``; `CancellationError`.
  public static func newest(
    in targets: [Target], signedBy signer: Ed25519.PublicKey? = nil
  ) async throws -> Archive {
    try await BlockingRun.run { _ in
      var trust = Trust()
      if let signer { trust.everywhere = [signer] }
      let found = try newest(of: nil, in: targets, trust, acceptsOlder: false)
      guard signer == nil || found.ownership == .mine else { throw FindingError.noArchive(name: "latest") }
      return found
    }
  }

  private static func newest(
    of vault: VaultID?, in targets: [Target], _ trust: Trust, acceptsOlder: Bool
  ) throws -> Archive {
    var finder = ArchiveFinder(targets: targets, trust: trust) { vault }
    finder.acceptsOlder = acceptsOlder
    let found = try finder.latest()
    return Archive(path: found.path, ownership: found.ownership, stored: found.archive, targets: targets)
  }

  /// Reads every byte, verifies the archive, and opens it.
  ///
  /// - Parameters:
  ///   - secrets: the secrets that may open it.
  ///   - progress: receives the bytes read, and is finished when this returns or throws.
  /// - Returns: the verified archive, whose records can be read.
  /// - Throws: ``ArchiveError/wrongSecret``, ``ArchiveError/damaged(_:)``, ``ArchiveError/forged(_:)`` and the other
  ///   cases of ``ArchiveError``; `CancellationError`.
  public func open(
    with secrets: UnlockingSecrets, progress: AsyncStream<RestoreProgress>.Continuation? = nil
  ) async throws -> OpenArchive {
    defer { progress?.finish() }
    return try await BlockingRun.run { cancellation in
      func report(_ bytes: UInt64, of all: UInt64) throws {
        try cancellation.check()
        progress?.yield(.reading(bytes: bytes, of: all))
      }
      let checked = try stored.verify { try report($0, of: stored.byteCount) }
      guard let intact = checked.intact else {
        throw ArchiveError.damaged(checked.damage.first ?? .structure)
      }
      let bases = BaseFinder(beside: path, targets: targets)
      return try intact.unlockAlone(with: secrets)
        .joined(with: secrets, bases: bases.candidates) { try report($0, of: $1) }
    }
  }
}

/// The records of an open archive, read block by block as they are requested.
///
/// Records refer only to earlier ones: users come before their threads, and threads before their messages. The archive's
/// digests are compared at the end of each kind, so put nothing in place before the sequence has ended without an error.
public struct ArchivedRecords<Record: Sendable>: AsyncSequence, Sendable {
  /// A record.
  public typealias Element = Record

  fileprivate let archive: OpenArchive
  fileprivate let sections: [Section]
  fileprivate let decode: @Sendable (Section, RecordBlock) throws -> [Record]

  /// Begins to read, from the first record.
  public func makeAsyncIterator() -> Iterator { Iterator(cursor: RecordCursor(self)) }

  /// Reads the records one by one.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let cursor: RecordCursor<Record>
    private var block: [Record] = []
    private var position = 0

    fileprivate init(cursor: RecordCursor<Record>) { self.cursor = cursor }

    /// Returns the next record; nil at the end, once all digests match.
    ///
    /// - Throws: ``ArchiveError``, ``RecordsError``; `CancellationError`.
    public mutating func next() async throws -> Record? {
      while position == block.count {
        guard let more = try await BlockingRun.run({ [cursor] _ in try cursor.next() }) else { return nil }
        (block, position) = (more, 0)
      }
      defer { position += 1 }
      return block[position]
    }
  }
}

/// A place in an archive's records, used by one thread after another.
private final class RecordCursor<Record: Sendable>: Sendable {
  private struct Place {
    /// The sections still to read, the last one first.
    var sections: [Section]
    var reader: SectionReader<[Record]>?
  }

  private let records: ArchivedRecords<Record>
  private let place: Locked<Place>

  init(_ records: ArchivedRecords<Record>) {
    self.records = records
    place = Locked(Place(sections: records.sections.reversed()))
  }

  /// Returns the next block's records; nil at the end.
  func next() throws -> [Record]? {
    let (archive, decode) = (records.archive, records.decode)
    return try place.withLock { place in
      do {
        while true {
          if let more = try place.reader?.next() { return more }
          place.reader = nil
          guard let section = place.sections.popLast() else { return nil }
          let lift = try archive.recordLift()
          place.reader = archive.sectionReader(section.rawValue) { block in
            try decode(section, lift?.apply(to: block, of: section) ?? block)
          }
        }
      } catch {
        place = Place(sections: [], reader: nil)
        throw error
      }
    }
  }
}

extension OpenArchive {
  /// All records that are not secret, in the order of their kinds.
  public var records: ArchivedRecords<any SectionRecord> {
    let kept = sections.compactMap { Section(rawValue: $0.id) }.filter { $0.kind.recordType != nil }
    return ArchivedRecords(archive: self, sections: kept) { section, block in
      guard let type = section.kind.recordType else { return [] }
      return try block.records(of: type)
    }
  }

  /// The records of one type.
  public func records<Record: SectionRecord>(of _: Record.Type) -> ArchivedRecords<Record> {
    ArchivedRecords(archive: self, sections: [Record.section]) { _, block in
      try block.decoded(as: Record.self)
    }
  }

  /// Decrypts the key shares, each with its descriptor.
  ///
  /// - Returns: the shares, in the archive's order; none if the secret does not open the secrets.
  /// - Throws: ``ArchiveError/forged(_:)`` if a share was altered; ``ArchiveError`` and ``RecordsError``;
  ///   `CancellationError`.
  public func keyShares() async throws -> [BackupBundle.Share] {
    try await BlockingRun.run { cancellation in
      var descriptors: [[UInt8]: KeyShareDescriptor] = [:]
      for descriptor in try shareDescriptors(ofWallets: []) {
        descriptors[[UInt8](descriptor.id)] = descriptor
      }
      var shares: [BackupBundle.Share] = []
      guard scopes.contains(.secrets) else { return shares }
      try forEachShare(in: .everything) { id, sealed in
        try cancellation.check()
        let secret = SharedSecret(try open(share: sealed, id: id))
        shares.append(.init(descriptor: descriptors[id] ?? Self.bareDescriptor(id), secret: secret))
      }
      return shares
    }
  }
}

extension RecordBlock {
  fileprivate func records(of type: any SectionRecord.Type) throws -> [any SectionRecord] {
    func decoded<Record: SectionRecord>(_: Record.Type) throws -> [any SectionRecord] {
      try self.decoded(as: Record.self)
    }
    return try decoded(type)
  }
}
