/// A fault in an archive's records.
public enum RecordsError: Error, Equatable, Sendable {
  /// A record of the archive is not what its section holds.
  case malformedRecord(section: String)
  /// The records' schema is newer than this program.
  case newerRecords(schema: UInt32)
  /// A section has not as many records as its source reported.
  case countDiffers(section: String, reported: UInt64, written: UInt64)
}
