/// Brings restored wallets up to date from their chains.
public protocol Resyncer {
  /// Resyncs every wallet of the destination.
  func resync() throws -> ResyncOutcome
}

/// What a resync came to.
public enum ResyncOutcome: Equatable, Sendable {
  /// Nothing was asked.
  case notRun(reason: String)
  /// Every wallet is as its chain has it.
  case complete(wallets: Int)
  /// Of some wallets that cannot be said; each line names one and the reason.
  case incomplete(wallets: Int, problems: [String])

  /// Whether something is left to be asked.
  public var isIncomplete: Bool {
    if case .incomplete = self { true } else { false }
  }
}
