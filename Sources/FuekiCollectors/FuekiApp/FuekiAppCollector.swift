internal import FuekiSystem
internal import FuekiBackup
internal import FuekiWallet

extension CollectorKind {
  static let fuekiApp = CollectorKind(
    FuekiAppBundle.kind, "a JSON bundle of the Fueki app", reach: .file, guide: .phones,
    fileNames: WalletNames(possible: ["*.json"]), limit: ImportLimits.bundleByteCount,
    what: "bundle of the Fueki app",
    recognises: {
      $0.contains("\"transactionHistory\"") || $0.contains("\"encryptedKeyShares\"")
        || $0.contains("\"addressBook\"")
    },
    look: FuekiAppCollector.look)
}

/// A backup file of the Fueki app: its JSON bundle, `backup-<unix time>.json`.
enum FuekiAppCollector {
  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let content = TextLines.withoutMark(try found.publicBytes())
    var records = try FuekiAppBundle(content, byteCountLimit: ImportLimits.bundleByteCount).records
    if asked.request.isForBackup {
      // The app's key shares are encrypted and stay so.
      let hasShares = records.files.contains { $0.format == FuekiAppBundle.keyShareFormat }
      records.findings = try RecordFindings(kind: FuekiAppBundle.kind).all(
        of: records.wallets, keys: records.privateKeys)
      for place in records.findings.indices where hasShares && records.findings[place].result == .withoutSeed {
        records.findings[place].result = .notProved(.needsPassword)
      }
    }
    return .wallet(try Kept(records, format: "fueki-app-json", program: "fueki", asked))
  }
}
