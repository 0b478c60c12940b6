package import FuekiWallet

/// The supported kinds of sources for wallets' endpoints.
///
/// This is the only table of them.
public struct ChainSources: Sendable {
  /// Creates a source for a server.
  package typealias Maker = @Sendable (Connection) -> any ChainSource

  private let makers: [String: Maker]

  /// Creates a table for tests.
  package init(_ makers: [String: Maker]) { self.makers = makers }

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

/// A kind of server or program that reports a wallet's data on a chain.
///
/// A conformer is one file for one API, and one line in ``ChainSources``. It queries without interpreting:
/// the consequences of findings for the store are the same for all sources.
package protocol ChainSource: Sendable {
  /// Returns all of a wallet's data on the chain from a height on.
  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings
}

/// A request to a source.
package struct WalletQuery: Sendable {
  /// The stored wallet: its chain, addresses or descriptors, accounts, key indices and gap limit.
  package var wallet: Wallet
  /// Its stored assets, whose token contracts are queried individually.
  package var assets: [Asset]
  /// The first height to check: min(birthday, last synced) minus the reorganisation margin; 0 for all.
  package var startHeight: UInt64
  /// The wallet's stored transactions that are pending, or at or above ``startHeight``.
  ///
  /// A source without a history of its own looks each up by its hash.
  package var open: [Transaction]

  /// Creates a query.
  package init(wallet: Wallet, assets: [Asset], startHeight: UInt64, open: [Transaction]) {
    self.wallet = wallet
    self.assets = assets
    self.startHeight = startHeight
    self.open = open
  }
}

/// A source's connection to its server.
public struct Connection: Sendable {
  /// The client shared by all sources of a run.
  package let client: ServerClient
  /// The server's URL, or the data directory of a program.
  package let url: String
  /// The credential.
  package let credential: EndpointCredential?

  /// Creates a connection.
  public init(_ client: ServerClient, url: String, credential: EndpointCredential? = nil) {
    self.client = client
    self.url = url
    self.credential = credential
  }

  /// The server's JSON-RPC methods.
  package var rpc: JSONRPC { JSONRPC(client, url: url, credential: credential) }
}

/// A server in the configuration.
public struct ConfiguredEndpoint: Sendable {
  /// The source's kind; see ``ChainSources``.
  package var kind: String
  /// The chain, such as "1" or "bitcoin"; nil for all chains of the kind.
  package var chain: String?
  /// The server's URL.
  package var url: String
  /// The priority, lowest first.
  ///
  /// A wallet's own endpoints precede those with the same number.
  package var priority: Int32
  /// The credential.
  ///
  /// It is also used for a wallet's endpoint with the same URL.
  package var credential: EndpointCredential?

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
