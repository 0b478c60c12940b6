internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The file of a base's table: a head, then each section's keys and identities, then SHA-256 of all that.
enum BaseTableFile {
  static let magic = Array("FKBASE2\n".utf8)
  // The magic, digest, sequence, time, length, slots, secret, number of sections.
  static let headBytes = 8 + 32 + 8 + 8 + 8 + 32 + RecordKeying.secretByteCount + 2
  // Its id, number of records, bytes of identities.
  static let sectionHeadBytes = 2 + 8 + 8
  static let digestBytes = 32

  /// Reads a table, and checks all of it.
  ///
  /// - Returns: nil if the file is damaged.
  /// - Throws: `SystemError` if it cannot be read.
  static func read(_ file: consuming File) throws(SystemError) -> BaseTable? {
    let file = OpenTable(file)
    let size = try file.file.size()
    var reader = TableReader(file)
    guard size >= UInt64(headBytes + digestBytes), let head = try reader.next(headBytes).flatMap(Head.init)
    else { return nil }
    var heads: [SectionHead] = []
    var left = size - UInt64(headBytes + digestBytes)
    for _ in 0..<head.sectionCount {
      guard let head = try reader.next(sectionHeadBytes).flatMap(SectionHead.init) else { return nil }
      // No count is believed that the file has no bytes for.
      guard left >= UInt64(sectionHeadBytes), head.records <= left / UInt64(RecordKey.byteCount),
        head.names <= left
      else {
        return nil
      }
      let needed = UInt64(sectionHeadBytes) + head.records * UInt64(RecordKey.byteCount) + head.names
      guard needed <= left, heads.last.map({ $0.id < head.id }) ?? true else { return nil }
      left -= needed
      heads.append(head)
    }
    guard left == 0 else { return nil }
    var sections: [UInt16: [RecordKey]] = [:]
    var places: [UInt16: Range<UInt64>] = [:]
    for head in heads {
      guard let keys = try reader.keys(Int(head.records)) else { return nil }
      sections[head.id] = keys
      places[head.id] = reader.offset..<reader.offset + head.names
      guard try reader.skip(Int(head.names)) else { return nil }
    }
    guard try reader.holds() else { return nil }
    let regions = places
    return BaseTable(
      base: head.base, created: head.created, byteCount: head.byteCount, slots: head.slots,
      keying: head.keying, sections: sections,
      names: IdentityNames { section, wanted in
        try regions[section].map { try file.names(wanted, in: $0) } ?? (wanted.isEmpty ? [] : nil)
      })
  }
}

extension BaseTableFile {
  /// The head of a file.
  private struct Head {
    let base: BaseReference
    let created: UInt64
    let byteCount: UInt64
    let slots: SlotNote
    let keying: RecordKeying
    let sectionCount: UInt16

    /// Reads a head; nil if malformed.
    init?(_ bytes: [UInt8]) {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Exhausted) {
        guard try reader.bytes(magic.count) == magic,
          let digest = Digest(bytes: try reader.bytes(Digest.byteCount))
        else { return nil }
        base = BaseReference(digest: digest, sequence: try reader.u64())
        created = try reader.u64()
        byteCount = try reader.u64()
        guard let slots = Digest(bytes: try reader.bytes(Digest.byteCount)) else { return nil }
        self.slots = SlotNote(digest: slots)
        keying = RecordKeying(secret: try reader.bytes(RecordKeying.secretByteCount))
        sectionCount = try reader.u16()
      } catch { return nil }
    }
  }

  /// A section's head, which precedes the keys of all sections.
  private struct SectionHead {
    let id: UInt16
    let records: UInt64
    let names: UInt64

    /// Reads a section head; nil if truncated.
    init?(_ bytes: [UInt8]) {
      var reader = ByteReader(bytes)
      do throws(ByteReader.Exhausted) {
        id = try reader.u16()
        records = try reader.u64()
        names = try reader.u64()
      } catch { return nil }
    }
  }
}
