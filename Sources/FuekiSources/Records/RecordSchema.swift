internal import SwiftProtobuf
public import FuekiArchive
public import FuekiWallet

/// The versions of the records' schema, and the way from each to this one.
public enum RecordSchema {
  /// The version that this program writes.
  public static let current = Manifest.currentSchema

  /// The steps, in order: the first begins with version 0.
  public static let migrations = (0..<current).map { RecordMigration(from: $0) }

  /// Returns the lift from a version's records to this version; nil if none is needed.
  ///
  /// - Throws: ``RecordsError/newerRecords(schema:)`` for a version that this program does not know.
  public static func lift(from version: UInt32) throws(RecordsError) -> RecordLift? {
    guard version <= current else { throw .newerRecords(schema: version) }
    let steps = migrations.filter { $0.from >= version }
    return steps.isEmpty ? nil : RecordLift(steps: steps)
  }

  /// A record of an older version as one of this.
  ///
  /// - Throws: SwiftProtobuf's error where the record cannot be encoded.
  public static func lifted<Record: SectionRecord>(_ record: Record, from version: UInt32) throws -> Record {
    guard let lift = try lift(from: version), lift.touches(Record.section) else { return record }
    return try Record(serializedBytes: try lift.apply(to: try record.serializedBytes(), of: Record.section))
  }
}

/// One step from a version of the records' schema to the next: the older spellings of every ``RecordKind``.
///
/// A step sees one record at a time and keeps what it does not understand: it needs no more memory than a record.
public struct RecordMigration: Sendable {
  /// The version that the step begins with.
  public let from: UInt32
  private let spellings: [Section: OlderSpelling]

  init(from version: UInt32) {
    from = version
    var spellings: [Section: OlderSpelling] = [:]
    for kind in RecordKind.all {
      spellings[kind.section] = kind.olderSpellings.first { $0.version == version }
    }
    self.spellings = spellings
  }

  /// Whether the step has something to do with a section's records.
  func touches(_ section: Section) -> Bool { spellings[section] != nil }

  /// A record's message after the step.
  func apply(to message: [UInt8], of section: Section) throws -> [UInt8] {
    try spellings[section]?.lift(message) ?? message
  }
}

/// The steps from an archive's version of the records to this program's, applied while records stream by.
public struct RecordLift: Sendable {
  let steps: [RecordMigration]

  /// Whether any step has something to do with a section's records.
  public func touches(_ section: Section) -> Bool { steps.contains { $0.touches(section) } }

  /// A record's message after all steps.
  func apply(to message: [UInt8], of section: Section) throws -> [UInt8] {
    try steps.reduce(message) { try $1.apply(to: $0, of: section) }
  }

  /// A block with its records after all steps, in their order.
  ///
  /// - Throws: ``RecordsError/malformedRecord(section:)``.
  public func apply(to block: RecordBlock, of section: Section) throws -> RecordBlock {
    guard touches(section) else { return block }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(block.bytes.count + block.bytes.count / 4)
    var messages: [Range<Int>] = []
    do {
      for message in block.messages {
        let lifted = try apply(to: Array(block.bytes[message]), of: section)
        try RecordFraming.append(lifted, to: &bytes)
        messages.append(bytes.count - lifted.count..<bytes.count)
      }
    } catch {
      throw RecordsError.malformedRecord(section: section.name)
    }
    return RecordBlock(bytes: bytes, messages: messages)
  }
}

/// A fault in an archive's records.
public enum RecordsError: Error, Equatable, Sendable {
  /// A record of the archive is not what its section holds.
  case malformedRecord(section: String)
  /// The records' schema is newer than this program.
  case newerRecords(schema: UInt32)
  /// A section has not as many records as its source reported.
  case countDiffers(section: String, reported: UInt64, written: UInt64)
}
