/// The outcome of a resync.
public enum ResyncOutcome: Equatable, Sendable {
  /// Nothing was asked.
  case notRun(reason: String)
  /// Every wallet is as its chain has it.
  case complete(wallets: Int)
  /// Some wallets could not be refreshed; each line has a wallet and the reason.
  case incomplete(wallets: Int, problems: [String])

  /// Whether something is left to be asked.
  public var isIncomplete: Bool {
    if case .incomplete = self { true } else { false }
  }
}
