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
      StoreLedger(store), client: ServerClient(transport: URLSessionTransport()), endpoints: endpoints,
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

/// The last stage of a restore.
///
/// Its failures never undo the restore, so none is thrown.
final class StoreResyncer: Resyncer {
  /// The endpoints that the restored wallets name themselves.
  private(set) var walletEndpoints: [WalletEndpoint] = []
  private let directory: String
  private let configuration: Configuration
  private let consent: EndpointOptions
  private let keychain: KeychainSecretOptions
  private let console: Console

  /// The resync of what is restored there; the keychain's secret is used where an endpoint's key is in it.
  init(
    _ directory: String, _ configuration: Configuration, _ consent: EndpointOptions,
    _ keychain: KeychainSecretOptions, _ console: Console
  ) {
    self.directory = directory
    self.configuration = configuration
    self.consent = consent
    self.keychain = keychain
    self.console = console
  }

  func resync() -> ResyncOutcome {
    do {
      return try ask()
    } catch {
      let reason = Failure(describing: error).message
      console.warning("not asked: \(reason); run fueki-backup resync later")
      return .incomplete(wallets: 0, problems: [reason])
    }
  }

  private func ask() throws -> ResyncOutcome {
    let store = try WalletStore.open(directory)
    defer { try? store.close() }
    let keys = EndpointKeychain(directory) { [keychain, console, configuration] in
      try keychain.opening(console, try configuration.vault())
    }
    let setup = try ResyncSetup(configuration, consent.consent(configuration), keys, console)
    walletEndpoints = try setup.walletEndpoints(store)
    EndpointLines(console).print(walletEndpoints)
    guard try setup.hasSource(store) else {
      return .notRun(
        reason: walletEndpoints.isEmpty
          ? "no wallet has an endpoint to ask" : "the endpoints that the archive names need your permission")
    }
    let sync = setup.sync(store)
    let report = try AsyncWork.run { try await sync.resync() }
    ResyncLines(console).print(report)
    return report.outcome
  }
}
