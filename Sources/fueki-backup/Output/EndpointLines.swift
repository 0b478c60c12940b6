internal import FuekiSync

/// Endpoints that wallets name themselves, as lines and in documents.
struct EndpointLines {
  private static let most = 20
  let console: Console

  init(_ console: Console) { self.console = console }

  /// Lists the endpoints that are not used, and how to allow them.
  func print(_ endpoints: [WalletEndpoint]) {
    let withheld = endpoints.filter { !$0.isAllowed }
    guard !withheld.isEmpty else { return }
    for endpoint in withheld.prefix(Self.most) {
      let wallets = endpoint.wallets.prefix(3).map { "\"\($0)\"" }.joined(separator: ", ")
      let more = endpoint.wallets.count > 3 ? " and others" : ""
      console.note("not asked: \(endpoint.kind) at \(endpoint.place), which \(wallets)\(more) names")
    }
    if withheld.count > Self.most { console.note("not asked: \(withheld.count - Self.most) more") }
    let place = withheld.map(\.place).first { EndpointConsent.place(named: $0) != nil }
    let example = place.map { ", such as [\(ConfigDocument.Value.quoted($0))]," } ?? ""
    console.note(
      "  the archive's maker may have chosen them. To allow some, list them\(example) as archive_endpoints in the "
        + "[[vault]] of config.toml. To allow all of them this once, pass --accept archive-endpoints")
  }
}

/// One of them in a JSON document.
struct WalletEndpointDocument: Encodable {
  let kind: String
  let place: String
  let wallets: [String]
  let allowed: Bool

  init(_ endpoint: WalletEndpoint) {
    kind = endpoint.kind
    place = endpoint.place
    wallets = endpoint.wallets
    allowed = endpoint.isAllowed
  }
}
