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
      if output.json {
        Document.write([
          "schema": "fueki.resync/1",
          "policy": policy.rawValue,
          "complete": report.isComplete,
          "wallets": report.wallets.map(\.document),
          "prices": report.prices.map {
            [
              "asset": $0.asset, "currency": $0.currency, "price": $0.price, "ageSeconds": $0.age,
              "problem": $0.problem?.sentence,
            ] as Members
          },
          "archiveEndpoints": named.map(\.document),
        ])
      }
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
    let wallets = try store.wallets.fetch()
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

extension WalletOutcome {
  fileprivate var document: Members {
    let (state, age): (String, Double?) =
      switch self.state {
      case .fresh: ("fresh", nil)
      case .stale(let seconds): ("stale", seconds)
      case .failed: ("failed", nil)
      }
    return [
      "id": id,
      "name": name,
      "chain": chain,
      "state": state,
      "ageSeconds": age,
      "complete": isComplete,
      "source": source?.name,
      "balance": balance,
      "height": height,
      "added": counts.added,
      "updated": counts.updated,
      "dropped": counts.dropped,
      "problems": problems.map(\.sentence),
      "warnings": warnings.map(\.sentence),
    ]
  }
}

/// The results of a resync, for display.
struct ResyncLines {
  let console: Console

  init(_ console: Console) { self.console = console }

  func print(_ report: ResyncReport) {
    for wallet in report.wallets { print(wallet) }
    for price in report.prices {
      if let value = price.price {
        let age = price.age.map { ", \(Readable.age(Int64($0))) old" } ?? ""
        console.report("\(price.asset): \(value) \(price.currency)\(age)")
      }
      if let problem = price.problem { console.warning("price of \(price.asset): \(problem.sentence)") }
    }
  }

  func print(_ wallet: WalletOutcome) {
    var parts = [wallet.balance.map { "balance \($0)" }, wallet.height.map { "block \($0)" }].compactMap {
      $0
    }
    switch wallet.state {
    case .fresh:
      parts.append("\(wallet.counts.added) new")
      if wallet.counts.updated > 0 { parts.append("\(wallet.counts.updated) changed") }
      if wallet.counts.dropped > 0 { parts.append("\(wallet.counts.dropped) dropped") }
      // The archive's author may have chosen the server.
      if let source = wallet.source { parts.append("says \(source.name)") }
    case .stale(let seconds): parts.append("NOT NEW: as known \(Readable.age(Int64(seconds))) ago")
    case .failed: parts = ["nothing is known"]
    }
    console.report("\(wallet.name) (\(wallet.chain)): \(parts.joined(separator: ", "))")
    for problem in wallet.problems { console.warning("\(wallet.name): \(problem.sentence)") }
    for warning in wallet.warnings { console.note("  \(wallet.name): \(warning.sentence)") }
  }
}

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

extension WalletEndpoint {
  /// The endpoint in JSON.
  var document: Members { ["kind": kind, "place": place, "wallets": wallets, "allowed": isAllowed] }
}
