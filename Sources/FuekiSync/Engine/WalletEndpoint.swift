/// An endpoint of wallets that is not in the configuration.
public struct WalletEndpoint: Equatable, Sendable {
  /// The source's kind; see ``ChainSources``.
  public let kind: String
  /// Its server, or the directory of a program's data.
  public let place: String
  /// The names of the wallets with this endpoint.
  public internal(set) var wallets: [String]
  /// Whether it may be queried.
  public let isAllowed: Bool

  /// Creates an endpoint, as another process of this program found it.
  package init(kind: String, place: String, wallets: [String], isAllowed: Bool) {
    (self.kind, self.place, self.wallets, self.isAllowed) = (kind, place, wallets, isAllowed)
  }
}
