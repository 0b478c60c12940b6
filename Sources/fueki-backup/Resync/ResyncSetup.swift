internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync

/// The configured setup of a resync.
struct ResyncSetup {
  private let endpoints: [ConfiguredEndpoint]
  private let prices: [PriceSource]
  private let consent: EndpointConsent

  /// - Throws: errors from a credential's source: the keychain, a file or a command.
  init(
    _ configuration: Configuration, _ consent: EndpointConsent, _ keychain: EndpointKeychain,
    _ console: Console
  ) throws {
    self.consent = consent
    endpoints = try configuration.endpoints.map { try $0.endpoint(console, keychain) }
    prices = try configuration.prices.map { try $0.price(console, keychain) }
  }

  func sync(_ store: WalletStore, _ settings: ChainSync.Settings = ChainSync.Settings()) -> ChainSync {
    var settings = settings
    settings.consent = consent
    return ChainSync(
      StoreLedger(store), client: ServerClient(transport: CurlTransport()), endpoints: endpoints,
      prices: prices, settings: settings)
  }

  /// Whether any wallet has a source to ask.
  func hasSource(_ store: WalletStore) throws -> Bool {
    try ChainSync.hasSource(StoreLedger(store), endpoints: endpoints, consent: consent)
  }

  /// The endpoints that wallets name themselves: all wallets, or those with these ids.
  func walletEndpoints(_ store: WalletStore, _ ids: [Data]? = nil) throws -> [WalletEndpoint] {
    try ChainSync.walletEndpoints(StoreLedger(store), ids, endpoints: endpoints, consent: consent)
  }
}
