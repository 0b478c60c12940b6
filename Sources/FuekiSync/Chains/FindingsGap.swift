/// Why a source may not have told everything of a wallet.
public enum FindingsGap: Equatable, Sendable {
  /// The node does not have this block.
  case missingBlock(UInt64)
  /// Some blocks were looked into, and the bound on their number was met at a height below the last.
  case looked(blocks: UInt64, reached: UInt64, of: UInt64)
  /// Blocks were walked one by one, and the bound on their number was met.
  case walked(blocks: UInt64, of: UInt64)
  /// The node no longer tells how some transactions ended.
  case forgotten(transactions: Int)
  /// The node failed on the balances of some tokens.
  case failedTokens(count: Int)
  /// The node has not read all blocks of which it has the headers.
  case lagging(height: UInt64, headers: UInt64)
  /// The node is still reading the chain; so much of it is done, as digits.
  case reading(percent: String)
  /// A resync looks at so many addresses more than were known, and these were all used.
  case addressLimit(Int)
  /// An address has more transactions than the server tells of.
  case longHistory
  /// A new block came each time that the server was asked.
  case movingChain
  /// The program could not bring itself up to date.
  case oldNumbers
}

/// What a person should know of what a source found, beside what may be missing.
public enum FindingsWarning: Equatable, Sendable {
  /// The server does not list coins that contracts sent.
  case innerUnlisted(server: String)
  /// Transfers of several collectibles at once are not listed.
  case bundlesUnlisted
  /// Bark's coins add up to another number than its balance.
  case coinsDiffer(sum: Int128, balance: Int128)
  /// Coins on the network cannot be looked up by this address of the wallet.
  case unusableAddress(String, network: String)
  /// Transactions that the wallet has are later than all blocks that the server knows.
  case laterThanTip(UInt64, transactions: Int)
  /// Transactions of the wallet belong to no address that was looked at.
  case beyondGap(transactions: Int)
  /// Coins of the wallet are older than its birthday.
  case olderThanBirthday
}
