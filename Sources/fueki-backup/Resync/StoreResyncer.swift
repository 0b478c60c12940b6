internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync

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
  /// - Parameters:
  ///   - directory: the data directory.
  ///   - configuration: has the endpoints.
  ///   - consent: the wallets' own endpoints that may be asked.
  ///   - console: receives the result.
  ///   - opening: returns the keychain's secrets, if an endpoint's key is in the keychain.
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
