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
