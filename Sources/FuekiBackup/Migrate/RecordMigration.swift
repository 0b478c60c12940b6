internal import FuekiWallet
internal import SwiftProtobuf

/// One step from a version of the records' schema to the next.
///
/// A step sees one record at a time and keeps what it does not understand: it needs no more memory than a record.
public struct RecordMigration: Sendable {
  /// What a step does to the records of one section.
  struct Change: Sendable {
    let section: Section
    let apply: @Sendable ([UInt8]) throws -> [UInt8]

    init<Record: SectionRecord & Equatable>(_ change: @escaping @Sendable (inout Record) -> Void) {
      section = Record.section
      apply = { message in
        var record = try Record(serializedBytes: message)
        let before = record
        change(&record)
        // A record that stays as it is keeps its very bytes.
        return record == before ? message : try record.serializedBytes()
      }
    }
  }

  /// The version that the step begins with.
  public let from: UInt32
  private let changes: [Section: Change]

  init(from version: UInt32, _ changes: [Change]) {
    from = version
    self.changes = Dictionary(uniqueKeysWithValues: changes.map { ($0.section, $0) })
  }

  /// Whether the step has something to do with a section's records.
  func touches(_ section: Section) -> Bool { changes[section] != nil }

  /// A record's message after the step.
  func apply(to message: [UInt8], of section: Section) throws -> [UInt8] {
    try changes[section]?.apply(message) ?? message
  }
}

/// The versions of the records' schema, and the way from each to this one.
public enum RecordSchema {
  /// The version that this program writes.
  public static let current = Manifest.currentSchema

  /// The one table of steps, in order: the first begins with version 0.
  public static let migrations: [RecordMigration] = [.appWords]

  /// What lifts records of a version to this one; nil where there is nothing to do.
  ///
  /// - Throws: ``BackupError/newerRecords(schema:)`` for a version that this program does not know.
  public static func lift(from version: UInt32) throws(BackupError) -> RecordLift? {
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
