package import FuekiArchive
package import FuekiWallet
package import FuekiCrypto

/// A record's entry in a comparison: its identity, and a digest of its contents.
package struct RecordEntry: Sendable {
  /// Field 1 of every record: its id or, of a setting, its key.
  package let id: [UInt8]
  /// Where a part of a file begins; 0 for other records.
  package var offset: UInt64 = 0
  /// The permissions of a file's part; nil for other records, or if they are not known.
  package private(set) var mode: UInt32?
  /// The digest of its contents; of a file's part, without its permissions.
  package let digest: Digest

  /// A record's entry.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)`` if the message is no record.
  package init(_ message: Span<UInt8>, in section: Section, with secrets: SecretDigests) throws {
    let mode = try Self.mode(of: message, in: section)
    try self.init(message, in: section, mode, digest: secrets.digest(of: message, without: mode?.range))
  }

  private init(_ message: Span<UInt8>, in section: Section, _ mode: WireField?, digest: Digest) throws {
    id = try Self.id(of: message, in: section)
    self.digest = digest
    self.mode = try mode.map { UInt32(truncatingIfNeeded: try $0.varint()) }
    guard section.kind.traits.contains(.inParts) else { return }
    offset = try Self.field(4, of: message, in: section)?.varint() ?? 0
  }

  /// The permissions of a file's part.
  private static func mode(of message: Span<UInt8>, in section: Section) throws -> WireField? {
    section.kind.traits.contains(.inParts) ? try field(8, of: message, in: section) : nil
  }

  /// The entry of a key share, by its id.
  package init(id: [UInt8], digest: Digest) { (self.id, self.digest) = (id, digest) }

  /// The entries of a batch's records, which may be more than a block of an archive holds.
  package static func entries(of batch: RecordBatch, in section: Section) throws -> [RecordEntry] {
    try entries(of: RecordBlock(bytes: batch.bytes, messages: batch.messages), in: section)
  }

  /// The entries of a block's records.
  package static func entries(of block: RecordBlock, in section: Section) throws -> [RecordEntry] {
    let bytes = block.bytes.span
    return try block.messages.map { message in
      let message = bytes.extracting(message)
      let mode = try mode(of: message, in: section)
      return try RecordEntry(message, in: section, mode, digest: digest(of: message, without: mode))
    }
  }

  /// Returns a digest of a message's fields, whatever their order.
  ///
  /// The store writes a wallet's rarer fields together, other programs by number. Repeated fields keep their order.
  static func digest(of message: Span<UInt8>, without left: WireField? = nil) -> Digest {
    var hash = SHA256()
    guard let fields = try? unsortedFields(of: message) else {
      guard let left else { return SHA256.hash(message) }
      hash.update(message.extracting(..<left.range.lowerBound))
      hash.update(message.extracting(left.range.upperBound...))
      return hash.finalize()
    }
    let sorted = fields.filter { $0 != left }
      .sorted { ($0.number, $0.range.lowerBound) < ($1.number, $1.range.lowerBound) }
    for field in sorted { hash.update(message.extracting(field.range)) }
    return hash.finalize()
  }

  /// Returns the fields of a message; nil if they are already ordered by number, as in most messages.
  private static func unsortedFields(of message: Span<UInt8>) throws(WireError) -> [WireField]? {
    var reader = WireReader()
    var last: UInt32 = 0
    var isSorted = true
    while let field = try reader.next(in: message) {
      isSorted = isSorted && field.number >= last
      last = field.number
    }
    guard !isSorted else { return nil }
    reader = WireReader()
    var fields: [WireField] = []
    while let field = try reader.next(in: message) { fields.append(field) }
    return fields
  }

  /// The id of one record.
  static func id(of message: Span<UInt8>, in section: Section) throws -> [UInt8] {
    try field(1, of: message, in: section)?.bytes(in: message) ?? []
  }

  private static func field(
    _ number: UInt32, of message: Span<UInt8>, in section: Section
  ) throws -> WireField? {
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        if field.number == number { return field }
      }
      return nil
    } catch {
      throw RecordsError.malformedRecord(section: section.name)
    }
  }

  /// An id as people and scripts read it.
  package static func text(of id: [UInt8], in section: Section) -> String {
    switch section.kind.idField?.value {
    case .text: String(decoding: id, as: UTF8.self)
    case .packed: PackedText.text(id.span) ?? Hex.encode(id)
    default: Hex.encode(id)
    }
  }
}

/// Digests of secrets under a random key that is never stored.
///
/// Secrets can be compared without keeping them, and a digest reveals nothing about a short secret.
package struct SecretDigests: Sendable {
  private let key = RandomBytes.bytes(32)

  /// Draws a key.
  package init() {}

  /// The digest of a secret; equal secrets have equal digests under one key.
  package func digest(of secret: Span<UInt8>) -> Digest { SHA256.hash(key.span, secret) }

  /// The digest of a secret without the bytes in a range.
  func digest(of secret: Span<UInt8>, without left: Range<Int>?) -> Digest {
    guard let left else { return digest(of: secret) }
    var hash = SHA256()
    hash.update(key)
    hash.update(secret.extracting(..<left.lowerBound))
    hash.update(secret.extracting(left.upperBound...))
    return hash.finalize()
  }
}
