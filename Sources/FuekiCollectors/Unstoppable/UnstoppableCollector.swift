public import FuekiBackup
internal import FuekiCrypto

/// A backup of the Fueki app's third generation, or of Unstoppable Wallet, from which that came.
///
/// A full backup, one wallet's, or one wallet's with its name; all but names of coins, settings and the watchlist is
/// encrypted with the backup's passphrase.
public struct UnstoppableCollector: ForeignSource {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "unstoppable"

  private let path: String
  private let passphrase: SourcePassphrase?

  /// The file that a person named, and where its passphrase is asked for.
  public init(path: String, passphrase: SourcePassphrase?) {
    self.path = path
    self.passphrase = passphrase
  }

  /// The source as reports name it.
  public var name: String { "\(Self.kind):\(path)" }

  /// Reads the backup.
  ///
  /// - Throws: ``ForeignFileError``, or what the system or asking for the passphrase refuses.
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
