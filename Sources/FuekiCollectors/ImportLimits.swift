internal import FuekiSystem
internal import FuekiWallet

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
