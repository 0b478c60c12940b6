internal import FuekiSources
internal import FuekiSystem
internal import FuekiWallet
internal import SwiftProtobuf

/// The limits of other programs' files, and of the records made from them.
///
/// All collectors use them. Over a limit, an import fails with ``ForeignFileError/overLimit(reason:)`` and a
/// backup keeps the file unread. The numbers are documented in fueki-backup-import(1). ``WorkBudget`` limits
/// the work, and ``JSONOutline/valueLimit(of:)`` the number of values in a JSON document.
enum ImportLimits {
  // MARK: input

  /// A bundle of the Fueki app, which has a complete history.
  static let bundleByteCount = 1 << 30
  /// Another program's wallet or backup.
  static let walletByteCount = 64 << 20
  /// A wallet in Python syntax, as in Electrum before 2.0.
  static let literalByteCount = 16 << 20
  /// vCards, which may contain pictures, and lists of labels.
  static let textByteCount = 256 << 20
  /// A table of contacts.
  static let tableByteCount = 16 << 20
  /// A Web3 Secret Storage file.
  static let keystoreByteCount = 1 << 20
  /// A validator's keystore.
  ///
  /// Prysm has all keys of a machine in one.
  static let validatorKeystoreByteCount = 16 << 20
  /// A key share of tss-lib.
  static let tssShareByteCount = 4 << 20
  /// A key share of the Fueki app.
  static let shareByteCount = 1 << 17

  // MARK: parts of the input

  /// A line of a vCard or of a list of labels.
  static let lineByteCount = 1 << 20
  static let linesOfCard = 4096
  static let columnsOfTable = 256
  static let partiesOfShare = 1024
  static let fieldsOfRecord = 4096
  /// The number of list elements that appended changes may move in an Electrum wallet.
  static let movedElements = 1 << 24

  // MARK: output

  /// The number of exclusions listed individually.
  ///
  /// The rest is counted.
  static let namedExclusions = 200
  /// Returns the limit of records for a source's size: no record of a wallet takes fewer than 16 bytes.
  static func records(of byteCount: Int) -> Int { min(4096 + byteCount / 16, 1 << 22) }

  /// Returns the limit of all records' bytes for a source's size.
  static func recordBytes(of byteCount: Int) -> Int { (1 << 20) + 16 * byteCount }
}

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
  consuming func withinLimits() throws(ForeignFileError) -> ImportedRecords {
    try checkLimits()
    return self
  }

  /// Throws if the records exceed the limits.
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
