internal import FuekiBackup
internal import FuekiCrypto

extension CollectorKind {
  static let unstoppable = CollectorKind(
    UnstoppableCollector.kind, "encrypted backups of the Fueki app or Unstoppable Wallet", reach: .file,
    guide: .phones,
    recognises: {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"")
        && ($0.contains("\"enabled_wallets\"") || $0.contains("\"manual_backup\""))
    },
    read: UnstoppableCollector.read)
}

/// Collects a backup of the third-generation Fueki app, or of Unstoppable Wallet, from which it derives.
///
/// This is a full backup, or one wallet's with or without its name. Everything but names of coins, settings
/// and the watchlist is encrypted with the backup's passphrase.
enum UnstoppableCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "unstoppable"

  /// Reads the backup.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the passphrase.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let file = source.file(limit: Self.byteCountLimit)
    let original = SourceFile.Original(kind: Self.kind, format: "unstoppable-backup", program: "unstoppable")
    return try file.records(request, as: original) { bytes in
      guard let passphrase = source.passphrase else {
        try UnstoppableBackup.check(TextLines.withoutMark(bytes))
        return file.unopened(request)
      }
      let cipher = UnstoppableCipher(file: file.name, passphrase: passphrase, work: request.work)
      return try UnstoppableBackup(TextLines.withoutMark(bytes), cipher: cipher).records
    }
  }
}
