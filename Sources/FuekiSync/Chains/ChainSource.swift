public import FoundationEssentials
public import FuekiWallet

/// A kind of server or program that reports a wallet's data on a chain.
///
/// A conformer is one file for one API, and one line in ``ChainSources``. It queries without interpreting:
/// the consequences of findings for the store are the same for all sources.
public protocol ChainSource: Sendable {
  /// Returns all of a wallet's data on the chain from a height on.
  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings
}

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

/// The findings of a source.
///
/// Transactions have no id yet: the store derives it from chain and hash (and log index).
public struct WalletFindings: Sendable {
  /// The chain's newest block according to this source.
  public var tip: Checkpoint
  /// The wallet's own balance in its chain's smallest unit, as decimal text; nil if unknown to the source.
  public var balance: String?
  /// An account chain's next nonce.
  public var nonce: UInt64?
  /// Balances of tokens and collectibles, by contract.
  public var assets: [Asset] = []
  /// Transactions and token transfers, each with its hash, status and, if confirmed, its height.
  public var transactions: [FoundTransaction] = []
  /// Key indices found in use, by keychain.
  public var keychains: [KeychainIndex] = []
  /// Why something may be missing; nil if everything was checked.
  public var partial: FindingsGap?
  /// The last completely checked block of a source that stopped at a limit.
  ///
  /// The next resync continues from there. If nil, it is ``tip``, or unknown for partial findings.
  public var reached: Checkpoint?
  /// Whether confirmed transactions of ``WalletQuery/open`` that are not among these no longer exist.
  ///
  /// True if the source lists the wallet's history. False if it looked each one up and reports removed ones
  /// itself.
  public var listsHistory = true
  /// Whether the history includes internal transfers by contracts.
  public var listsInner = false
  /// Warnings for the user, such as outdated numbers.
  public var warnings: [FindingsWarning] = []

  /// Creates empty findings.
  public init(tip: Checkpoint) { self.tip = tip }
}

/// A transaction found by a source.
public struct FoundTransaction: Sendable {
  /// The record, without an id.
  public var transaction: Transaction
  /// Its receipt, without ids; nil if the source has none.
  public var receipt: Receipt?
  /// The index of a token transfer's log in its block; nil for the chain's own coin, or if not reported.
  public var logIndex: UInt64?
  /// For a token transfer, the token's contract, packed; nil for the chain's own coin.
  public var contract: Data?
  /// A non-fungible token's id, in decimal.
  public var tokenID: String?
  /// The internal call that sent the coins: a path such as "0_1", or "#" and a number.
  ///
  /// Empty if the source reports neither; nil for anything else.
  public var trace: String?

  /// Creates a found transaction.
  public init(_ transaction: Transaction, receipt: Receipt? = nil, logIndex: UInt64? = nil) {
    self.transaction = transaction
    self.receipt = receipt
    self.logIndex = logIndex
  }
}
