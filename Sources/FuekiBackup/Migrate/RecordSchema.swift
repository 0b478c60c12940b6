public import FuekiWallet
internal import SwiftProtobuf

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
