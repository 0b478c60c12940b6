internal import FoundationEssentials

extension RecordKind {
  /// The wallets' assets.
  static let asset = RecordKind(
    .assets, "assets", .record(Asset.self), in: .wallets, belongingTo: .wallet(field: 2),
    [
      .always(1, "id", .packed), .always(2, "wallet_id", .packed, in: .parent(.wallets, name: "wallet")),
      .always(3, "kind", .text), .always(4, "contract", .packed), .always(5, "symbol", .text),
      .always(6, "name", .text), .optional(7, "decimals", .unsigned32), .optional(8, "balance", .text),
      .always(9, "token_id", .text), .optional(10, "first_seen_block", .unsigned64),
      .optional(11, "created_at", .time), .optional(12, "updated_at", .time),
    ])
}

extension Asset: SectionRecord {
  /// Section 3.
  public static var kind: RecordKind { .asset }
  /// The time of its last change, else of its creation.
  public var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  /// Its wallet with its contract and token or, without a contract, its kind and symbol.
  public var naturalKey: NaturalKey? {
    guard !walletID.isEmpty, !contract.isEmpty || !kind.isEmpty || !symbol.isEmpty else { return nil }
    let what = contract.isEmpty ? [kind, symbol] : []
    return NaturalKey(
      parts: [walletID, NaturalKey.caseless(contract), Data(tokenID.utf8)] + what.map { Data($0.utf8) })
  }
}

extension Asset {
  /// The asset's kind; nil if unknown to this version.
  public var assetKind: AssetKind? { AssetKind(rawValue: kind) }
}

/// The kinds of assets.
public enum AssetKind: String, CaseIterable, Sendable {
  /// The chain's own coin.
  case native
  /// A fungible token.
  case erc20
  /// A non-fungible token.
  case erc721
  /// A token of a contract with several, each in any quantity.
  case erc1155
}
