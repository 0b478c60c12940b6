internal import FuekiWallet

/// The most that a file of another program may have, and the most that is made of it.
///
/// Every collector asks here. Over a limit nothing is imported, with ``ForeignFileError/overLimit(reason:)``, and a backup
/// keeps the file unread; the numbers stand in fueki-backup-import(1). ``WorkBudget`` limits the work.
/// How many values a JSON document may have says ``JSONOutline/valueLimit(of:)``.
package enum ImportLimits {
  // MARK: what is read

  /// A bundle of the Fueki app, which has a whole history.
  static let bundleByteCount = 1 << 30
  /// Another program's wallet or backup.
  static let walletByteCount = 64 << 20
  /// A wallet in Python's spelling, as Electrum wrote it until 2.0.
  static let literalByteCount = 16 << 20
  /// vCards, which may have pictures, and lists of labels.
  static let textByteCount = 256 << 20
  /// A table of contacts.
  static let tableByteCount = 16 << 20
  /// A Web3 Secret Storage file.
  static let keystoreByteCount = 1 << 20
  /// A validator's keystore; Prysm has all of a machine's keys in one.
  static let validatorKeystoreByteCount = 16 << 20
  /// A key share of tss-lib.
  static let tssShareByteCount = 4 << 20
  /// A key share of the Fueki app.
  static let shareByteCount = 1 << 17
  /// The files of a folder, and all their bytes together.
  static let filesOfFolder = (count: 1 << 16, byteCount: 1 << 30)

  /// The holes of one file, which an archive has to hold as zeros.
  ///
  /// Torrents and disk images aside, the largest sparse files of programs around wallets have some 3 GiB of holes.
  static let holeByteCount: UInt64 = 4 << 30

  // MARK: parts of it

  /// A line of a vCard or of a list of labels.
  static let lineByteCount = 1 << 20
  static let linesOfCard = 4096
  static let columnsOfTable = 256
  static let partiesOfShare = 1024
  static let fieldsOfRecord = 4096
  /// How far all changes that are appended to a wallet of Electrum may move the elements of lists.
  static let movedElements = 1 << 24

  // MARK: what is made

  /// How many things that are not in are named one by one; the rest is counted.
  static let namedExclusions = 200
  /// The secrets of one source: each lies on locked pages of its own.
  static let secrets = 10_000

  /// The records of a source of so many bytes: no record of a wallet is spelled in fewer than 16.
  static func records(of byteCount: Int) -> Int { min(4096 + byteCount / 16, 1 << 22) }

  /// All bytes of the records of a source of so many bytes.
  static func recordBytes(of byteCount: Int) -> Int { (1 << 20) + 16 * byteCount }
}
