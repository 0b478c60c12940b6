internal import ArgumentParser
internal import FuekiBackup
internal import FuekiSystem
internal import FuekiWallet

/// Consent to bringing back wallets that are dangerous when old or live twice.
struct HazardOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Restore wallets although they are dangerous when old or live twice: lightning, ark, validator; may be given again.",
      valueName: "hazard"), completion: .hazards)
  var confirmHazard: [String] = []

  /// Asks once for each danger that no option has confirmed.
  ///
  /// - Throws: ``RestoreError/hazards(_:)`` with the wallets that are not wanted so, or where there is no terminal.
  func confirm(_ wallets: [HazardousWallet], _ console: Console) throws {
    var confirmed = Set(confirmHazard)
    for wallet in wallets { HazardLines.warn(wallet, console) }
    for hazard in wallets.flatMap(\.hazards) where !confirmed.contains(hazard) && Terminal.isAvailable {
      let answer = try Terminal.readLine(
        prompt: TerminalText.line("restore such wallets all the same? type \"\(hazard)\" to do so: "))
      guard answer == hazard else { break }
      confirmed.insert(hazard)
    }
    let refused = wallets.filter { !$0.unconfirmed(confirmed).isEmpty }
    guard refused.isEmpty else { throw RestoreError.hazards(refused) }
  }
}
