public import FoundationEssentials
public import FuekiWallet

/// A chain's data on one wallet, to merge into the stored data.
public struct ChainUpdate: Sendable {
  /// The wallet's id.
  public var walletID: Data
  /// When the chain was asked, in microseconds since 1970.
  public var time: Int64
  /// The wallet's balance in its chain's smallest unit; nil keeps the stored one.
  public var balance: String?
  /// An account's next nonce; nil keeps the stored one.
  public var nonce: UInt64?
  /// The checkpoint up to which everything is known now; nil keeps the stored one.
  public var synced: Checkpoint?
  /// Key indices that were seen in use: they only ever grow.
  public var keychains: [KeychainIndex] = []
  /// Tokens with their balances, with no id where they are new.
  public var assets: [Asset] = []
  /// Transactions, with no id.
  public var transactions: [Entry] = []

  /// An update with nothing in it.
  public init(walletID: Data, time: Int64) {
    self.walletID = walletID
    self.time = time
  }

  /// A transaction, a token transfer, or a transfer that a contract made.
  ///
  /// One with an empty amount says only what became of those with its hash.
  public struct Entry: Sendable {
    /// The record, with no id.
    public var transaction: Transaction
    /// Its receipt, with no ids.
    public var receipt: Receipt?
    /// Which of its block's logs a token transfer is.
    public var logIndex: UInt64?
    /// The token's contract, packed; nil for the chain's own coin.
    public var contract: Data?
    /// The token's id, for a unique one.
    public var tokenID: String?
    /// The call within the transaction, for coins that a contract sent; empty if the source does not state it.
    public var trace: String?

    /// An entry.
    public init(_ transaction: Transaction) { self.transaction = transaction }
  }
}
