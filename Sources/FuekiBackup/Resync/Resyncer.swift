/// Brings restored wallets up to date from their chains.
public protocol Resyncer {
  /// Resyncs every wallet of the destination.
  func resync() throws -> ResyncOutcome
}
