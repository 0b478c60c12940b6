/// Brings restored wallets up to date from their chains.
public protocol Resyncer {
  /// Resyncs every wallet of the destination.
  func resync() throws -> ResyncOutcome
}

/// What a resync came to.
public enum ResyncOutcome: Equatable, Sendable {
  /// Nothing was asked: there is no source to ask.
  case notRun(reason: String)
}
