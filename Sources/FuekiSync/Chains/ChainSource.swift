public import FoundationEssentials
public import FuekiWallet

/// One kind of server, or program, that tells what a chain holds of a wallet.
///
/// A conformer is one file for one API, and one line in ``ChainSources``. It asks, and decides nothing: what its
/// findings mean for the store is the same for all of them.
public protocol ChainSource: Sendable {
  /// Everything that the chain holds of a wallet from a height on.
  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings
}

/// What is asked of a source.
public struct WalletQuery: Sendable {
  /// The wallet as the store has it: its chain, addresses or descriptors, accounts, key indices and gap limit.
  public var wallet: Wallet
  /// Its assets as the store has them: token contracts that are asked for by name.
  public var assets: [Asset]
  /// The first height to look at: min(birthday, last synced) less the margin for reorganisations; 0 for all.
  public var startHeight: UInt64
  /// The store's transactions of this wallet that are pending, or that lie at or above ``startHeight``: each is
  /// looked up by its hash where the source has no history of its own.
  public var open: [Transaction]

  /// A query.
  public init(wallet: Wallet, assets: [Asset], startHeight: UInt64, open: [Transaction]) {
    self.wallet = wallet
    self.assets = assets
    self.startHeight = startHeight
    self.open = open
  }
}

/// What a source found.
///
/// Transactions have no id yet: the store gives them theirs, by chain and hash (and log index).
public struct WalletFindings: Sendable {
  /// The chain's head as this source saw it.
  public var tip: Checkpoint
  /// The wallet's own balance in its chain's smallest unit, as decimal text; nil where the source cannot tell.
  public var balance: String?
  /// An account chain's next nonce.
  public var nonce: UInt64?
  /// Token balances and collectibles, by contract.
  public var assets: [Asset] = []
  /// Transactions and token transfers, each with its hash, status and, where a block holds it, its height.
  public var transactions: [FoundTransaction] = []
  /// Key indices that were seen in use, by keychain.
  public var keychains: [KeychainIndex] = []
  /// Why something may be missing; nil where all was seen.
  public var partial: FindingsGap?
  /// Up to where a source that stopped at a bound has seen all.
  ///
  /// The next resync goes on from there. Where it is nil, that is ``tip``, or for partial findings not known.
  public var reached: Checkpoint?
  /// Whether a transaction of ``WalletQuery/open`` that a block held and that is not among these is gone.
  ///
  /// So it is where the source lists the wallet's history, and not where it looked each up and says itself what is
  /// gone.
  public var listsHistory = true
  /// Whether that history has the transfers that contracts made.
  public var listsInner = false
  /// What the person should know, such as numbers that are old.
  public var warnings: [FindingsWarning] = []

  /// Findings with nothing in them yet.
  public init(tip: Checkpoint) { self.tip = tip }
}

/// A transaction that a source found.
public struct FoundTransaction: Sendable {
  /// The record, with no id.
  public var transaction: Transaction
  /// Its receipt, with no ids; nil where the source gives none.
  public var receipt: Receipt?
  /// For a token transfer, which of its block's logs it is; nil for the chain's own coin, and where a source does
  /// not say.
  public var logIndex: UInt64?
  /// For a token transfer, the token's contract, packed; nil for the chain's own coin.
  public var contract: Data?
  /// For a token that is one of a kind, which one, in decimal.
  public var tokenID: String?
  /// For coins that a contract sent within the transaction, which of its calls that was: the call's path such as
  /// "0_1", or with "#" before it its number; empty where the source says neither, and nil for anything else.
  public var trace: String?

  /// A transaction with what goes with it.
  public init(_ transaction: Transaction, receipt: Receipt? = nil, logIndex: UInt64? = nil) {
    self.transaction = transaction
    self.receipt = receipt
    self.logIndex = logIndex
  }
}
