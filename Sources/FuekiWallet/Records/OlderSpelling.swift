internal import SwiftProtobuf

/// Upgrades a kind's records from an older schema version.
public struct OlderSpelling: Sendable {
  /// The version of the older records.
  ///
  /// The result has the next version.
  public let version: UInt32
  /// Upgrades a record's message to the next version.
  ///
  /// An unaffected record keeps its exact bytes.
  public let lift: @Sendable ([UInt8]) throws -> [UInt8]

  /// Creates an upgrade of the records of a version.
  init<Record: SectionRecord & Equatable>(
    of version: UInt32, _ change: @escaping @Sendable (inout Record) -> Void
  ) {
    self.version = version
    lift = { message in
      var record = try Record(serializedBytes: message)
      let before = record
      change(&record)
      return record == before ? message : try record.serializedBytes()
    }
  }
}
