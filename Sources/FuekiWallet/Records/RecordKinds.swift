/// How a wallet signs.
public enum WalletKind: String, CaseIterable, Sendable {
  /// With a key on the machine.
  case hot
  /// With shares of a key, several at a time.
  case tss
  /// With a key in a device of its own.
  case hardware
  /// Not at all.
  case watchOnly = "watch-only"
}

/// What became of a transaction.
public enum TransactionStatus: String, CaseIterable, Sendable {
  /// Sent, and in no block yet.
  case pending
  /// In a block.
  case confirmed
  /// In a block, without its effect.
  case failed
  /// Given up, or replaced by another.
  case dropped
}

/// What an asset is.
public enum AssetKind: String, CaseIterable, Sendable {
  /// The chain's own coin.
  case native
  /// A token whose units are alike.
  case erc20
  /// A token that is one of a kind.
  case erc721
  /// A token of which there are several.
  case erc1155
}

extension Wallet {
  /// The wallet's kind; nil for a text that this version does not know.
  public var walletKind: WalletKind? { WalletKind(rawValue: kind) }

  /// The family of the wallet's chain.
  public var family: ChainFamily { ChainFamily(chainFamily) }

  /// The hazards that this version knows.
  public var knownHazards: [WalletHazard] { hazards.compactMap(WalletHazard.init) }
}

extension Transaction {
  /// The transaction's status; nil for a text that this version does not know.
  public var transactionStatus: TransactionStatus? { TransactionStatus(rawValue: status) }
}

extension Asset {
  /// The asset's kind; nil for a text that this version does not know.
  public var assetKind: AssetKind? { AssetKind(rawValue: kind) }
}
