internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem

/// The last stage of a restore.
///
/// Its failures never undo the restore, so none is thrown.
final class StoreResyncer: WalletResyncer {
  /// The endpoints that the restored wallets name themselves.
  private(set) var walletEndpoints: [WalletEndpoint] = []
  private let directory: String
  private let configuration: Configuration
  private let consent: EndpointOptions
  private let console: Console
  private let opening: () throws -> KeychainOpening

  /// The resync of what is restored there.
  ///
  /// `opening` is called if an endpoint's key is in the keychain.
  init(
    _ directory: String, _ configuration: Configuration, _ consent: EndpointOptions, _ console: Console,
    opening: @escaping () throws -> KeychainOpening
  ) {
    self.directory = directory
    self.configuration = configuration
    self.consent = consent
    self.console = console
    self.opening = opening
  }

  func resync() -> ResyncOutcome {
    do {
      return try ask()
    } catch {
      let reason = Failure(describing: error).message
      Self.warn(reason, console)
      return .incomplete(wallets: 0, problems: [reason])
    }
  }

  static func warn(_ reason: String, _ console: Console) {
    console.warning("not asked: \(reason). Run fueki-backup resync later")
  }

  private func ask() throws -> ResyncOutcome {
    let store = try WalletStore.open(directory)
    defer { try? store.close() }
    let keys = EndpointKeychain(directory, opening: opening)
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

/// A resyncer that lists the endpoints of the wallets.
protocol WalletResyncer: Resyncer {
  /// The endpoints that the restored wallets name themselves.
  var walletEndpoints: [WalletEndpoint] { get }
}

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

/// Work that waits for servers, for a command that waits for it.
enum AsyncWork {
  private final class Outcome<Value: Sendable>: Sendable {
    let result = Locked<Result<Value, any Error>?>(nil)
  }

  /// Runs work to its end.
  ///
  /// A request to stop the program cancels it.
  ///
  /// - Throws: errors from the work, and ``Interrupted``.
  static func run<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let outcome = Outcome<Value>()
    let task = Task.detached {
      let result: Result<Value, any Error>
      do { result = .success(try await body()) } catch { result = .failure(error) }
      outcome.result.withLock { $0 = result }
    }
    while true {
      if let result = outcome.result.withLock({ $0 }) {
        if Interruption.wasRequested { throw Interrupted() }
        return try result.get()
      }
      if Interruption.wasRequested {
        task.cancel()
        // Work that ignores the cancellation ends with the process.
        guard Interruption.age < Interruption.childGrace else { throw Interrupted() }
      }
      // This thread may sleep, because the work runs on others.
      SystemClock.sleep(seconds: 0.01)
    }
  }

  /// Waits, but no longer than until a requested stop.
  static func pause(seconds: Double) throws {
    let end = SystemClock.monotonicSeconds + seconds
    repeat {
      if Interruption.wasRequested { throw Interrupted() }
      SystemClock.sleep(seconds: min(0.2, max(0.01, end - SystemClock.monotonicSeconds)))
    } while SystemClock.monotonicSeconds < end
  }
}
