import FuekiStore
import FuekiSync
import FuekiWallet
import Synchronization
import Testing

/// A resync's use of sources and known values, by cache policy.
struct ChainPolicyTests {
  private let scripted = ScriptedSync()

  /// The number of requests and the result for each policy, with and without an answer from the chain.
  ///
  /// Known values are absent, 10 or 1000 seconds old.
  @Test(
    arguments: [
      // policy, chain answers, age of what is known, asked, shown first, state
      (CachePolicy.networkFirst, true, nil, 1, false, WalletOutcome.State.fresh),
      (.networkFirst, true, 10.0, 1, false, .fresh),
      (.networkFirst, false, 10, 1, false, .stale(seconds: 10)),
      (.networkFirst, false, nil, 1, false, .failed),
      (.cacheFirst, true, nil, 1, false, .fresh),
      (.cacheFirst, true, 10, 0, false, .stale(seconds: 10)),
      (.cacheFirst, true, 1000, 1, false, .fresh),
      (.cacheFirst, false, 1000, 1, false, .stale(seconds: 1000)),
      (.networkOnly, true, 10, 1, false, .fresh),
      (.networkOnly, false, 10, 1, false, .failed),
      (.cacheOnly, true, 1000, 0, false, .stale(seconds: 1000)),
      (.cacheOnly, true, nil, 0, false, .failed),
      (.cacheAndNetwork, true, 10, 1, true, .fresh),
      (.cacheAndNetwork, true, nil, 1, false, .fresh),
      (.cacheAndNetwork, false, 10, 1, true, .stale(seconds: 10)),
    ] as [(CachePolicy, Bool, Double?, Int, Bool, WalletOutcome.State)])
  func `each policy asks and answers as its name says`(
    policy: CachePolicy, answers: Bool, age: Double?, asked: Int, isShown: Bool, state: WalletOutcome.State
  ) async throws {
    // Once with and once without this process's memory, to the same effect.
    for remembers in [false, true] {
      let synced = try SyncedStore()
      _ = try scripted.wallet(in: synced, kinds: "a")
      let isUp = Mutex(true)
      let source = Scripted { _, _ throws(SyncError) in
        guard isUp.withLock({ $0 }) else { throw .transport(.deadline) }
        return ScriptedSync.findings(100)
      }
      var under = scripted.sync(synced, ["a": source], policy: policy)
      var before = 0
      if let age {
        _ = try await (remembers ? under : scripted.sync(synced, ["a": source])).resync()
        if remembers, policy == .cacheOnly { continue }
        before = source.asked.entries.count
        scripted.clock.advance(age)
      }
      isUp.withLock { $0 = answers }
      if !remembers { under = scripted.sync(synced, ["a": source], policy: policy) }
      let shown = Journal<WalletOutcome.State>()
      let report = try await under.resync { shown.note($0.state) }
      #expect(source.asked.entries.count - before == asked, "\(policy)")
      #expect(report.wallets[0].state == state)
      #expect(report.isComplete == (state == .fresh || answers && state != .failed))
      #expect(shown.entries == (isShown ? [.stale(seconds: age ?? 0)] : []) + [state])
      if state != .failed { #expect(report.wallets[0].balance == "5") }
      if !answers {
        #expect(report.wallets[0].told == ["a at https://a.test: it took too long to answer"])
      }
    }
  }

  @Test func `nothing known and no chain to be asked is said so`() async throws {
    let synced = try SyncedStore()
    _ = try scripted.wallet(in: synced, kinds: "a")
    let report = try await scripted.sync(synced, [:], policy: .cacheOnly).resync()
    #expect(report.wallets[0].told[0].contains("nothing is known from before"))
    let none = try await scripted.sync(synced, [:]).resync()
    #expect(none.wallets[0].told[0].contains("no endpoint for its chain"))
  }

  @Test func `concurrent resyncs of a wallet share one request`() async throws {
    let synced = try SyncedStore()
    _ = try scripted.wallet(in: synced, kinds: "a")
    let gate = Gate()
    let source = Scripted.answering(1, thenHeldBy: gate)
    let sync = scripted.sync(synced, ["a": source], policy: .cacheAndNetwork)
    _ = try await sync.resync()
    let shown = Journal<Void>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          let report = try? await sync.resync { _ in shown.note(()) }
          #expect(report?.isComplete == true)
        }
      }
      try await Gate.wait { await sync.waiting == 10 }
      #expect(shown.entries.count == 10)
      gate.open()
      try await group.waitForAll()
    }
    #expect(source.asked.entries.count == 2)
  }

  @Test func `a cancelled resync leaves the shared request to the others`() async throws {
    let synced = try SyncedStore()
    _ = try scripted.wallet(in: synced, kinds: "a")
    let gate = Gate()
    let source = Scripted.answering(1, thenHeldBy: gate)
    let sync = scripted.sync(synced, ["a": source], policy: .cacheAndNetwork)
    _ = try await sync.resync()
    let first = Task { try await sync.resync() }
    try await Gate.wait { source.asked.entries.count == 2 }
    let second = Task { try await sync.resync() }
    try await Gate.wait { await sync.waiting == 2 }
    first.cancel()
    try await Gate.wait { await sync.waiting == 1 }
    gate.open()
    let report = try await second.value
    #expect(report.isComplete)
    #expect(source.asked.entries.count == 2)
  }

  @Test func `memory keeps no more than its limit`() async throws {
    let synced = try SyncedStore()
    for place in 0..<3 {
      var wallet = try synced.addWallet(
        "w\(place)", address: "0x1111111111111111111111111111111111111111", urls: ["https://a.test"],
        kind: "a")
      wallet.clearBalance()
      try synced.store.wallets.load([wallet])
    }
    let source = Scripted { _, _ in ScriptedSync.findings(100) }
    let sync = scripted.sync(synced, ["a": source], policy: .cacheFirst, limit: 2)
    _ = try await sync.resync()
    _ = try await sync.resync()
    // Values evicted from memory were in the store: nothing was requested twice.
    #expect(source.asked.entries.count == 3)
  }
}
