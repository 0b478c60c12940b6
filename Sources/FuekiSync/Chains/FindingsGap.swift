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
