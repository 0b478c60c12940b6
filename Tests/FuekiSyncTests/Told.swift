import FuekiSync
import fueki_backup

/// Messages to the user, for tests about their text.
extension WalletOutcome {
  /// The reasons why the wallet may differ from its chain.
  var told: [String] { problems.map(\.sentence) }
  /// The warnings about the wallet.
  var toldBesides: [String] { warnings.map(\.sentence) }
}
