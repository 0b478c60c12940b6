/// The numbers of changes of an update.
public struct ChainUpdateCounts: Equatable, Sendable {
  /// Transactions that are new.
  public var added = 0
  /// Transactions of which something is known now that was not, or that came into another block.
  public var updated = 0
  /// Transactions that no block holds any more.
  public var dropped = 0
  /// The number of rows read for this, which grows with the update and not with the store.
  public var rowsRead = 0

  /// No change.
  public init() {}
}
