public import FuekiWallet

/// A request to a source.
public struct WalletQuery: Sendable {
  /// The stored wallet: its chain, addresses or descriptors, accounts, key indices and gap limit.
  public var wallet: Wallet
  /// Its stored assets, whose token contracts are queried individually.
  public var assets: [Asset]
  /// The first height to check: min(birthday, last synced) minus the reorganisation margin; 0 for all.
  public var startHeight: UInt64
  /// The wallet's stored transactions that are pending, or at or above ``startHeight``.
  ///
  /// A source without a history of its own looks each up by its hash.
  public var open: [Transaction]

  /// Creates a query.
  public init(wallet: Wallet, assets: [Asset], startHeight: UInt64, open: [Transaction]) {
    self.wallet = wallet
    self.assets = assets
    self.startHeight = startHeight
    self.open = open
  }
}
