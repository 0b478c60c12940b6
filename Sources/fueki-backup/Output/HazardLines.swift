internal import FuekiBackup
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
