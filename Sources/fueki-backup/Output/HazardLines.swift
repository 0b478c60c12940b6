internal import FuekiBackup
internal import FuekiCrypto
internal import FuekiWallet

/// Wallets that are dangerous when old or live twice, as lines.
enum HazardLines {
  /// Warns of a wallet's dangers, with the alternatives.
  static func warn(_ wallet: HazardousWallet, _ console: Console) {
    for hazard in wallet.hazards {
      console.warning("the wallet \"\(wallet.name)\" (\(hazard)): \(WalletHazard.danger(of: hazard))")
      guard let remedy = WalletHazard(rawValue: hazard)?.remedy else { continue }
      console.warning("  instead: \(remedy)")
    }
  }
}

/// A wallet that is dangerous when old or live twice, in JSON.
struct HazardDocument: Encodable {
  let wallet: String
  let name: String
  let hazards: [String]

  init(_ wallet: HazardousWallet) {
    self.wallet = wallet.idText
    name = wallet.name
    hazards = wallet.hazards
  }
}
