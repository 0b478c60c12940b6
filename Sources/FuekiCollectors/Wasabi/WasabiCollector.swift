internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

extension CollectorKind {
  /// Wallets of Wasabi.
  static let wasabi = CollectorKind(
    WasabiCollector.kind, "wallets of Wasabi: its JSON files", reach: .tree, guide: .wasabi,
    programs: [
      WalletProgram(
        id: "wasabi", title: "Wasabi Wallet", folders: [".walletwasabi"],
        places: [
          .folder(
            ".walletwasabi/client/Wallets", of: ["*.json", "*/*.json"], kind: WasabiCollector.kind, .always,
            [.laterKeys])
        ])
    ],
    fileNames: WalletNames(possible: ["*.json"]), recognises: { WasabiCollector.isLikely($0) },
    read: WasabiCollector.read)
}

/// Collects wallets of Wasabi, byte for byte.
///
/// With its password, a wallet's key is compared with its public keys.
enum WasabiCollector {
  static let kind = "wasabi"

  static func isLikely(_ beginning: Span<UInt8>) -> Bool {
    beginning.contains("\"EncryptedSecret\"") && beginning.contains("\"ExtPubKey\"")
  }

  /// Inspects the files.
  ///
  /// - Throws: ``ForeignFileError``, or errors of the system or of asking for the password.
  static func read(_ source: KindSource, _ request: CollectionRequest) throws -> ImportedRecords {
    let password = AskedPassword(source.passphrase, work: request.work)
    return try KeptFiles(source) { beginning, _ in isLikely(beginning) }
      .read(request) { found, whole, records in
        let name = PathParts(found.nameText).name
        guard let content = try whole.bytes(limit: ImportLimits.walletByteCount),
          let document = try? GuardedDocument(
            content.copy(content.markByteCount..<content.count), limit: ImportLimits.walletByteCount),
          let wallet = WasabiWallet(document.root)
        else {
          // The password of a damaged file may have been empty.
          records.findings.append(WalletFinding(kind: kind, name: name, .faulty(.malformed), isInClear: true))
          return KeptFiles.Keeping(isSecret: true, format: "")
        }
        let (result, isInClear) = try wallet.judged(password)
        let described = wallet.record(name: name)
        records.findings.append(
          WalletFinding(
            kind: kind, name: name, result, detail: PackedText.text(described.address) ?? "",
            isInClear: isInClear))
        if !records.wallets.contains(where: { $0.id == described.id }) { records.add(described) }
        return KeptFiles.Keeping(isSecret: isInClear, format: "wasabi-wallet", program: kind)
      }
  }
}

extension SecretBytes {
  /// The length of the mark of UTF-8 with which Wasabi begins a file.
  fileprivate var markByteCount: Int {
    withBytes { $0.count >= 3 && $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF ? 3 : 0 }
  }
}
