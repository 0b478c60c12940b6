internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// The remaining records allowed for a source, in proportion to the bytes read.
///
/// When it is spent, no more records are added and reading ends with an error, so that a small file cannot
/// become a large store.
struct RecordBudget: Sendable {
  private(set) var bytesRead = 0
  private var recordCount = 0
  private var byteCount = 0
  private var secretCount = 0
  /// Whether a record was refused.
  private(set) var isSpent = false

  /// Counts what was counted of a file.
  mutating func add(_ other: RecordBudget) {
    bytesRead += other.bytesRead
    recordCount += other.recordCount
    byteCount += other.byteCount
    secretCount += other.secretCount
    if recordCount > ImportLimits.records(of: bytesRead)
      || byteCount > ImportLimits.recordBytes(of: bytesRead)
      || secretCount > BackupLimits.secrets
    {
      isSpent = true
    }
  }

  /// Counts the bytes of a file, some of which may be counted already.
  mutating func read(atLeast count: Int) { bytesRead = max(bytesRead, count) }

  /// Counts bytes read from the source.
  mutating func read(_ count: Int) { bytesRead += count }

  /// Counts a record of `count` bytes; false if it must not be added.
  mutating func admits(_ count: Int) -> Bool {
    recordCount += 1
    byteCount += min(count, RecordFraming.maximumByteCount)
    if recordCount > ImportLimits.records(of: bytesRead)
      || byteCount > ImportLimits.recordBytes(of: bytesRead)
      || RecordFraming.framedByteCount(count) > RecordFraming.maximumByteCount
    {
      isSpent = true
    }
    return !isSpent
  }

  /// Whether `count` more records can be added.
  ///
  /// If not, none is.
  mutating func hasRoom(for count: Int) -> Bool {
    if recordCount + count > ImportLimits.records(of: bytesRead) { isSpent = true }
    return !isSpent
  }

  /// Counts a secret; false if it must not be added.
  mutating func admitsSecret() -> Bool {
    secretCount += 1
    if secretCount > BackupLimits.secrets { isSpent = true }
    return !isSpent
  }
}

extension ImportedRecords {
  /// Counts a record; false if it must not be added.
  mutating func admits(_ record: some SectionRecord) -> Bool {
    guard !budget.isSpent, let bytes = try? record.serializedBytes() as [UInt8] else { return false }
    return budget.admits(bytes.count)
  }

  /// Returns the records if they are within the limits.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)``.
  consuming func withinLimits() throws(ForeignFileError) -> ImportedRecords {
    try checkLimits()
    return self
  }

  /// Throws if the records exceed the limits.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)``.
  func checkLimits() throws(ForeignFileError) {
    guard budget.isSpent else { return }
    throw .overLimit(
      reason: "it would become far more than it is: more, or larger, records than a wallet's file has")
  }
}

extension JSONError {
  /// The error for a file that is not JSON, or too large.
  func asForeign(_ before: String = "") -> ForeignFileError {
    switch self {
    case .tooLong, .tooManyValues: .overLimit(reason: before + sentence)
    case .truncated, .unexpected, .tooDeep, .invalidNumber, .invalidText, .repeatedName, .trailing:
      .notThisFormat(reason: before + sentence)
    }
  }
}
