public import FuekiBackup
internal import FuekiCrypto

/// Collects a backup of the third-generation Fueki app, or of Unstoppable Wallet, from which it derives.
///
/// This is a full backup, or one wallet's with or without its name. Everything but names of coins, settings
/// and the watchlist is encrypted with the backup's passphrase.
public struct UnstoppableCollector: ForeignSource {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "unstoppable"

  private let path: String
  private let passphrase: SourcePassphrase?

  /// Creates a source for a file.
  ///
  /// `passphrase` asks for its passphrase.
  public init(path: String, passphrase: SourcePassphrase?) {
    self.path = path
    self.passphrase = passphrase
  }

  /// The source's name in reports.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the backup.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the passphrase.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let file = SourceFile(path: path, byteCountLimit: Self.byteCountLimit)
    let original = SourceFile.Original(kind: Self.kind, format: "unstoppable-backup", program: "unstoppable")
    return try file.records(request, as: original) { bytes in
      guard let passphrase else {
        try UnstoppableBackup.check(TextLines.withoutMark(bytes))
        return file.unopened(request)
      }
      let cipher = UnstoppableCipher(file: file.name, passphrase: passphrase, work: request.work)
      return try UnstoppableBackup(TextLines.withoutMark(bytes), cipher: cipher).records
    }
  }
}
