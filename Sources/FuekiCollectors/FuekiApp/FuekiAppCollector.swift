internal import FuekiBackup
internal import FuekiWallet

extension CollectorKind {
  static let fuekiApp = CollectorKind(
    FuekiAppBundle.kind, "a JSON bundle of the Fueki app", reach: .file, guide: .phones,
    recognises: {
      $0.contains("\"transactionHistory\"") || $0.contains("\"encryptedKeyShares\"")
        || $0.contains("\"addressBook\"")
    },
    read: FuekiAppCollector.read)
}

/// Collects a backup file of the Fueki app: its JSON bundle, `backup-<unix time>.json`.
enum FuekiAppCollector {
  static let byteCountLimit = ImportLimits.bundleByteCount

  /// Reads the bundle, and reports the excluded sections.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let original = SourceFile.Original(kind: FuekiAppBundle.kind, format: "fueki-app-json", program: "fueki")
    return try source.file(limit: Self.byteCountLimit).records(request, as: original) {
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
