public import FuekiBackup
internal import FuekiWallet

/// Collects a backup file of the Fueki app: its JSON bundle, `backup-<unix time>.json`.
public struct FuekiAppCollector: ForeignSource {
  static let byteCountLimit = ImportLimits.bundleByteCount

  private let path: String

  /// Creates a source for a file.
  public init(path: String) { self.path = path }

  /// The source's name in reports.
  public var name: String { "\(FuekiAppBundle.kind):\(path)" }

  /// Reads the bundle, and reports the excluded sections.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let original = SourceFile.Original(kind: FuekiAppBundle.kind, format: "fueki-app-json", program: "fueki")
    return try SourceFile(path: path, byteCountLimit: Self.byteCountLimit).records(request, as: original) {
      bytes in
      var records =
        try FuekiAppBundle(TextLines.withoutMark(bytes), byteCountLimit: Self.byteCountLimit).records
      guard request.isForBackup else { return records }
      // The app's key shares are encrypted and stay so.
      let hasShares = records.files.contains { $0.format == FuekiAppBundle.keyShareFormat }
      records.findings = try RecordFindings(kind: FuekiAppBundle.kind).all(
        of: records.wallets, keys: records.privateKeys)
      for place in records.findings.indices where hasShares && records.findings[place].result == .withoutSeed
      {
        records.findings[place].result = .notProved(.needsPassword)
      }
      return records
    }
  }
}
