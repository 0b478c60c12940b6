internal import FuekiCrypto
internal import FuekiWallet
public import FoundationEssentials
public import FuekiBackup

/// Synchronises wallets with their chains, independently and several at a time.
///
/// A wallet whose sources fail keeps its known state and does not affect the others.
public final class ChainSync: Sendable {
  /// The settings of a resync.
  public struct Settings: Sendable {
    /// The sources of answers and their order.
    public var policy = CachePolicy.networkFirst
    /// The starting point.
    public var start = SyncStart.lastSynced
    /// The wallets' own endpoints that may be queried.
    public var consent = EndpointConsent.none
    /// The number of wallets to query concurrently.
    var width = 8
    /// The number of answers kept in memory.
    package var limit = 256

    /// Creates the default settings.
    public init() {}
  }

  private let ledger: any WalletLedger
  private let client: ServerClient
  private let sources: ChainSources
  private let endpoints: [ConfiguredEndpoint]
  private let prices: [PriceSource]
  private let settings: Settings
  private let now: @Sendable () -> Double
  private let cache: Cache

  /// Creates a resync of a ledger.
  ///
  /// - Parameters:
  ///   - ledger: the wallets' source and the findings' destination.
  ///   - client: the client for requests.
  ///   - endpoints: configured servers, in addition to the wallets' own.
  ///   - prices: the sources of prices.
  ///   - sources: the supported kinds of sources.
  ///   - settings: the settings.
  ///   - now: returns seconds since 1970.
  public init(
    _ ledger: any WalletLedger, client: ServerClient, endpoints: [ConfiguredEndpoint] = [],
    prices: [PriceSource] = [], sources: ChainSources = .all, settings: Settings = Settings(),
    now: @escaping @Sendable () -> Double = Pace.system.now
  ) {
    self.ledger = ledger
    self.client = client
    self.endpoints = endpoints
    self.prices = prices
    self.sources = sources
    self.settings = settings
    self.now = now
    // The second level is the store.
    cache = Cache(folder: nil, memory: settings.limit, now: now)
  }

  /// The counts and durations so far.
  public var metrics: SyncMetrics { client.metrics }

  /// The number of wallets that wait for their chain, counted once for each concurrent resync.
  package var waiting: Int { get async { await cache.waiting } }

  /// Whether any wallet has a server that may be queried.
  ///
  /// - Throws: errors of reading the wallets.
  public static func hasSource(
    _ ledger: any WalletLedger, endpoints: [ConfiguredEndpoint] = [], consent: EndpointConsent = .none,
    sources: ChainSources = .all
  ) throws -> Bool {
    let client = ServerClient(transport: CurlTransport())
    return try ledger.wallets().contains {
      !SourceLadder(for: $0, configured: endpoints, consent: consent, sources: sources, client: client)
        .rungs.isEmpty
    }
  }

  /// Resyncs wallets.
  ///
  /// - Parameters:
  ///   - ids: packed ids; nil for all wallets. Unknown ids are ignored.
  ///   - progress: receives each wallet's outcome and, with ``CachePolicy/cacheAndNetwork``, first the known
  ///     state.
  /// - Returns: the outcome of every wallet, in the ledger's order.
  /// - Throws: errors of reading the wallets, never of a chain.
  public func resync(
    _ ids: [Data]? = nil, progress: @escaping @Sendable (WalletOutcome) -> Void = { _ in }
  ) async throws -> ResyncReport {
    let wallets = try ledger.wallets().filter { ids?.contains($0.id) ?? true }
    var report = ResyncReport()
    report.wallets = await withTaskGroup(of: (Int, WalletOutcome).self) { group in
      var outcomes: [WalletOutcome?] = Array(repeating: nil, count: wallets.count)
      var next = 0
      while next < wallets.count || !group.isEmpty {
        if next < wallets.count, next < settings.width {
          add(wallets[next], next, to: &group, progress)
          next += 1
          continue
        }
        guard let (place, outcome) = await group.next() else { break }
        outcomes[place] = outcome
        progress(outcome)
        if next < wallets.count {
          add(wallets[next], next, to: &group, progress)
          next += 1
        }
      }
      return outcomes.compactMap { $0 }
    }
    report.prices = await priceOutcomes()
    return report
  }

  private func add(
    _ wallet: Wallet, _ place: Int, to group: inout TaskGroup<(Int, WalletOutcome)>,
    _ progress: @escaping @Sendable (WalletOutcome) -> Void
  ) {
    group.addTask { (place, await self.outcome(of: wallet, progress)) }
  }

