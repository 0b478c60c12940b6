public import FoundationEssentials
public import FuekiBackup
internal import FuekiWallet

/// Which of the endpoints that wallets name themselves may be asked.
///
/// They came with the wallet: whoever wrote the archive that was restored, or the file that was imported, may have
/// chosen them, and with them who learns this machine's address, which server within its network is reached, and in
/// which directory a program is started.
public enum EndpointConsent: Equatable, Sendable {
  /// None but those that the configuration has as well.
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

  /// What a person allows by a text: a server such as `https://node.example:8545`, for `https` its name alone, or a
  /// directory.
  ///
  /// - Returns: the place as it is compared; nil where the text is none, or says more than a server.
  public static func place(named text: String) -> String? {
    if let directory = directory(text) { return directory }
    let url = text.contains("://") ? text : "https://\(text)"
    guard let server = server(url), [server, server + "/"].contains(url.lowercased()) else { return nil }
    return server
  }

  /// Where an endpoint is: its server, or the directory of a program's data; nil where that cannot be told for sure.
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

  /// Only what everybody reads in the same way: a URL with a user or with odd characters may lead elsewhere.
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

/// An endpoint that wallets name and the configuration does not.
public struct WalletEndpoint: Equatable, Sendable {
  /// The source's kind; see ``ChainSources``.
  public let kind: String
  /// Its server, or the directory of a program's data.
  public let place: String
  /// The names of the wallets that name it.
  public internal(set) var wallets: [String]
  /// Whether it may be asked.
  public let isAllowed: Bool
}

extension ChainSync {
  /// The endpoints that wallets name and the configuration does not, each once.
  ///
  /// - Parameters:
  ///   - ledger: where the wallets are.
  ///   - ids: the packed ids of the wallets that are meant; nil for all.
  ///   - endpoints: those of the configuration.
  ///   - consent: which of the wallets' own may be asked.
  ///   - sources: the kinds of sources that there are.
  /// - Returns: them in the order of the wallets.
  /// - Throws: what reading the wallets throws.
  public static func walletEndpoints(
    _ ledger: any WalletLedger, _ ids: [Data]? = nil, endpoints: [ConfiguredEndpoint] = [],
    consent: EndpointConsent, sources: ChainSources = .all
  ) throws -> [WalletEndpoint] {
    let client = ServerClient(transport: URLSessionTransport())
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
