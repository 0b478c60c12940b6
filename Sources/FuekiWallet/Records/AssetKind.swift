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
