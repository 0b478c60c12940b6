public import FoundationEssentials
public import FuekiWallet

/// The store in which a resync reads and keeps its data.
///
/// It is called from any thread.
public protocol WalletLedger: Sendable {
  /// All wallets.
  func wallets() throws -> [Wallet]
  /// The wallet with an id.
  func wallet(_ id: Data) throws -> Wallet?
  /// The assets of a wallet.
  func assets(of wallet: Data) throws -> [Asset]
  /// A wallet's transactions that are pending, or that a block holds which may yet be given up.
  func open(of wallet: Data, from height: UInt64) throws -> [Transaction]
  /// Whether there is any transaction of a wallet.
  func hasTransactions(of wallet: Data) throws -> Bool
  /// Merges a chain's update, all or none, without losses or duplicates.
  func merge(_ update: ChainUpdate) throws -> ChainUpdateCounts
  /// Keeps a price.
  func keep(_ price: AssetPrice) throws
  /// The price that was last kept.
  func price(of asset: String, in currency: String) throws -> AssetPrice?
}
