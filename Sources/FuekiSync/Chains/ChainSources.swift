/// The supported kinds of sources for wallets' endpoints.
///
/// This is the only table of them.
public struct ChainSources: Sendable {
  /// Creates a source for a server.
  public typealias Maker = @Sendable (Connection) -> any ChainSource

  private let makers: [String: Maker]

  /// Creates a table for tests.
  public init(_ makers: [String: Maker]) { self.makers = makers }

  /// All supported kinds.
  public static let all = ChainSources([
    "ethereum-rpc": { EthereumRPC($0) },
    "etherscan": { AccountAPI($0) },
    "blockscout": { AccountAPI($0) },
    "esplora": { EsploraSource($0.client, url: $0.url, credential: $0.credential) },
    "bitcoin-rpc": { BitcoinCoreSource($0.client, url: $0.url, credential: $0.credential) },
    "bark": { BarkSource(directory: $0.url) },
  ])

  /// The kinds' names.
  public var kinds: [String] { makers.keys.sorted() }

  func source(_ kind: String, _ connection: Connection) -> (any ChainSource)? { makers[kind]?(connection) }
}
