internal import ArgumentParser
internal import FoundationEssentials
internal import FuekiBackup
internal import FuekiStore
internal import FuekiSync
internal import FuekiSystem
internal import FuekiWallet

/// `resync`: balances and history from the chains.
struct ResyncCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "resync", abstract: "Bring balances and history up to date from the blockchains.",
    discussion: "Exit status: 0 all wallets are up to date; 50 some are not. See fueki-backup-resync(1).")

  @OptionGroup var settings: ConfigurationOptions
  @OptionGroup var data: DataOptions
  @OptionGroup var keychain: KeychainSecretOptions
  @Option(help: ArgumentHelp("Only this wallet, by its id or name. May be repeated.", valueName: "id"))
  var wallet: [String] = []
  @Option(
    help: ArgumentHelp("Where to take answers from.", valueName: "policy"),
    completion: .list(CachePolicy.allCases.map(\.rawValue)))
  var policy: PolicyArgument?
  @Option(
    help: ArgumentHelp("Read the chain from this height, or from \"birthday\".", valueName: "height"))
  var from: StartArgument?
  @OptionGroup var accepted: ConsentOptions<ResyncConsents>
  @Flag(help: "Run until stopped.")
  var watch = false
  @Option(
    help: ArgumentHelp(
      "With --watch, how long to wait between rounds: 30s, 5m.", valueName: "duration", visibility: .more))
  var interval: DurationArgument?
  @Option(
    help: ArgumentHelp(
      "Keep counts and durations in this file, as Prometheus reads them.", valueName: "file",
      visibility: .more),
    completion: .file()
  )
  var metricsFile: String?
  @OptionGroup var output: OutputOptions

  func validate() throws {
    if watch, output.json {
      throw ValidationError("--watch has no end, so it cannot print one JSON document")
    }
    if let interval, interval.seconds < 1 { throw ValidationError("--interval is at least 1s") }
  }

  func run() throws {
    let console = output.console
    let configuration = try settings.load()
    let directory = try data.path(configuration)
    let store = try WalletStore.open(directory)
    defer { try? store.close() }
    let ids = try chosen(store)
    let policy = policy?.policy ?? .networkFirst
    var way = ChainSync.Settings()
    way.policy = policy
    if let from { way.start = from.start }
    let keys = EndpointKeychain(directory) { try keychain.opening(console, try configuration.vault()) }
    let setup = try ResyncSetup(
      configuration, EndpointOptions(accepted.consents).consent(configuration), keys, console)
    let named = policy == .cacheOnly ? [] : try setup.walletEndpoints(store, ids)
    EndpointLines(console).print(named)
    let sync = setup.sync(store, way)
    while true {
      let started = SystemClock.monotonicSeconds
      let report = try AsyncWork.run {
        try await sync.resync(ids) { outcome in
          if case .stale = outcome.state, policy == .cacheAndNetwork { ResyncLines(console).print(outcome) }
        }
      }
      if let metricsFile { try OutputFile.update(sync.metrics.text, at: metricsFile) }
      if output.json { Document.write(ResyncDocument(report, policy, named)) }
      ResyncLines(console).print(report)
      guard watch else {
        guard report.isComplete else { throw ExitStatus.resyncIncomplete }
        return
      }
      try AsyncWork.pause(seconds: (interval?.seconds ?? 60) - (SystemClock.monotonicSeconds - started))
    }
  }

  /// The ids of the wallets that are meant; nil for all.
  private func chosen(_ store: WalletStore) throws -> [Data]? {
    guard !wallet.isEmpty else { return nil }
    let wallets = try store.wallets.all()
    return try wallet.flatMap { name in
      let found = wallets.filter { PackedText.text($0.id) == name || $0.name == name }
      guard !found.isEmpty else {
        throw Failure(
          .notFound, "there is no wallet \"\(name)\"",
          hint: "the wallets are " + wallets.map { "\"\($0.name)\"" }.joined(separator: ", "))
      }
      return found.map(\.id)
    }
  }
}

/// A policy by its name.
struct PolicyArgument: ExpressibleByArgument {
  static var allValueStrings: [String] { CachePolicy.allCases.map(\.rawValue) }

  let policy: CachePolicy

  init?(argument: String) {
    guard let policy = CachePolicy(rawValue: argument) else { return nil }
    self.policy = policy
  }
}

/// A height, or `birthday`.
struct StartArgument: ExpressibleByArgument {
  static var defaultCompletionKind: CompletionKind { .list(["birthday"]) }

  let start: SyncStart

  init?(argument: String) {
    if argument == "birthday" {
      start = .birthday
    } else if let height = UInt64(argument) {
      start = .height(height)
    } else {
      return nil
    }
  }
}
