import FuekiSync
import fueki_backup

/// What a person is told, where a test is about that.
extension WalletOutcome {
  /// Why the wallet may not be as its chain has it.
  var told: [String] { problems.map(\.sentence) }
  /// What else to know of it.
  var toldBesides: [String] { warnings.map(\.sentence) }
}
