public import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem
public import FuekiWallet

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
