public import FoundationEssentials
public import FuekiWallet

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
