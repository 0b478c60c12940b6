internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiSystem

extension OpenArchive {
  /// Returns a reader of a section's records, or nil if the archive does not hold it.
  ///
  /// The section must not be one of secrets. `map` decodes one block, on a worker.
  public func sectionReader<Decoded: Sendable>(
    _ id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded
  ) -> SectionReader<Decoded>? {
    SectionReader(id, of: streams, map: map)
  }

  /// Reads the records of a section of secrets, which are never unsealed outside ``SecretBytes``.
  ///
  /// Records passed to `body` are confirmed only when this returns. A missing section has no records.
  ///
  /// - Parameters:
  ///   - id: 64…95.
  ///   - body: receives each record's message, which is valid only during the call.
  /// - Throws: ``ArchiveError``, and the errors of `body`.
  public func readSecretSection(_ id: UInt16, body: (Span<UInt8>) throws -> Void) throws {
    _ = try readSecretRecords(of: id, body: body)
  }
}

extension UnlockedArchive {
  /// Reads a section's remaining records in order.
  ///
  /// The section's digest is compared if none is lost.
  ///
  /// - Parameters:
  ///   - id: any section except one of secrets, for which there is ``readSecretRecords(of:body:)``.
  ///   - map: decodes one block; runs on workers.
  ///   - body: receives the decoded blocks in order, on the caller's thread.
  /// - Returns: the loss, or nil.
  /// - Throws: ``ArchiveError``, and the errors of `map` and `body`.
  public func readRecords<Decoded: Sendable>(
    of id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded,
    body: (Decoded) throws -> Void
  ) throws -> SectionLoss? {
    try streams.readRecords(of: id, map: map, body: body)
  }

  /// Reads the remaining records of a section of secrets, which are never unsealed outside ``SecretBytes``.
  ///
  /// - Parameters:
  ///   - id: 64…95.
  ///   - body: receives each record's message, which is valid only during the call.
  /// - Returns: the loss, or nil.
  /// - Throws: ``ArchiveError``, and the errors of `body`.
  public func readSecretRecords(
    of id: UInt16, body: (Span<UInt8>) throws -> Void
  ) throws -> SectionLoss? {
    try streams.readSecretRecords(of: id, body: body)
  }
}

extension UnlockedStreams {
  func readRecords<Decoded: Sendable>(
    of id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded,
    body: (Decoded) throws -> Void
  ) throws -> SectionLoss? {
    guard let reader = SectionReader(id, of: self, map: map) else { return nil }
    while let decoded = try reader.next() { try body(decoded) }
    return reader.loss
  }

  func readSecretRecords(of id: UInt16, body: (Span<UInt8>) throws -> Void) throws -> SectionLoss? {
    guard let part = locate(id) else { return nil }
    let (opening, section, offset) = (part.opening, part.section, part.offset)
    var digest = SHA256()
    var tally = LossTally()
    var position = offset
    for block in section.blocks {
      let end = position + UInt64(block.storedBytes)
      let plaintext = try opening.readSecretUnlessLost(position..<end)
      position = end
      switch plaintext {
      case .none: tally.lose(block)
      case .some(let plaintext):
        let records = try plaintext.withBytes { bytes in
          digest.update(bytes)
          let messages = try RecordBlock.cut(bytes, section: id)
          for message in messages { try body(bytes.extracting(message)) }
          return messages.count
        }
        tally.keep(records: records, of: block)
      }
    }
    return try tally.loss(of: section, digest.finalize())
  }
}

extension LossTally {
  /// Returns a section's loss, or nil after its digest matched.
  func loss(of section: StreamIndex.Section, _ digest: Digest) throws(ArchiveError) -> SectionLoss? {
    if let loss = try loss(of: section) { return loss }
    guard digest == section.digest else { throw .forged(.sectionDigest(section: section.id)) }
    return nil
  }
}

/// Groups a section's blocks that are read, opened and decoded together, so that small blocks share chunks.
struct BlockGroups {
  struct Group: Sendable {
    let blocks: [StreamIndex.Block]
    let range: Range<UInt64>
  }

  private static let storedBytes: UInt64 = 256 << 10
  private static let plaintextBytes: UInt64 = 1 << 20

  private let blocks: [StreamIndex.Block]
  private let apart: Bool
  private var place = 0
  private var offset: UInt64

  /// If chunks may be lost, blocks are read separately, so that each is lost only with its own chunks.
  init(_ blocks: [StreamIndex.Block], at offset: UInt64, apart: Bool) {
    self.blocks = blocks
    self.offset = offset
    self.apart = apart
  }

  mutating func next() -> Group? {
    guard place < blocks.count else { return nil }
    let first = place
    var stored: UInt64 = 0
    var plaintext: UInt64 = 0
    repeat {
      stored += UInt64(blocks[place].storedBytes)
      plaintext += UInt64(blocks[place].plaintextBytes)
      place += 1
    } while !apart && place < blocks.count
      && stored + UInt64(blocks[place].storedBytes) <= Self.storedBytes
      && plaintext + UInt64(blocks[place].plaintextBytes) <= Self.plaintextBytes
    defer { offset += stored }
    return Group(blocks: Array(blocks[first..<place]), range: offset..<offset + stored)
  }
}

extension StreamOpening {
  /// Returns the plaintexts of a group of blocks, or nil if one of their chunks is lost.
  func decode(_ group: BlockGroups.Group, section: UInt16) throws(ArchiveError) -> [[UInt8]]? {
    guard let stored = try readUnlessLost(group.range) else { return nil }
    var plaintexts: [[UInt8]] = []
    var position = 0
    for block in group.blocks {
      let end = position + Int(block.storedBytes)
      plaintexts.append(try decode(stored, position..<end, block, section: section))
      position = end
    }
    return plaintexts
  }