  /// Returns one wallet's outcome by the policy.
  private func outcome(
    of wallet: Wallet, _ progress: @Sendable (WalletOutcome) -> Void
  ) async -> WalletOutcome {
    let sync = WalletSync(
      wallet: wallet, ledger: ledger,
      ladder: SourceLadder(
        for: wallet, configured: endpoints, consent: settings.consent, sources: sources, client: client),
      start: settings.start, now: now)
    return await metrics.measuring("wallet") {
      do {
        let answer = try await cache.answer(
          for: CacheKey(kind: .balance, text: Hex.encode([UInt8](wallet.id))), settings.policy,
          below: SecondLevel(origin: .store, read: sync.stored), fetch: { try await sync.run() },
          show: { progress(aged($0)) })
        metrics.recordAnswer(from: answer.origin.rawValue)
        return (aged(answer), answer.failure == nil)
      } catch {
        metrics.recordAnswer(from: "none")
        var outcome = WalletOutcome(wallet)
        outcome.problems = [.failed(SyncFailure(error))]
        return (outcome, false)
      }
    }
  }

  /// Converts an answer to an outcome.
  ///
  /// Old values are marked with their age and the reason.
  private func aged(_ answer: Cached<WalletOutcome>) -> WalletOutcome {
    guard answer.origin != .network else { return answer.value }
    var outcome = answer.value
    outcome.state = .stale(seconds: answer.age)
    outcome.counts = ChainUpdateCounts()
    if let failure = answer.failure { outcome.problems = [.failed(SyncFailure(failure))] }
    return outcome
  }

  private func priceOutcomes() async -> [PriceOutcome] {
    var outcomes: [PriceOutcome] = []
    for source in prices {
      let (asset, currency) = (source.asset, source.currency)
      do {
        let answer = try await cache.answer(
          for: CacheKey(kind: .price, text: "\(asset)/\(currency)"), settings.policy,
          below: SecondLevel(origin: .store) { [ledger] in
            (try? ledger.price(of: asset, in: currency)).flatMap { $0 }
              .map { ($0, Double($0.fetchedAt) / 1_000_000) }
          }, fetch: { [client, ledger, now] in try await source.fetch(client, ledger, at: now()) })
        metrics.recordAnswer(from: answer.origin.rawValue)
        outcomes.append(
          PriceOutcome(
            asset: asset, currency: currency, price: answer.value.price,
            age: answer.origin == .network ? nil : answer.age, problem: answer.failure.map { SyncFailure($0) }
          ))
      } catch {
        outcomes.append(
          PriceOutcome(
            asset: asset, currency: currency, price: nil, age: nil, problem: SyncFailure(error)))
      }
    }
    return outcomes
  }
}

extension SyncFailure {
  /// Takes back an error from the cache, which passes on what the sync's own requests throw.
  fileprivate init(_ error: any Error) { self = error as? SyncFailure ?? .nothingKnown }
}

extension WalletOutcome {
  init(_ wallet: Wallet) {
    self.init(
      id: PackedText.text(wallet.id) ?? "", name: wallet.name,
      chain: "\(wallet.chainFamily):\(wallet.chainID)")
  }
}

/// The starting point of a resync.
public enum SyncStart: Equatable, Sendable {
  /// The end of the last resync, else the wallet's birthday, else the first block; minus a margin.
  case lastSynced
  /// The wallet's birthday minus a margin, whatever was synced since.
  case birthday
  /// A given height.
  case height(UInt64)

  func height(for wallet: Wallet) -> UInt64 {
    let margin = ChainRules.of(wallet).reorganisationMargin
    let birthday = wallet.hasBirthday ? wallet.birthday.height : 0
    let height: UInt64
    switch self {
    case .height(let given): return given
    case .birthday: height = birthday
    case .lastSynced: height = wallet.hasLastSynced ? wallet.lastSynced.height : birthday
    }
    return height > margin ? height - margin : 0
  }
}

/// The result of a resync.
public struct ResyncReport: Sendable {
  /// The wallets in the store's order.
  public var wallets: [WalletOutcome] = []
  /// The requested prices.
  public var prices: [PriceOutcome] = []

  /// Whether every wallet and price is complete.
  public var isComplete: Bool { wallets.allSatisfy(\.isComplete) && prices.allSatisfy { $0.problem == nil } }
}

/// The differences between families of chains.
struct ChainRules: Sendable {
  /// The number of blocks that may still be replaced, which are checked again below the last synced block.
  let reorganisationMargin: UInt64

  static func of(_ wallet: Wallet) -> ChainRules {
    switch wallet.family {
    case .evm: ChainRules(reorganisationMargin: 64)
    case .bitcoin: ChainRules(reorganisationMargin: 12)
    case .other: ChainRules(reorganisationMargin: 100)
    }
  }
}
