internal import FoundationEssentials
internal import FuekiWallet

/// The sources of one wallet in the order of use.
struct SourceLadder: Sendable {
  /// A source.
  struct Rung: Sendable {
    let place: SourcePlace
    let source: any ChainSource
  }

  /// An endpoint of the wallet that is not in the configuration.
  struct Named: Sendable {
    let kind: String
    let place: String
    let isAllowed: Bool
  }

  let rungs: [Rung]
  /// The wallet's own endpoints, allowed or not.
  let named: [Named]

  init(
    for wallet: Wallet, configured: [ConfiguredEndpoint], consent: EndpointConsent, sources: ChainSources,
    client: ServerClient
  ) {
    let credentials = Dictionary(configured.map { ($0.url, $0.credential) }) { first, _ in first }
    // The order is stable: with equal priority, the configured ones come first.
    var endpoints = configured.filter { Self.serves($0, wallet) }
    var named: [Named] = []
    for endpoint in wallet.endpoints where !endpoints.contains(where: { $0.url == endpoint.url }) {
      // The configuration may have it for another chain.
      let isConfigured = configured.contains { $0.url == endpoint.url && $0.kind == endpoint.kind }
      let isAllowed = isConfigured || consent.allows(kind: endpoint.kind, url: endpoint.url)
      if !isConfigured, !Self.leadsNowhere(endpoint.url), sources.kinds.contains(endpoint.kind) {
        let place = Self.place(endpoint.kind, endpoint.url)
        named.append(Named(kind: endpoint.kind, place: place, isAllowed: isAllowed))
      }
      guard isAllowed else { continue }
      endpoints.append(
        ConfiguredEndpoint(
          kind: endpoint.kind, url: endpoint.url, priority: endpoint.priority,
          credential: credentials[endpoint.url] ?? nil))
    }
    self.named = named
    rungs = endpoints.enumerated().sorted {
      ($0.element.priority, $0.offset) < ($1.element.priority, $1.offset)
    }
    .compactMap { _, endpoint in
      guard !Self.leadsNowhere(endpoint.url) else { return nil }
      let connection = Connection(client, url: endpoint.url, credential: endpoint.credential)
      return sources.source(endpoint.kind, connection).map {
        let place = SourcePlace(kind: endpoint.kind, server: Self.place(endpoint.kind, endpoint.url))
        return Rung(place: place, source: $0)
      }
    }
  }

  /// Returns an endpoint's place for people.
  private static func place(_ kind: String, _ url: String) -> String {
    EndpointConsent.place(kind: kind, url: url) ?? HTTPRequest(.get, url).server
  }

  /// Whether a server's name is reserved for examples and can never exist (RFC 6761).
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
  /// Whether the kind supports a family of chains.
  fileprivate func serves(_ family: ChainFamily) -> Bool {
    switch kind {
    case "ethereum-rpc", "etherscan", "blockscout": family == .evm
    default: family != .evm
    }
  }
}
