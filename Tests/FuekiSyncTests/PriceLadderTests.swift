import FuekiBackup
import FuekiStore
import FuekiSync
import Synchronization
import Testing

/// Prices by cache policy, from a server, from memory and from the store.
@Suite struct PriceLadderTests {
  /// A price server and a clock, both set by the test.
  private final class Market: Sendable {
    private let state = Mutex((time: 1_000_000.0, price: String?.some("2500.5")))
    let requests = Journal<String>()

    var now: @Sendable () -> Double { { self.state.withLock { $0.time } } }
    func advance(_ seconds: Double) { state.withLock { $0.time += seconds } }
    /// Sets the price.
    ///
    /// With `nil` the server fails.
    func set(_ price: String?) { state.withLock { $0.price = price } }

    func answer(_ question: LoopbackServer.Question) -> LoopbackServer.Answer {
      requests.note(question.path + "?" + question.parameters)
      guard let price = state.withLock({ $0.price }) else { return .text("{}", status: 500) }
      return .text(#"{"\#(question.path.dropFirst())":{"eur":\#(price)}}"#)
    }
  }

  private func sync(
    _ synced: SyncedStore, _ url: String, _ market: Market, _ policy: CachePolicy,
    assets: [String] = ["coin"], limit: Int = 256
  ) -> ChainSync {
    var settings = ChainSync.Settings()
    settings.policy = policy
    settings.limit = limit
    let pace = Pace(now: market.now, sleep: { _ in try Task.checkCancellation() }, chance: { 0 })
    let prices = assets.map {
      PriceSource(asset: $0, currency: "eur", url: "\(url)/{asset}?in={currency}", path: "{asset}.{currency}")
    }
    return ChainSync(
      synced.ledger, client: ServerClient(transport: CurlTransport(), pace: pace, tries: 1),
      prices: prices, settings: settings, now: market.now)
  }

  private func outcome(_ sync: ChainSync) async throws -> PriceOutcome {
    let report = try await sync.resync()
    return try #require(report.prices.first)
  }

  /// The expected behaviour of each policy, as for balances.
  ///
  /// The arguments are whether the server answers, the known price's age in seconds, the number of requests, the
  /// resulting price's age (`nil` if new), and whether there is one.
  @Test(
    arguments: [
      (CachePolicy.networkFirst, true, nil, 1, nil, true),
      (.networkFirst, true, 10, 1, nil, true),
      (.networkFirst, false, 10, 1, 10, true),
      (.networkFirst, false, nil, 1, nil, false),
      (.cacheFirst, true, nil, 1, nil, true),
      (.cacheFirst, true, 10, 0, 10, true),
      (.cacheFirst, true, 1000, 1, nil, true),
      (.cacheFirst, false, 1000, 1, 1000, true),
      (.networkOnly, true, 10, 1, nil, true),
      (.networkOnly, false, 10, 1, nil, false),
      (.cacheOnly, true, 1000, 0, 1000, true),
      (.cacheOnly, true, nil, 0, nil, false),
      (.cacheAndNetwork, true, 10, 1, nil, true),
      (.cacheAndNetwork, false, 10, 1, 10, true),
    ] as [(CachePolicy, Bool, Double?, Int, Double?, Bool)])
  func `each policy asks and answers as its name says`(
    policy: CachePolicy, answers: Bool, age: Double?, asked: Int, shownAge: Double?, isThere: Bool
  ) async throws {
    // Once with and once without this process's memory, to the same effect.
    for remembers in [false, true] {
      let market = Market()
      try await LoopbackServer.run {
        market.answer($0)
      } test: { url in
        let synced = try SyncedStore()
        var under = sync(synced, url, market, policy)
        if let age {
          let first = remembers && policy != .cacheOnly ? under : sync(synced, url, market, .networkFirst)
          _ = try await first.resync()
          market.advance(age)
        }
        if !remembers { under = sync(synced, url, market, policy) }
        market.set(answers ? "3000" : nil)
        let before = market.requests.entries.count
        let price = try await outcome(under)
        #expect(market.requests.entries.count - before == asked)
        #expect(market.requests.entries.allSatisfy { $0 == "/coin?in=eur" })
        #expect(price.age == shownAge)
        let isNew = asked == 1 && answers
        #expect(price.price == (isThere ? (isNew ? "3000" : "2500.5") : nil))
        #expect((price.problem == nil) == (isThere && (answers || asked == 0)))
      }
    }
  }

  @Test func `memory goes before the store, the store before the error, and the error has a name`()
    async throws
  {
    let market = Market()
    try await LoopbackServer.run {
      market.answer($0)
    } test: { url in
      let synced = try SyncedStore()
      let same = sync(synced, url, market, .networkFirst)
      #expect(try await outcome(same).price == "2500.5")
      market.advance(5)
      // This price is only in the store.
      try synced.ledger.keep(
        AssetPrice(asset: "coin", currency: "eur", price: "7", fetchedAt: Int64(market.now() * 1_000_000)))
      market.advance(5)
      market.set(nil)
      let problem = SyncFailure.allFailed([
        SourceAttempt(SourcePlace(kind: "price", server: url), .refused(status: 500))
      ])
      let remembered = try await outcome(same)
      #expect(remembered.price == "2500.5" && remembered.age == 10 && remembered.problem == problem)
      let stored = try await outcome(sync(synced, url, market, .networkFirst))
      #expect(stored.price == "7" && stored.age == 5 && stored.problem == problem)
      let other = try await outcome(sync(synced, url, market, .networkFirst, assets: ["other"]))
      #expect(other.price == nil && other.age == nil && other.problem == problem)
      let silent = try await outcome(sync(synced, url, market, .cacheOnly, assets: ["other"]))
      #expect(silent.problem == .nothingKnown)
      // A failed request changes nothing.
      #expect(try synced.ledger.price(of: "coin", in: "eur")?.price == "7")
      #expect(try synced.ledger.price(of: "other", in: "eur") == nil)
    }
  }

  @Test func `an answer that is none replaces nothing, and a report with one is not complete`() async throws {
    let market = Market()
    try await LoopbackServer.run {
      market.answer($0)
    } test: { url in
      let synced = try SyncedStore()
      _ = try await sync(synced, url, market, .networkFirst).resync()
      for price in ["-1", "null", #""dear""#, "{}", "[1]", "1e999999999"] {
        market.set(price)
        let report = try await sync(synced, url, market, .networkFirst).resync()
        #expect(!report.isComplete && report.prices[0].price == "2500.5", "\(price)")
        let refusal = SourceAttempt(
          SourcePlace(kind: "price", server: url), .malformed(what: "no price at coin.eur"))
        #expect(report.prices[0].problem == .allFailed([refusal]))
        #expect(try synced.ledger.price(of: "coin", in: "eur")?.price == "2500.5")
      }
    }
  }

  @Test func `the store has the prices that memory does not keep, and concurrent resyncs share requests`()
    async throws
  {
    let market = Market()
    try await LoopbackServer.run {
      market.answer($0)
    } test: { url in
      let synced = try SyncedStore()
      let sync = sync(synced, url, market, .cacheFirst, assets: ["a", "b", "c"], limit: 2)
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<8 { group.addTask { _ = try? await sync.resync() } }
      }
      let again = try await sync.resync()
      #expect(again.prices.map(\.price) == ["2500.5", "2500.5", "2500.5"])
      #expect(Set(market.requests.entries) == ["/a?in=eur", "/b?in=eur", "/c?in=eur"])
    }
  }
}
