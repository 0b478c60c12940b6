internal import FoundationEssentials

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

/// A server in the configuration.
public struct ConfiguredEndpoint: Sendable {
  /// The source's kind; see ``ChainSources``.
  public var kind: String
  /// The chain, such as "1" or "bitcoin"; nil for all chains of the kind.
  public var chain: String?
  /// The server's URL.
  public var url: String
  /// The priority, lowest first.
  ///
  /// A wallet's own endpoints precede those with the same number.
  public var priority: Int32
  /// The credential.
  ///
  /// It is also used for a wallet's endpoint with the same URL.
  public var credential: EndpointCredential?

  /// Creates an endpoint.
  public init(
    kind: String, chain: String? = nil, url: String, priority: Int32 = 0,
    credential: EndpointCredential? = nil
  ) {
    self.kind = kind
    self.chain = chain
    self.url = url
    self.priority = priority
    self.credential = credential
  }
}
