internal import FuekiCompression
internal import FuekiCrypto
internal import FuekiSystem

extension OpenArchive {
  /// Reads a section's records in order: steps 8 and 9 of FORMAT.md section 8, as far as they concern it.
  ///
  /// A section that the archive does not hold has no records. What `body` was given is confirmed only when this
  /// returns: the section's digest is compared at its end.
  ///
  /// - Parameters:
  ///   - id: any section but one of bare secrets, which ``readSecretSection(_:body:)`` is for.
  ///   - map: decodes one block; runs on workers.
  ///   - body: takes the decoded blocks in order, on the caller's thread.
  /// - Throws: ``ArchiveError``, and what `map` and `body` throw.
  public func readSection<Decoded: Sendable>(
    _ id: UInt16, map: @escaping @Sendable (RecordBlock) throws -> Decoded,
    body: (Decoded) throws -> Void
  ) throws {
    guard let (opening, section, offset) = locate(id) else { return }
    let workers = OrderedWorkers<[(plaintext: [UInt8], messages: Int, decoded: Decoded)]>(
      width: Processors.count, window: Processors.count + 1)
    var digest = SHA256()
    var records: UInt64 = 0
    var groups = BlockGroups(section.blocks, at: offset)
    var more = true
    while more || !workers.isEmpty {
      while more, !workers.isFull {
        guard let group = groups.next() else {
          more = false
          break
        }
        workers.submit {
          try opening.decode(group, section: id).map { plaintext in
            let block = try RecordBlock(plaintext, section: id)
            return (plaintext, block.messages.count, try map(block))
          }
        }
      }
      for block in try workers.next() ?? [] {
        digest.update(block.plaintext)
        records += UInt64(block.messages)
        try body(block.decoded)
      }
    }
    guard records == section.records else { throw ArchiveError.forged(.records(section: id)) }
    guard digest.finalize() == section.digest else { throw ArchiveError.forged(.sectionDigest(section: id)) }
  }

  /// Reads the records of a section of the secrets stream, which never lie outside ``SecretBytes`` unsealed.
  ///
  /// What `body` was given is confirmed only when this returns. A section that is not there has no records.
  ///
  /// - Parameters:
  ///   - id: 64…95.
  ///   - body: takes each record's message, which does not outlive the call.
  /// - Throws: ``ArchiveError``, and what `body` throws.
  public func readSecretSection(_ id: UInt16, body: (Span<UInt8>) throws -> Void) throws {
    guard let (opening, section, offset) = locate(id) else { return }
    var digest = SHA256()
    var records: UInt64 = 0
    var position = offset
    for block in section.blocks {
      let end = position + UInt64(block.storedBytes)
      let plaintext = try opening.readSecret(position..<end)
      position = end
      try plaintext.withBytes { bytes in
        digest.update(bytes)
        let messages = try RecordBlock.cut(bytes, section: id)
        records += UInt64(messages.count)
        for message in messages { try body(bytes.extracting(message)) }
      }
    }
    guard records == section.records else { throw ArchiveError.forged(.records(section: id)) }
    guard digest.finalize() == section.digest else { throw ArchiveError.forged(.sectionDigest(section: id)) }
  }

  /// Where a section's blocks lie, or nil where the archive does not hold it or its scope is closed.
  func locate(
    _ id: UInt16
  ) -> (opening: StreamOpening, section: StreamIndex.Section, offset: UInt64)? {
    guard let scope = ArchiveScope(sectionID: id), let stream = streams[scope] else { return nil }
    var offset: UInt64 = 0
    for section in stream.index.sections {
      guard section.id != id else { return (stream.opening, section, offset) }
      offset += section.blocks.reduce(0) { $0 + UInt64($1.storedBytes) }
    }
    return nil
  }
}

/// Runs of a section's blocks that are read, opened and decoded together, so that small blocks share their chunks.
private struct BlockGroups {
  struct Group: Sendable {
    let blocks: [StreamIndex.Block]
    let range: Range<UInt64>
  }

  private static let storedBytes: UInt64 = 256 << 10
  private static let plaintextBytes: UInt64 = 1 << 20

  private let blocks: [StreamIndex.Block]
  private var place = 0
  private var offset: UInt64

  init(_ blocks: [StreamIndex.Block], at offset: UInt64) {
    self.blocks = blocks
    self.offset = offset
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
    } while place < blocks.count
      && stored + UInt64(blocks[place].storedBytes) <= Self.storedBytes
      && plaintext + UInt64(blocks[place].plaintextBytes) <= Self.plaintextBytes
    defer { offset += stored }
    return Group(blocks: Array(blocks[first..<place]), range: offset..<offset + stored)
  }
}

extension StreamOpening {
  /// The plaintexts of a group of blocks.
  fileprivate func decode(_ group: BlockGroups.Group, section: UInt16) throws(ArchiveError) -> [[UInt8]] {
    let stored = try read(group.range)
    var plaintexts: [[UInt8]] = []
    var position = 0
    for block in group.blocks {
      let end = position + Int(block.storedBytes)
      plaintexts.append(
        block.isCompressed
          ? try decompress(stored.span.extracting(position..<end), block, section: section)
          : Array(stored[position..<end]))
      position = end
    }
    return plaintexts
  }

  private func decompress(
    _ frame: Span<UInt8>, _ block: StreamIndex.Block, section: UInt16
  ) throws(ArchiveError) -> [UInt8] {
    do {
      return try ZstdFrame.decompress(frame, plaintextLength: Int(block.plaintextBytes))
    } catch {
      switch error {
      case .windowTooLarge: throw .overLimit(.window)
      case .unavailable: throw .outOfMemory
      default: throw .forged(.frame(section: section))
      }
    }
  }
}
