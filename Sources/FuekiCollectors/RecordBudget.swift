internal import FuekiBackup
internal import FuekiWallet
internal import SwiftProtobuf

/// What a source's records may still come to, by what was read of it so far.
///
/// Once it is spent nothing is added any more, so that a small file does not become a large store, and reading ends
/// with an error.
struct RecordBudget: Sendable {
  private var bytesRead = 0
  private var recordCount = 0
  private var byteCount = 0
  private var secretCount = 0
  /// Whether something was not added.
  private(set) var isSpent = false

  /// Notes that so many bytes of the source are read now.
  mutating func read(_ count: Int) { bytesRead += count }

  /// Takes a record of so many bytes into account; false where it is not to be added.
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

  /// Whether so many more records can be added; if not, none is.
  mutating func hasRoom(for count: Int) -> Bool {
    if recordCount + count > ImportLimits.records(of: bytesRead) { isSpent = true }
    return !isSpent
  }

  /// Takes a secret into account; false where it is not to be added.
  mutating func admitsSecret() -> Bool {
    secretCount += 1
    if secretCount > ImportLimits.secrets { isSpent = true }
    return !isSpent
  }
}

extension ImportedRecords {
  /// Takes a record into account; false where it is not to be added.
  mutating func admits(_ record: some SectionRecord) -> Bool {
    guard !budget.isSpent, let bytes = try? record.serializedBytes() as [UInt8] else { return false }
    return budget.admits(bytes.count)
  }

  /// The records, where they are not more than their source may become.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)``.
  consuming func withinLimits() throws(ForeignFileError) -> ImportedRecords {
    try checkLimits()
    return self
  }

  /// Ends where the records are more than their source may become.
  ///
  /// - Throws: ``ForeignFileError/overLimit(reason:)``.
  func checkLimits() throws(ForeignFileError) {
    guard budget.isSpent else { return }
    throw .overLimit(
      reason: "it would become far more than it is: more, or larger, records than a wallet's file has")
  }
}

extension JSONError {
  /// The error of a file that is not JSON, or is too much of it.
  func asForeign(_ before: String = "") -> ForeignFileError {
    switch self {
    case .tooLong, .tooManyValues: .overLimit(reason: before + sentence)
    case .truncated, .unexpected, .tooDeep, .invalidNumber, .invalidText, .repeatedName, .trailing:
      .notThisFormat(reason: before + sentence)
    }
  }
}
