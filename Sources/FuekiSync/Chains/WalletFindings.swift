public import FuekiWallet

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
  var listsInner = false
  /// Warnings for the user, such as outdated numbers.
  public var warnings: [FindingsWarning] = []

  /// Creates empty findings.
  public init(tip: Checkpoint) { self.tip = tip }
}
