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
    fileNames: WalletNames(possible: ["*.json"]), what: "wallet of Wasabi",
    recognises: { $0.contains("\"EncryptedSecret\"") && $0.contains("\"ExtPubKey\"") },
    look: WasabiCollector.look)
}

/// Wallets of Wasabi, byte for byte.
///
/// With its password, a wallet's key is compared with its public keys.
enum WasabiCollector {
  static let kind = "wasabi"

  static func look(at found: borrowing FoundFile, _ asked: Asked) throws -> Look {
    let content = try found.bytes()
    guard
      let document = try? GuardedDocument(
        content.copy(content.markByteCount..<content.count), limit: content.count),
      let wallet = WasabiWallet(document.root)
    else { return .other(reason: "it is no wallet of Wasabi") }
    let name = FileName.text(found.lastName)
    let (result, isInClear) = try wallet.judged(asked.password)
    let described = wallet.record(name: name)
    var kept = Kept(
      format: "wasabi-wallet", isSecret: isInClear,
      asked.finding(name, result, detail: PackedText.text(described.address) ?? ""))
    (kept.program, kept.wallets) = (kind, [described])
    return .wallet(kept)
  }
}

extension SecretBytes {
  /// The length of the mark of UTF-8 with which Wasabi begins a file.
  fileprivate var markByteCount: Int {
    withBytes { $0.count >= 3 && $0[0] == 0xEF && $0[1] == 0xBB && $0[2] == 0xBF ? 3 : 0 }
  }
}
