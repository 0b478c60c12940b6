package import FoundationEssentials
package import FuekiWallet

/// The findings of a source.
///
/// Transactions have no id yet: the store derives it from chain and hash (and log index).
package struct WalletFindings: Sendable {
  /// The chain's newest block according to this source.
  package var tip: Checkpoint
  /// The wallet's own balance in its chain's smallest unit, as decimal text; nil if unknown to the source.
  package var balance: String?
  /// An account chain's next nonce.
  package var nonce: UInt64?
  /// Balances of tokens and collectibles, by contract.
  package var assets: [Asset] = []
  /// Transactions and token transfers, each with its hash, status and, if confirmed, its height.
  package var transactions: [FoundTransaction] = []
  /// Key indices found in use, by keychain.
  package var keychains: [KeychainIndex] = []
  /// Why something may be missing; nil if everything was checked.
  package var partial: FindingsGap?
  /// The last completely checked block of a source that stopped at a limit.
  ///
  /// The next resync continues from there. If nil, it is ``tip``, or unknown for partial findings.
  package var reached: Checkpoint?
  /// Whether confirmed transactions of ``WalletQuery/open`` that are not among these no longer exist.
  ///
  /// True if the source lists the wallet's history. False if it looked each one up and reports removed ones
  /// itself.
  package var listsHistory = true
  /// Whether the history includes internal transfers by contracts.
  var listsInner = false
  /// Warnings for the user, such as outdated numbers.
  package var warnings: [FindingsWarning] = []

  /// Creates empty findings.
  package init(tip: Checkpoint) { self.tip = tip }
}

/// A transaction found by a source.
package struct FoundTransaction: Sendable {
  /// The record, without an id.
  package var transaction: Transaction
  /// Its receipt, without ids; nil if the source has none.
  package var receipt: Receipt?
  /// The index of a token transfer's log in its block; nil for the chain's own coin, or if not reported.
  package var logIndex: UInt64?
  /// For a token transfer, the token's contract, packed; nil for the chain's own coin.
  package var contract: Data?
  /// A non-fungible token's id, in decimal.
  package var tokenID: String?
  /// The internal call that sent the coins: a path such as "0_1", or "#" and a number.
  ///
  /// Empty if the source reports neither; nil for anything else.
  package var trace: String?

  /// Creates a found transaction.
  package init(_ transaction: Transaction, receipt: Receipt? = nil, logIndex: UInt64? = nil) {
    self.transaction = transaction
    self.receipt = receipt
    self.logIndex = logIndex
  }
}

/// Why a source's findings may be incomplete.
public enum FindingsGap: Equatable, Sendable {
  /// The node does not have this block.
  case missingBlock(UInt64)
  /// The limit of searched blocks was reached, below the last height.
  case looked(blocks: UInt64, reached: UInt64, of: UInt64)
  /// Blocks were read one by one, up to the limit.
  case walked(blocks: UInt64, of: UInt64)
  /// The node no longer knows the outcome of some transactions.
  case forgotten(transactions: Int)
  /// The node failed for the balances of some tokens.
  case failedTokens(count: Int)
  /// The node has headers of blocks that it has not processed.
  case lagging(height: UInt64, headers: UInt64)
  /// The node is still scanning the chain, with this progress in digits.
  case reading(percent: String)
  /// All of the additional addresses that one resync checks were used.
  case addressLimit(Int)
  /// An address has more transactions than the server returns.
  case longHistory
  /// A new block arrived during every attempt.
  case movingChain
  /// The program could not update itself.
  case oldNumbers
}

/// A warning about a source's findings, other than incompleteness.
public enum FindingsWarning: Equatable, Sendable {
  /// The server does not list internal transfers of coins by contracts.
  case innerUnlisted(server: String)
  /// Transfers of several collectibles at once are not listed.
  case bundlesUnlisted
  /// The sum of bark's coins differs from its balance.
  case coinsDiffer(sum: Int128, balance: Int128)
  /// This address of the wallet cannot be queried on the network.
  case unusableAddress(String, network: String)
  /// Stored transactions are later than all blocks known to the server.
  case laterThanTip(UInt64, transactions: Int)
  /// Transactions of the wallet belong to no checked address.
  case beyondGap(transactions: Int)
  /// Coins of the wallet are older than its birthday.
  case olderThanBirthday
}
