package import FuekiCrypto

/// The single record of section 62: how a differential archive's sections combine with its base's.
///
/// See fueki-archive(5), DIFFERENTIAL ARCHIVES.
package struct Changes: Equatable, Sendable {
  /// The section of the record.
  package static let sectionID: UInt16 = 62
  /// The sections that it can describe.
  package static let sectionIDs: ClosedRange<UInt16> = 32...61
  /// The limit of these sections' records and removed identities together.
  package static let mostRecords: UInt64 = 4_194_304

  /// The sections with records in the base or in the archive, in ascending order.
  package var sections: [SectionChange]

  package init(_ sections: [SectionChange]) { self.sections = sections }

  package func change(of section: UInt16) -> SectionChange? { sections.first { $0.section == section } }

  /// The number of identities removed from all sections.
  var removedCount: UInt64 { sections.reduce(0) { $0 + UInt64($1.removed.count) } }
}

/// The changes to one section of the base.
package struct SectionChange: Equatable, Sendable {
  /// 32…61.
  package var section: UInt16
  /// The number of records in the result.
  package var records: UInt64
  /// The ``SetDigest`` of the result.
  package var setDigest: Digest
  /// Identities of base records that are absent from the result and not replaced, in byte order.
  package var removed: [[UInt8]]

  package init(section: UInt16, records: UInt64, setDigest: Digest, removed: [[UInt8]] = []) {
    self.section = section
    self.records = records
    self.setDigest = setDigest
    self.removed = removed
  }
}

extension Changes {
  /// The encoded message, fields in ascending order.
  ///
  /// The caller checks its length.
  package var encoded: [UInt8] {
    var bytes: [UInt8] = []
    for section in sections { bytes.append(field: 1, section.encoded) }
    return bytes
  }

  /// Decodes the message; nil if it violates the format.
  package init?(decoding message: Span<UInt8>) {
    sections = []
    var fields = MessageFields(message.indices)
    do throws(MessageFields.Malformed) {
      while let field = try fields.next(in: message) {
        guard field.number == 1 else { continue }
        guard field.wireType == .lengthDelimited,
          let section = try SectionChange(decoding: message, in: field.content),
          sections.last.map({ $0.section < section.section }) ?? true
        else { return nil }
        sections.append(section)
      }
    } catch { return nil }
  }
}

extension SectionChange {
  fileprivate var encoded: [UInt8] {
    var bytes: [UInt8] = [1 << 3]
    bytes.append(varint: UInt64(section))
    if records > 0 {
      bytes.append(2 << 3)
      bytes.append(varint: records)
    }
    bytes.append(field: 3, setDigest.bytes)
    for identity in removed { bytes.append(field: 4, identity) }
    return bytes
  }

  fileprivate init?(decoding message: Span<UInt8>, in range: Range<Int>) throws(MessageFields.Malformed) {
    var section: UInt16?
    var records: UInt64?
    var setDigest: Digest?
    var removed: [[UInt8]] = []
    var fields = MessageFields(range)
    while let field = try fields.next(in: message) {
      switch (field.number, field.wireType) {
      case (1, .varint):
        guard section == nil, let id = UInt16(exactly: field.value) else { return nil }
        section = id
      case (2, .varint):
        guard records == nil else { return nil }
        records = field.value
      case (3, .lengthDelimited):
        guard setDigest == nil, let digest = Digest(bytes: message.extracting(field.content)) else {
          return nil
        }
        setDigest = digest
      case (4, .lengthDelimited):
        let identity = [UInt8](capacity: field.content.count) { output in
          for place in field.content { output.append(message[place]) }
        }
        guard RecordIdentity.isIdentity(identity),
          removed.last.map({ $0.lexicographicallyPrecedes(identity) }) ?? true
        else { return nil }
        removed.append(identity)
      case (1...4, _): return nil
      default: continue
      }
    }
    guard let section, Changes.sectionIDs.contains(section), let setDigest else { return nil }
    self.init(section: section, records: records ?? 0, setDigest: setDigest, removed: removed)
  }
}

extension [UInt8] {
  /// Appends a field of wire type 2 with a number below 16.
  fileprivate mutating func append(field number: UInt8, _ content: [UInt8]) {
    append(number << 3 | 2)
    append(varint: UInt64(content.count))
    append(contentsOf: content)
  }
}

/// An order-independent digest of a section's records (fueki-archive(5), DIFFERENTIAL ARCHIVES).
///
/// It is the sum, mod 2^256, of the records' digests. It detects mistakes, not forgeries. Partial sums can be
/// computed separately and added.
package struct SetDigest: Equatable, Sendable {
  // The least significant word first.
  private var words: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)

  /// Creates the sum of no records.
  package init() {}

  /// Adds a record of `section`.
  package mutating func add(_ message: Span<UInt8>, section: UInt16) {
    let label = Self.recordLabel(section)
    add(SHA256.hash(label.span, message).littleEndianWords)
  }

  /// Adds a separately computed sum of other records of the same section.
  package mutating func add(_ other: SetDigest) { add(other.words) }

  /// Returns the digest of the `records` records of `section` added so far.
  package func value(section: UInt16, records: UInt64) -> Digest {
    var bytes: [UInt8] = .label("fueki/1 set")
    bytes.append(littleEndian: section)
    bytes.append(littleEndian: records)
    bytes.append(littleEndian: words.0)
    bytes.append(littleEndian: words.1)
    bytes.append(littleEndian: words.2)
    bytes.append(littleEndian: words.3)
    return SHA256.hash(bytes.span)
  }

  package static func == (a: Self, b: Self) -> Bool { a.words == b.words }

  private static func recordLabel(_ section: UInt16) -> [UInt8] {
    var label: [UInt8] = .label("fueki/1 record")
    label.append(littleEndian: section)
    return label
  }

  private mutating func add(_ other: (UInt64, UInt64, UInt64, UInt64)) {
    var carry: UInt64 = 0
    words.0 = Self.sum(words.0, other.0, &carry)
    words.1 = Self.sum(words.1, other.1, &carry)
    words.2 = Self.sum(words.2, other.2, &carry)
    words.3 = Self.sum(words.3, other.3, &carry)
  }

  private static func sum(_ a: UInt64, _ b: UInt64, _ carry: inout UInt64) -> UInt64 {
    let (partial, first) = a.addingReportingOverflow(b)
    let (total, second) = partial.addingReportingOverflow(carry)
    carry = first || second ? 1 : 0
    return total
  }
}
