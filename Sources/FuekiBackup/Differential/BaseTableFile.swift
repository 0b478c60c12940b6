internal import FuekiArchive
internal import FuekiCrypto
internal import FuekiSystem

/// The file that a base's table is kept in: what it is of, then of each section the keys and the identities, then SHA-256
/// of all that.
enum BaseTableFile {
  static let magic = Array("FKBASE1\n".utf8)
  // The magic, digest, sequence, time, length, slots, secret, number of sections.
  static let headBytes = 8 + 32 + 8 + 8 + 8 + 32 + RecordKeying.secretByteCount + 2
  // Its id, number of records, bytes of identities.
  static let sectionHeadBytes = 2 + 8 + 8
  static let digestBytes = 32

  /// The file of the table of an archive that has just been made; nil where it would have more records than it may.
  static func encode(_ pass: HistoryPass, of archive: WrittenArchive, slots: SlotNote) -> [UInt8]? {
    let sections = pass.outcomes.filter { $0.count > 0 }.sorted { $0.id < $1.id }
    let records = sections.reduce(0) { $0 + $1.count }
    guard records <= BaseTable.mostRecords else { return nil }
    var bytes: [UInt8] = []
    let names = sections.reduce(0) { $0 + ($1.records?.nameByteCount ?? 0) }
    bytes.reserveCapacity(headBytes + sections.count * 18 + Int(records) * RecordKey.byteCount + names + 32)
    bytes += magic + archive.digest.bytes
    bytes.append(number: archive.facts.sequence)
    bytes.append(number: archive.facts.created)
    bytes.append(number: archive.byteCount)
    bytes += slots.digest.bytes + pass.keying.secret
    bytes.append(number: UInt16(sections.count))
    for section in sections {
      guard let records = section.records else { return nil }
      bytes.append(number: section.id)
      bytes.append(number: UInt64(records.count))
      bytes.append(number: UInt64(records.nameByteCount))
    }
    for section in sections {
      guard let records = section.records else { return nil }
      for place in 0..<records.count {
        bytes.append(number: records[place].identity)
        bytes.append(number: records[place].message)
      }
      for place in 0..<records.count { bytes += records.name(at: place) }
    }
    let digest = SHA256.hash(bytes.span)
    digest.append(to: &bytes)
    return bytes
  }

  /// Reads a table, and checks all of it.
  ///
  /// - Returns: nil where the file is damaged.
  /// - Throws: `SystemError` where it cannot be read.
  static func read(_ file: consuming File) throws(SystemError) -> BaseTable? {
    let file = OpenTable(file)
    let size = try file.file.size()
    var reader = TableReader(file)
    guard size > UInt64(headBytes + digestBytes), let head = try reader.next(headBytes),
      Array(head[..<8]) == magic
    else { return nil }
    var fields = ByteFields(head.dropFirst(8))
    guard let digest = Digest(bytes: fields.bytes(32)) else { return nil }
    let sequence = fields.number(UInt64.self)
    let created = fields.number(UInt64.self)
    let byteCount = fields.number(UInt64.self)
    guard let slots = Digest(bytes: fields.bytes(32)) else { return nil }
    let secret = fields.bytes(RecordKeying.secretByteCount)
    var heads: [(id: UInt16, records: Int, names: Int)] = []
    var left = size - UInt64(headBytes + digestBytes)
    for _ in 0..<fields.number(UInt16.self) {
      guard let bytes = try reader.next(sectionHeadBytes) else { return nil }
      var fields = ByteFields(bytes[...])
      let head = (fields.number(UInt16.self), fields.number(UInt64.self), fields.number(UInt64.self))
      // No count is believed that the file has no bytes for.
      guard left >= UInt64(sectionHeadBytes), head.1 <= left / UInt64(RecordKey.byteCount), head.2 <= left
      else {
        return nil
      }
      let needed = UInt64(sectionHeadBytes) + head.1 * UInt64(RecordKey.byteCount) + head.2
      guard needed <= left, heads.last.map({ $0.id < head.0 }) ?? true else { return nil }
      left -= needed
      heads.append((head.0, Int(head.1), Int(head.2)))
    }
    guard left == 0 else { return nil }
    var sections: [UInt16: [RecordKey]] = [:]
    var places: [UInt16: Range<UInt64>] = [:]
    for head in heads {
      guard let keys = try reader.keys(head.records) else { return nil }
      sections[head.id] = keys
      places[head.id] = reader.offset..<reader.offset + UInt64(head.names)
      guard try reader.skip(head.names) else { return nil }
    }
    guard try reader.holds() else { return nil }
    let regions = places
    return BaseTable(
      base: BaseReference(digest: digest, sequence: sequence), created: created, byteCount: byteCount,
      slots: SlotNote(digest: slots), keying: RecordKeying(secret: secret), sections: sections,
      names: IdentityNames { section, wanted in
        try regions[section].map { try file.names(wanted, in: $0) } ?? (wanted.isEmpty ? [] : nil)
      })
  }
}

extension [UInt8] {
  /// Appends a number in little-endian order.
  fileprivate mutating func append<Number: FixedWidthInteger>(number: Number) {
    for place in 0..<Number.bitWidth / 8 { append(UInt8(truncatingIfNeeded: number >> (8 * place))) }
  }
}

/// Takes numbers off bytes of which there are enough.
private struct ByteFields {
  private var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func bytes(_ count: Int) -> [UInt8] {
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  mutating func number<Number: FixedWidthInteger>(_: Number.Type) -> Number {
    bytes(Number.bitWidth / 8).reversed().reduce(0) { $0 << 8 | Number(truncatingIfNeeded: $1) }
  }
}
