internal import FuekiSystem
internal import FuekiBackup
internal import FuekiCrypto

extension CollectorKind {
  static let unstoppable = CollectorKind(
    UnstoppableCollector.kind, "encrypted backups of the Fueki app or Unstoppable Wallet", reach: .file,
    guide: .phones, fileNames: WalletNames(possible: ["*.json"]), what: "backup of Unstoppable Wallet",
    recognises: {
      $0.contains("\"ciphertext\"") && $0.contains("\"kdfparams\"")
        && ($0.contains("\"enabled_wallets\"") || $0.contains("\"manual_backup\""))
    },
    look: UnstoppableCollector.look)
}

/// A backup of the third-generation Fueki app, or of Unstoppable Wallet, from which it derives.
///
/// This is a full backup, or one wallet's with or without its name. Everything but names of coins, settings
/// and the watchlist is encrypted with the backup's passphrase.
enum UnstoppableCollector {
  static let byteCountLimit = ImportLimits.walletByteCount
  static let kind = "unstoppable"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let (format, program) = ("unstoppable-backup", "unstoppable")
    let content = TextLines.withoutMark(try found.publicBytes())
    guard asked.hasPassword else {
      try UnstoppableBackup.check(content)
      return .wallet(Kept(unopened: asked, .needsPassword, format: format, program: program))
    }
    do {
      let cipher = UnstoppableCipher(
        file: FileName.text(asked.path.pathBytes), password: asked.password)
      let records = try UnstoppableBackup(content, cipher: cipher).records
      return .wallet(try Kept(records, format: format, program: program, asked))
    } catch ForeignFileError.wrongPassphrase where asked.request.isForBackup {
      return .wallet(Kept(unopened: asked, .wrongPassword, format: format, program: program))
    }
  }
}
