import FuekiSync
import fueki_backup

/// Messages to the user, for tests about their text.
extension WalletOutcome {
  /// The reasons why the wallet may differ from its chain.
  var told: [String] { problems.map(\.sentence) }
}

extension FindingsWarning {
  /// Whether the warning is about transactions of addresses beyond those searched.
  var isBeyondGap: Bool { if case .beyondGap = self { true } else { false } }
}
