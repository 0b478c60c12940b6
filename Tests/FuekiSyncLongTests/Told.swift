import FuekiSync
import fueki_backup

/// What a person is told, where a test is about that.
extension WalletOutcome {
  /// Why the wallet may not be as its chain has it.
  var told: [String] { problems.map(\.sentence) }
}

extension FindingsWarning {
  /// Whether it says that transactions belong to no address that was looked at.
  var isBeyondGap: Bool { if case .beyondGap = self { true } else { false } }
}
