internal import FuekiWallet
public import FoundationEssentials
public import FuekiBackup

/// The wallets' own endpoints that may be queried.
///
/// They came with the wallet: the author of a restored archive or an imported file may have chosen them, and
/// thereby who learns this machine's address, which server in its network is contacted, and in which
/// directory a program is started.
public enum EndpointConsent: Equatable, Sendable {
  /// None, except those also in the configuration.
  case none
  /// Those at these places; see ``place(named:)``.
  case places(Set<String>)
  /// All of them.
  case all

  func allows(kind: String, url: String) -> Bool {
    switch self {
    case .none: false
    case .places(let places): Self.place(kind: kind, url: url).map(places.contains) ?? false
    case .all: true
    }
  }

  /// Parses a place that the user allows: a server such as `https://node.example:8545`, or a directory.
  ///
  /// For `https`, the server's name alone is enough.
  ///
  /// - Returns: the normalised place; nil if the text is invalid or has more than a server.
  public static func place(named text: String) -> String? {
    if let directory = directory(text) { return directory }
    let url = text.contains("://") ? text : "https://\(text)"
    guard let server = server(url), [server, server + "/"].contains(url.lowercased()) else { return nil }
    return server
  }

  /// Returns an endpoint's server, or the data directory of a program; nil if it is ambiguous.
  static func place(kind: String, url: String) -> String? {
    kind == "bark" ? directory(url) : server(url)
  }

  private static func directory(_ text: String) -> String? {
    let scheme = "file://"
    var path = text.hasPrefix(scheme) ? text.dropFirst(scheme.count) : text[...]
    guard path.hasPrefix("/") else { return nil }
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    return String(path)
  }

  /// Only unambiguous URLs: one with a user or unusual characters may lead elsewhere.
  private static func server(_ url: String) -> String? {
    guard url.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else { return nil }
    let server = HTTPRequest(.get, url).server
    for scheme in ["https://", "http://"] where server.hasPrefix(scheme) {
      let host = server.dropFirst(scheme.count)
      guard !host.isEmpty, url.lowercased().hasPrefix(server),
        host.allSatisfy({ $0.isLetter || $0.isNumber || "-._:[]".contains($0) })
      else { return nil }
      return server
    }
    return nil
  }
}

extension ChainSync {
  /// Returns the distinct endpoints of wallets that are not in the configuration.
  ///
  /// - Parameters:
  ///   - ledger: the source of the wallets.
  ///   - ids: the packed ids of the wallets; nil for all.
  ///   - endpoints: those in the configuration.
  ///   - consent: the wallets' own endpoints that may be queried.
  ///   - sources: the supported kinds of sources.
  /// - Returns: the endpoints in the order of the wallets.
  /// - Throws: errors of reading the wallets.
  public static func walletEndpoints(
    _ ledger: any WalletLedger, _ ids: [Data]? = nil, endpoints: [ConfiguredEndpoint] = [],
    consent: EndpointConsent, sources: ChainSources = .all
  ) throws -> [WalletEndpoint] {
    let client = ServerClient(transport: CurlTransport())
    var found: [WalletEndpoint] = []
    var places: [String: Int] = [:]
    for wallet in try ledger.wallets() where ids?.contains(wallet.id) ?? true {
      let ladder = SourceLadder(
        for: wallet, configured: endpoints, consent: consent, sources: sources, client: client)
      for named in ladder.named {
        let key = "\(named.kind) \(named.place)"
        if let place = places[key] {
          if !found[place].wallets.contains(wallet.name) { found[place].wallets.append(wallet.name) }
        } else {
          places[key] = found.count
          found.append(
            WalletEndpoint(
              kind: named.kind, place: named.place, wallets: [wallet.name], isAllowed: named.isAllowed))
        }
      }
    }
    return found
  }
}

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
