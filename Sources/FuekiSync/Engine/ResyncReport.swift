internal import FuekiBackup

/// The result of a resync.
public struct ResyncReport: Sendable {
  /// The wallets in the store's order.
  public var wallets: [WalletOutcome] = []
  /// The requested prices.
  public var prices: [PriceOutcome] = []

  /// Whether every wallet and price is complete.
  public var isComplete: Bool { wallets.allSatisfy(\.isComplete) && prices.allSatisfy { $0.problem == nil } }
}
