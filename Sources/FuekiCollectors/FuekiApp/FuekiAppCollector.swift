public import FuekiBackup
internal import FuekiWallet

/// A backup file of the Fueki app: its JSON bundle, `backup-<unix time>.json`.
public struct FuekiAppCollector: ForeignSource {
  static let byteCountLimit = ImportLimits.bundleByteCount

  private let path: String

  /// The file that a person named.
  public init(path: String) { self.path = path }

  /// The source as reports name it.
  public var name: String { "\(FuekiAppBundle.kind):\(path)" }

  /// Reads the whole bundle; what the request does not ask for is left out and named.
  ///
  /// - Throws: ``ForeignFileError``, or what the system refuses.
  public func read(_ request: CollectionRequest) throws -> ImportedRecords {
    let original = SourceFile.Original(kind: FuekiAppBundle.kind, format: "fueki-app-json", program: "fueki")
    return try SourceFile(path: path, byteCountLimit: Self.byteCountLimit).records(request, as: original) {
      bytes in
      var records =
        try FuekiAppBundle(TextLines.withoutMark(bytes), byteCountLimit: Self.byteCountLimit).records
      guard request.isForBackup else { return records }
      // Its key shares are sealed by the app, and stay so.
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
