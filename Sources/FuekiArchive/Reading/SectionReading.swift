internal import FuekiCompression
internal import FuekiCrypto

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
