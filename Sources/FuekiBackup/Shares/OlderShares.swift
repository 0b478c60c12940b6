/// Key shares that newer ones of the same key have replaced.
///
/// A refresh creates a new share for every party, and the new shares cannot sign together with an old one.
public struct OlderShares: Hashable, Sendable {
  /// The key's public key, compressed; empty if the shares state only their wallet.
  public let groupKey: [UInt8]
  /// The older shares.
  public let shares: [ShareName]
  /// The highest epoch that the older shares have.
  public let epoch: UInt64
  /// The epoch of the shares that replaced them.
  public let newest: UInt64
}
