public import FuekiCrypto

/// A stream's sections and their blocks (fueki-archive(5), CHUNKS AND STREAMS).
package struct StreamIndex {
  static let manifestID: UInt16 = 1
  static let magic = [UInt8]("FKIX".utf8)
  /// The footer: the index length and the magic.
  static let footerBytes = 8
  static let sectionHeaderBytes = 2 + 8 + 8 + 32 + 4
  static let blockBytes = 9

  struct Block: Equatable {
    /// The number of a ``BlockMethod``, known or unknown.
    let method: UInt8
    let storedBytes: UInt32
    let plaintextBytes: UInt32
  }

  package struct Section {
    let id: UInt16
    var records: UInt64
    var plaintextBytes: UInt64
    var digest: Digest
    var blocks: [Block]

    /// The bytes of its blocks, which are contiguous.
    var storedBytes: UInt64 { blocks.reduce(0) { $0 + UInt64($1.storedBytes) } }
  }

  package let sections: [Section]

  /// The bytes of all blocks, which start at the stream's start without gaps.
  var storedBytes: UInt64 { sections.reduce(0) { $0 + $1.storedBytes } }

  static func byteCount(_ sections: [Section]) -> Int {
    sections.reduce(2) { $0 + sectionHeaderBytes + $1.blocks.count * blockBytes }
  }

  package static func encode(_ sections: [Section]) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(byteCount(sections))
    bytes.append(littleEndian: UInt16(sections.count))
    for section in sections {
      bytes.append(littleEndian: section.id)
      bytes.append(littleEndian: section.records)
      bytes.append(littleEndian: section.plaintextBytes)
      bytes += section.digest.bytes
      bytes.append(littleEndian: UInt32(section.blocks.count))
      for block in section.blocks {
        bytes.append(block.method)
        bytes.append(littleEndian: block.storedBytes)
        bytes.append(littleEndian: block.plaintextBytes)
      }
    }
    return bytes
  }
}

extension StreamIndex {
  /// Decodes an index: the part of step 7 of fueki-archive(5) that does not need the sum of all plaintext.
  ///
  /// - Parameters:
  ///   - bytes: the index alone, without its footer.
  ///   - scope: the stream's scope, which limits its sections.
  /// - Throws: ``ArchiveError/overLimit(_:)`` for a block beyond 16 MiB, ``ArchiveError/forged(_:)`` for any
  ///   other broken rule.
  package init(decoding bytes: [UInt8], of scope: ArchiveScope) throws(ArchiveError) {
    var reader = ByteReader(bytes)
    var sections: [Section] = []
    do {
      let count = try reader.u16()
      for _ in 0..<count {
        let section = try Self.section(&reader)
        guard scope.sectionIDs.contains(section.id), sections.last.map({ $0.id < section.id }) ?? true,
          section.records > 0
        else { throw ByteReader.Exhausted() }
        sections.append(section)
      }
      try reader.finish()
    } catch { throw .forged(.index(scope)) }

    let mostBytes = UInt32(Limits.recordBytes)
    for section in sections {
      for block in section.blocks where max(block.storedBytes, block.plaintextBytes) > mostBytes {
        throw .overLimit(.blockLength)
      }
    }
    self.sections = sections
    if scope == .profile {
      guard let first = sections.first, first.id == Self.manifestID, first.records == 1 else {
        throw .forged(.manifest)
      }
    }
  }

  /// Checks whether a history has the section of changes, and its number of changes: part of step 7.
  ///
  /// - Throws: ``ArchiveError/forged(_:)``, ``ArchiveError/overLimit(_:)``.
  func checkChanges(isDifferential: Bool) throws(ArchiveError) {
    let changes = sections.first { $0.id == Changes.sectionID }
    guard isDifferential else {
      guard changes == nil else { throw .forged(.changes) }
      return
    }
    guard let changes, changes.records == 1 else { throw .forged(.changes) }
    var remaining = Changes.mostRecords
    for section in sections where Changes.sectionIDs.contains(section.id) {
      guard section.records <= remaining else { throw .overLimit(.changes) }
      remaining -= section.records
    }
  }

