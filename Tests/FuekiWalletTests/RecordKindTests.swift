import FuekiArchive
import FuekiCrypto
import FuekiWallet
import SwiftProtobuf
import Testing

/// The catalogue of record kinds, compared with the schema's text.
@Suite struct RecordKindTests {
  @Test func `every section has a kind of its own, with a name and tables of its own`() {
    #expect(RecordKind.all.map(\.section) == Section.allCases)
    #expect(Set(RecordKind.all.map(\.name)).count == RecordKind.all.count)
    let tables = RecordKind.all.flatMap(\.tables)
    #expect(Set(tables).count == tables.count)
    #expect(Section.keyShareDescriptors.kind.tables == ["key_share_descriptors"])
    #expect(Section.receipts.kind.tables == ["receipts", "unclaimed_receipts"])
    for kind in RecordKind.all {
      #expect(kind.recordType?.section ?? kind.section == kind.section)
      // The store has tables for public records, never for secrets.
      #expect((kind.recordType == nil) == (kind.section.scope == .secrets || kind.section == .manifest))
    }
  }

  @Test(arguments: RecordKind.all.filter { $0.messageType != nil }.map(\.section))
  func `a kind lists what the schema has`(section: Section) throws {
    let type = try #require(section.kind.messageType)
    let name = try #require(type.protoMessageName.split(separator: ".").last)
    let schema = try RecordSchemaText()
    let extra = try #require(schema.messages[String(name)]?[RecordKind.extraNumber])
    #expect(extra.type == "Extra" && extra.presence == "repeated")
    try compare(section.kind.fields, String(name), schema, leavingOut: [RecordKind.extraNumber])
    try compare(RecordMessage.extra.fields, "Extra", schema, leavingOut: [])
  }

  private func compare(
    _ fields: [RecordField], _ message: String, _ schema: RecordSchemaText, leavingOut numbers: Set<UInt32>
  ) throws {
    let lines = try #require(schema.messages[message]).filter { !numbers.contains($0.key) }
    #expect(fields.map(\.number) == lines.keys.sorted(), "\(message)")
    for field in fields {
      let line = try #require(lines[field.number])
      #expect(line.name == field.name)
      let expected: (type: String, presence: String) =
        switch field.value {
        case .text: ("string", line.presence)
        case .packed, .bytes, .fileName, .omitted: ("bytes", line.presence)
        case .boolean: ("bool", line.presence)
        case .unsigned32: ("uint32", line.presence)
        case .unsigned64: ("uint64", line.presence)
        case .signed32: ("int32", line.presence)
        case .zigzag, .time: ("sint64", line.presence)
        case .real: ("double", line.presence)
        // A single message field always tracks presence.
        case .message: (line.type, line.presence.isEmpty ? "optional" : line.presence)
        }
      #expect(line.type == expected.type, "\(message).\(field.name)")
      let presence =
        switch field.presence {
        case .always: ""
        case .optional: "optional"
        case .list: "repeated"
        case .choice: "oneof"
        }
      #expect(presence == expected.presence, "\(message).\(field.name)")
      if case .packed = field.value {
        #expect(line.comment.hasPrefix("packed text"), "\(message).\(field.name)")
      } else {
        #expect(!line.comment.hasPrefix("packed text"), "\(message).\(field.name)")
      }
      if case .message(let inner) = field.value {
        try compare(inner.fields, line.type, schema, leavingOut: [])
      }
    }
  }

  @Test func `the order in which a kind lists its fields means nothing`() {
    var generator = SeededGenerator(seed: 13)
    for kind in RecordKind.all {
      let other = kind.listing(kind.fields.shuffled(using: &generator))
      #expect(other.fields.map(\.name) == kind.fields.map(\.name))
      #expect(other.tables == kind.tables && other.idField?.name == kind.idField?.name)
    }
  }

  /// An encoded message with its identity, or `nil` if the identity is a digest.
  struct Identity: Sendable {
    let section: UInt16
    let message: [UInt8]
    let identity: [UInt8]?

    init(_ section: UInt16, _ message: [UInt8], _ identity: [UInt8]?) {
      self.section = section
      self.message = message
      self.identity = identity
    }
  }

  // Wire fields: tag 0x0A is field 1 and 0x12 field 2, both bytes. 0x08 is field 1 as a number.
  private static let identities: [Identity] = [
    Identity(2, [0x0A, 2, 7, 8], [0, 7, 8]),
    // The last occurrence of a field wins.
    Identity(2, [0x0A, 1, 7, 0x12, 1, 9, 0x0A, 1, 8], [0, 8]),
    // A receipt has its transaction's identity.
    Identity(33, [0x0A, 1, 7, 0x12, 1, 9], [0, 9]),
    Identity(33, [0x0A, 1, 7], nil),
    // A section unknown to this version.
    Identity(50, [0x12, 1, 9, 0x0A, 1, 7], [0, 7]),
    Identity(2, [], nil),
    Identity(2, [0x0A, 0], nil),
    Identity(2, [0x08, 7], nil),
    // A varint longer than necessary, as another writer may produce.
    Identity(2, [0x8A, 0x00, 0x81, 0x00, 7], [0, 7]),
    // Truncated fields, a group, field 0, a tag above 2^29 - 1, and a number of 65 bits.
    Identity(2, [0x0A, 1, 7, 0x12, 2, 9], nil),
    Identity(2, [0x0A, 1, 7, 0x13, 0x14], nil),
    Identity(2, [0x0A, 1, 7, 0x02, 0], nil),
    Identity(2, [0x0A, 1, 7, 0x80, 0x80, 0x80, 0x80, 0x10, 0], nil),
    Identity(2, [0x0A, 1, 7, 0x10] + [UInt8](repeating: 0xFF, count: 9) + [0x02], nil),
    // The largest number, and fields of 8 and 4 bytes.
    Identity(2, [0x0A, 1, 7, 0x10] + [UInt8](repeating: 0xFF, count: 9) + [0x01], [0, 7]),
    Identity(2, [0x11, 1, 2, 3, 4, 5, 6, 7, 8, 0x15, 1, 2, 3, 4, 0x0A, 1, 7], [0, 7]),
  ]

  @Test(arguments: identities)
  func `a record's identity is its id, or its digest`(expected: Identity) {
    let digest = [1] + SHA256.hash(expected.message.span).bytes
    let message = expected.message.span
    let identity = RecordIdentity(of: message, in: expected.section).bytes(in: message)
    #expect(identity == expected.identity ?? digest)
  }
}