  /// Returns the plaintext of a block whose method and lengths were checked with its index.
  private func decode(
    _ stored: [UInt8], _ range: Range<Int>, _ block: StreamIndex.Block, section: UInt16
  ) throws(ArchiveError) -> [UInt8] {
    let length = Int(block.plaintextBytes)
    let frame = stored.span.extracting(range)
    switch BlockMethod(rawValue: block.method) {
    case .compressed:
      return try unpack(section) { () throws(CompressionError) in
        try ZstdFrame.decompress(frame, plaintextLength: length)
      }
    case .columns:
      let limit = ColumnLimits.formBytes(plaintextBytes: length)
      let form = try unpack(section) { () throws(CompressionError) in
        try ZstdFrame.decompress(frame, contentLimit: limit)
      }
      do {
        return try ColumnFormReader.decode(form.span, plaintextBytes: length)
      } catch { throw .forged(.columns(section: section)) }
    case .stored, nil: return Array(stored[range])
    }
  }

  private func unpack(
    _ section: UInt16, _ frame: () throws(CompressionError) -> [UInt8]
  ) throws(ArchiveError) -> [UInt8] {
    do {
      return try frame()
    } catch {
      switch error {
      case .windowTooLarge: throw .overLimit(.window)
      case .contentTooLarge: throw .overLimit(.columnForm)
      case .unavailable: throw .outOfMemory
      default: throw .forged(.frame(section: section))
      }
    }
  }
}

/// Receives a record's section and message, on any thread.
///
/// An error thrown by it ends the work.
public typealias RecordJudge = @Sendable (UInt16, Span<UInt8>) throws -> Void

extension OpenArchive {
  /// Reads everything that is open: every tag, frame, record, digest and fill byte.
  ///
  /// - Parameters:
  ///   - judge: receives each record's section and message, on any thread; an error thrown by it ends the
  ///     work.
  ///   - progress: receives the section being read, for each of its blocks; an error thrown by it ends the
  ///     work.
  /// - Throws: ``ArchiveError`` for the first fault, ``CryptoError`` if memory is unavailable, and the errors
  ///   of `judge` and `progress`.
  public func checkContents(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    try streams.checkAlone(judging: judge, progress: progress)
    try checkJoin(judging: judge, progress: progress)
  }

  /// Reads a differential archive's base and checks the joined history: step 10 of fueki-archive(5).
  ///
  /// The base is read once, as ``checkContents(judging:progress:)`` reads an archive. The archive's own file
  /// must have been checked. A full archive has nothing to join.
  public func checkJoin(
    judging judge: @escaping RecordJudge = { _, _ in },
    progress: (SectionSummary) throws -> Void = { _ in }
  ) throws {
    guard let based = streams.based else { return }
    // Faults of the base itself take precedence over faults of the result.
    var faults: [UInt16: ArchiveError] = [:]
    func readsJoined(_ id: UInt16) throws -> Bool {
      guard let section = streams.joinedSection(id) else { return false }
      let summary = SectionSummary(section.change, plaintextBytes: 0)
      let reader = JoinedReader(section, judgingBase: judge) { _ in }
      do {
        while try reader.next() != nil { try progress(summary) }
        return true
      } catch let error as ArchiveError {
        if case .inBase = error { throw error }
        faults[id] = error
        // The base's part may not have been read completely.
        return false
      }
    }
    do {
      try based.base.checkAlone(judging: judge, progress: progress, unless: readsJoined)
    } catch let error as ArchiveError { throw error.ofBase(based.reference) }
    for change in based.changes.sections where based.base.locate(change.section) == nil {
      _ = try readsJoined(change.section)
    }
    if let first = faults.min(by: { $0.key < $1.key }) { throw first.value }
  }
}

extension UnlockedStreams {
  /// Checks all open contents of one file, except sections read by the caller: steps 8 and 9 of
  /// fueki-archive(5).
  func checkAlone(
    judging judge: @escaping RecordJudge, progress: (SectionSummary) throws -> Void,
    unless isRead: (UInt16) throws -> Bool = { _ in false }
  ) throws {
    _ = try manifest()
    for section in ownSummaries {
      if ArchiveScope(sectionID: section.id) == .secrets {
        _ = try readSecretRecords(of: section.id) { try judge(section.id, $0) }
      } else if try !isRead(section.id), let part = locate(section.id) {
        let reader = PartReader(part) { block in
          for message in block.messages { try judge(section.id, block.bytes.span.extracting(message)) }
        }
        while try reader.next() != nil { try progress(section) }
      }
      try progress(section)
    }
    if opened[.history] != nil, archive.facts.base != nil { _ = try readChanges() }
    for scope in opened.keys.sorted() { try checkFill(scope) }
  }

  /// Checks that there are only zeros between a stream's blocks and its index.
  private func checkFill(_ scope: ArchiveScope) throws {
    guard let stream = opened[scope] else { return }
    let opening = stream.opening
    let end =
      opening.plaintextBytes
      - UInt64(StreamIndex.byteCount(stream.index.sections) + StreamIndex.footerBytes)
    let workers = OrderedWorkers<Bool>(width: Processors.count, window: Processors.count + 1)
    var position = stream.index.storedBytes
    while position < end || !workers.isEmpty {
      while position < end, !workers.isFull {
        let range = position..<min(end, position + UInt64(ChunkSink.runBytes))
        workers.submit { try opening.read(range).allSatisfy { $0 == 0 } }
        position = range.upperBound
      }
      if let isZero = try workers.next(), !isZero { throw ArchiveError.forged(.fill(scope)) }
    }
  }
}