  /// Checks the rest of step 7: the sums of lengths, and the resulting number of chunks.
  ///
  /// - Parameters:
  ///   - scope: the stream's scope; secrets are never compressed.
  ///   - suite: the archive's suite, which defines the methods.
  ///   - chunkCount: the stream's chunk count, from the trailer.
  /// - Throws: ``ArchiveError/forged(_:)`` with the index of `scope`.
  package func checkLengths(
    in scope: ArchiveScope, suite: Suite, chunkCount: UInt64
  ) throws(ArchiveError) {
    for section in sections {
      guard section.isConsistent(in: scope, suite: suite) else { throw .forged(.index(scope)) }
    }
    let needed = storedBytes + UInt64(Self.byteCount(sections) + Self.footerBytes)
    let piece = UInt64(Limits.chunkPlaintextBytes)
    guard chunkCount == Padme.chunkCount(holding: (needed + piece - 1) / piece) else {
      throw .forged(.index(scope))
    }
  }

  private static func section(_ reader: inout ByteReader) throws(ByteReader.Exhausted) -> Section {
    let id = try reader.u16()
    let records = try reader.u64()
    let plaintext = try reader.u64()
    guard let digest = Digest(bytes: try reader.bytes(32)) else { throw .init() }
    let count = Int(try reader.u32())
    // There are more blocks than the remaining bytes can describe, whatever their values.
    guard count <= reader.remaining / blockBytes else { throw .init() }
    var blocks: [Block] = []
    blocks.reserveCapacity(count)
    for _ in 0..<count {
      blocks.append(
        Block(
          method: try reader.u8(), storedBytes: try reader.u32(), plaintextBytes: try reader.u32()))
    }
    return Section(id: id, records: records, plaintextBytes: plaintext, digest: digest, blocks: blocks)
  }
}

/// How a block is stored.
enum BlockMethod: UInt8 {
  /// Plain.
  case stored = 0
  /// As one zstd frame.
  case compressed = 1
  /// As one zstd frame of its column form, in an archive of suite 3.
  case columns = 2
}

extension StreamIndex.Block {
  init(method: BlockMethod, storedBytes: Int, plaintextBytes: Int) {
    self.init(
      method: method.rawValue, storedBytes: UInt32(storedBytes), plaintextBytes: UInt32(plaintextBytes))
  }

  static func stored(_ byteCount: Int) -> Self {
    Self(method: .stored, storedBytes: byteCount, plaintextBytes: byteCount)
  }

  /// Whether the lengths fit the method, and the stream and the suite allow the method.
  fileprivate func isConsistent(in scope: ArchiveScope, suite: Suite) -> Bool {
    guard plaintextBytes > 0, storedBytes > 0 else { return false }
    switch BlockMethod(rawValue: method) {
    case .stored: return storedBytes == plaintextBytes
    case .compressed: return storedBytes < plaintextBytes && scope != .secrets
    case .columns: return storedBytes < plaintextBytes && scope != .secrets && suite == .columns
    case nil: return false
    }
  }
}

extension StreamIndex.Section {
  /// Whether the section's numbers are consistent and follow the rules for blocks.
  fileprivate func isConsistent(in scope: ArchiveScope, suite: Suite) -> Bool {
    guard !blocks.isEmpty, records >= UInt64(blocks.count), records <= plaintextBytes else { return false }
    var sum: UInt64 = 0
    for block in blocks {
      guard block.isConsistent(in: scope, suite: suite) else { return false }
      sum += UInt64(block.plaintextBytes)
    }
    return sum == plaintextBytes
  }
}

/// A section's entry in a stream's index.
public struct SectionSummary: Hashable, Sendable {
  /// The section's id (fueki-archive(5), SECTIONS).
  public let id: UInt16
  /// The number of its records.
  public let records: UInt64
  /// The length of its plaintext in bytes.
  public let plaintextBytes: UInt64
  /// The SHA-256 of its plaintext or, in a joined section, the digest of the set of its records.
  public let digest: Digest

  /// Creates a summary of an announced section.
  ///
  /// Its plaintext is at most that of both files.
  init(_ change: SectionChange, plaintextBytes: UInt64) {
    id = change.section
    records = change.records
    self.plaintextBytes = plaintextBytes
    digest = change.setDigest
  }

  init(_ section: StreamIndex.Section) {
    id = section.id
    records = section.records
    plaintextBytes = section.plaintextBytes
    digest = section.digest
  }
}
