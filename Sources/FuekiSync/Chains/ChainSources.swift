internal import FoundationEssentials

/// The kinds of sources: the one table of what a wallet's endpoints can be.
public struct ChainSources: Sendable {
  /// Makes a source of a way to its server.
  public typealias Maker = @Sendable (Connection) -> any ChainSource

  private let makers: [String: Maker]

  /// A table of a test's own.
  public init(_ makers: [String: Maker]) { self.makers = makers }

  /// Every kind that this program speaks.
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

/// A server that the configuration names.
public struct ConfiguredEndpoint: Sendable {
  /// The source's kind; see ``ChainSources``.
  public var kind: String
  /// The chain, such as "1" or "bitcoin"; nil for all that the kind is for.
  public var chain: String?
  /// Where the server is.
  public var url: String
  /// The lowest is asked first; the wallet's own come before those of the same number.
  public var priority: Int32
  /// Who asks; it also goes to an endpoint of the wallet with the same URL.
  public var credential: EndpointCredential?

  /// A server.
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
