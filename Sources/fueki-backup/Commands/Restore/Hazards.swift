internal import FuekiBackup
internal import FuekiSystem
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

extension HazardousWallet {
  /// The wallet in JSON.
  var document: Members { ["wallet": idText, "name": name, "hazards": hazards] }
}

/// Consent to bringing back wallets that are dangerous when old or live twice.
enum HazardQuestion {
  /// Asks once for each hazard that no option has confirmed.
  ///
  /// - Throws: ``RestoreError/hazards(_:)`` with the wallets that were not confirmed, or if there is no terminal.
  static func confirm(_ wallets: [HazardousWallet], _ consents: Consents, _ console: Console) throws {
    var confirmed = consents.hazards
    for wallet in wallets { HazardLines.warn(wallet, console) }
    for hazard in wallets.flatMap(\.hazards) where !confirmed.contains(hazard) && Terminal.isAvailable {
      let question = "restore such wallets anyway? type \"\(hazard)\" to do so, or no"
      let isConfirmed = try Asking.line(question, default: "no") { answer in
        guard answer == hazard || answer == "no" else {
          throw Failure(.usage, "that is neither \"\(hazard)\" nor \"no\"")
        }
        return answer == hazard
      }
      guard isConfirmed else { break }
      Replay.note("--accept", "hazard=\(hazard)")
      confirmed.insert(hazard)
    }
    let refused = wallets.filter { !$0.unconfirmed(confirmed).isEmpty }
    guard refused.isEmpty else { throw RestoreError.hazards(refused) }
  }
}
