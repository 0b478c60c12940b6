internal import FoundationEssentials
internal import FuekiWallet

/// The sources of one wallet, the first to be asked first.
struct SourceLadder: Sendable {
  /// One source.
  struct Rung: Sendable {
    let kind: String
    let server: String
    let source: any ChainSource
  }

  let rungs: [Rung]

  init(
    for wallet: Wallet, configured: [ConfiguredEndpoint], sources: ChainSources, client: ServerClient
  ) {
    let credentials = Dictionary(configured.map { ($0.url, $0.credential) }) { first, _ in first }
    // The order is stable: of the same number, those that this machine's person named come first.
    var endpoints = configured.filter { Self.serves($0, wallet) }
    for endpoint in wallet.endpoints where !endpoints.contains(where: { $0.url == endpoint.url }) {
      endpoints.append(
        ConfiguredEndpoint(
          kind: endpoint.kind, url: endpoint.url, priority: endpoint.priority,
          credential: credentials[endpoint.url] ?? nil))
    }
    rungs = endpoints.enumerated().sorted {
      ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
    }
    .compactMap { _, endpoint in
      guard !Self.leadsNowhere(endpoint.url) else { return nil }
      let connection = Connection(client, url: endpoint.url, credential: endpoint.credential)
      return sources.source(endpoint.kind, connection).map {
        Rung(kind: endpoint.kind, server: HTTPRequest(.get, endpoint.url).server, source: $0)
      }
    }
  }

  /// Whether a server's name is one that no server can ever have: those of examples (RFC 6761).
  private static func leadsNowhere(_ url: String) -> Bool {
    let host = HTTPRequest(.get, url).server.split(separator: "/").last?.prefix { $0 != ":" } ?? ""
    let names = ["example", "example.com", "example.net", "example.org", "invalid"]
    return names.contains { host == $0 || host.hasSuffix(".\($0)") }
  }

  private static func serves(_ endpoint: ConfiguredEndpoint, _ wallet: Wallet) -> Bool {
    guard let chain = endpoint.chain else { return endpoint.serves(wallet.family) }
    return chain == wallet.chainID || chain == wallet.network
  }
}

extension ConfiguredEndpoint {
  /// Whether the kind is for a family of chains.
  fileprivate func serves(_ family: ChainFamily) -> Bool {
    switch kind {
    case "ethereum-rpc", "etherscan", "blockscout": family == .evm
    default: family != .evm
    }
  }
}
