internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync

/// What a resync asks with, as the configuration says.
struct ResyncSetup {
  private let endpoints: [ConfiguredEndpoint]
  private let prices: [PriceSource]

  /// - Throws: What a credential's place throws: the keychain, a file or a command.
  init(_ configuration: Configuration, _ keychain: EndpointKeychain, _ console: Console) throws {
    endpoints = try configuration.endpoints.map { try $0.endpoint(console, keychain) }
    prices = try configuration.prices.map { try $0.price(console, keychain) }
  }

  func sync(_ store: WalletStore, _ settings: ChainSync.Settings = ChainSync.Settings()) -> ChainSync {
    ChainSync(
      StoreLedger(store), client: ServerClient(transport: URLSessionTransport()), endpoints: endpoints,
      prices: prices, settings: settings)
  }

  /// Whether any wallet has a source to ask.
  func hasSource(_ store: WalletStore) throws -> Bool {
    try ChainSync.hasSource(StoreLedger(store), endpoints: endpoints)
  }
}

/// The last stage of a restore.
///
/// What is restored stays restored whatever comes of it, so no failure is thrown.
struct StoreResyncer: Resyncer {
  private let directory: String
  private let configuration: Configuration
  private let keychain: KeychainSecretOptions
  private let console: Console

  /// The resync of what is restored there; the keychain's secret is used where an endpoint's key is in it.
  init(
    _ directory: String, _ configuration: Configuration, _ keychain: KeychainSecretOptions,
    _ console: Console
  ) {
    self.directory = directory
    self.configuration = configuration
    self.keychain = keychain
    self.console = console
  }

  func resync() -> ResyncOutcome {
    do {
      return try ask()
    } catch {
      let reason = Failure(describing: error).message
      console.warning("not asked: \(reason); fueki-backup resync does it later")
      return .incomplete(wallets: 0, problems: [reason])
    }
  }

  private func ask() throws -> ResyncOutcome {
    let store = try WalletStore.open(directory)
    defer { try? store.close() }
    let keys = EndpointKeychain(directory) {
      try keychain.opening(console, try configuration.vault())
    }
    let setup = try ResyncSetup(configuration, keys, console)
    guard try setup.hasSource(store) else { return .notRun(reason: "no wallet has an endpoint to ask") }
    let sync = setup.sync(store)
    let report = try AsyncWork.run { try await sync.resync() }
    ResyncLines(console).print(report)
    return report.outcome
  }
}
