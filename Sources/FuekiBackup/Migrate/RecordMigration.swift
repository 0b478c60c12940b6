internal import FuekiWallet

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
