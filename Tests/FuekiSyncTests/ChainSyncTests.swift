import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import SwiftProtobuf
import Synchronization
import Testing

/// A source that says what the test wants, and counts how often it is asked.
private final class Scripted: ChainSource {
  let asked = Journal<WalletQuery>()
  private let answer: @Sendable (WalletQuery, Int) async throws(SyncError) -> WalletFindings

  init(_ answer: @escaping @Sendable (WalletQuery, Int) async throws(SyncError) -> WalletFindings) {
    self.answer = answer
  }

  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    try await answer(query, asked.note(query))
  }
}

/// A clock that the test moves.
private final class Clock: Sendable {
  private let time = Mutex(1_000_000.0)
  var now: @Sendable () -> Double { { self.time.withLock { $0 } } }
  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

/// Holds sources back until the test lets them answer.
private final class Gate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() async throws(SyncError) {
    while !isOpen.withLock({ $0 }) {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
    }
  }

  /// Waits until something is so, but not for ever.
  static func wait(until isSo: () -> Bool) async throws {
    for _ in 0..<6000 where !isSo() { try await Task.sleep(for: .milliseconds(10)) }
  }
}

private struct NoNetwork: Transport {
  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw .unreachable(reason: "no network")
  }
}

/// What a resync makes of its sources' answers, by policy.
@Suite struct ChainSyncTests {
  private let clock = Clock()

  private func sync(
    _ synced: SyncedStore, _ sources: [String: Scripted], policy: CachePolicy = .networkFirst,
    start: SyncStart = .lastSynced, limit: Int = 256
  ) -> ChainSync {
    var settings = ChainSync.Settings()
    settings.policy = policy
    settings.start = start
    settings.limit = limit
    return ChainSync(
      synced.ledger, client: ServerClient(transport: NoNetwork()),
      sources: ChainSources(sources.mapValues { source in { _ in source } }), settings: settings,
      now: clock.now)
  }

  private static func findings(
    _ height: UInt64, balance: String? = "5", hashes: [String] = []
  ) -> WalletFindings {
    var tip = Checkpoint()
    tip.height = height
    var findings = WalletFindings(tip: tip)
    findings.balance = balance
    findings.transactions = hashes.map { hash in
      var record = Transaction()
      record.hash = PackedText.pack(hash)
      record.amount = "5"
      record.status = "confirmed"
      record.blockNumber = height
      return FoundTransaction(record)
    }
    return findings
  }

  private func wallet(in synced: SyncedStore, kinds: String...) throws -> Wallet {
    var wallet = try synced.addWallet(address: "0x1111111111111111111111111111111111111111", urls: [])
    for (place, kind) in kinds.enumerated() {
      var endpoint = Endpoint()
      endpoint.kind = kind
      endpoint.url = "https://\(kind).test/secret-path"
      endpoint.priority = Int32(place)
      wallet.endpoints.append(endpoint)
    }
    try synced.store.wallets.save(wallet)
    return wallet
  }

  // MARK: policies

  /// What each policy does: how often the chain is asked, and what comes out, when the chain answers and when not; with
  /// nothing known, and with what was known for 10 or for 1000 seconds.
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
    // From the store, and from this process's memory: the same.
    for remembers in [false, true] {
      let synced = try SyncedStore()
      _ = try wallet(in: synced, kinds: "a")
      let isUp = Mutex(true)
      let source = Scripted { _, _ throws(SyncError) in
        guard isUp.withLock({ $0 }) else { throw .transport(.deadline) }
        return Self.findings(100)
      }
      var under = sync(synced, ["a": source], policy: policy)
      var before = 0
      if let age {
        _ = try await (remembers ? under : sync(synced, ["a": source])).resync()
        if remembers, policy == .cacheOnly { continue }
        before = source.asked.entries.count
        clock.advance(age)
      }
      isUp.withLock { $0 = answers }
      if !remembers { under = sync(synced, ["a": source], policy: policy) }
      let shown = Journal<WalletOutcome.State>()
      let report = try await under.resync { shown.note($0.state) }
      #expect(source.asked.entries.count - before == asked, "\(policy)")
      #expect(report.wallets[0].state == state)
      #expect(report.isComplete == (state == .fresh || answers && state != .failed))
      #expect(shown.entries == (isShown ? [.stale(seconds: age ?? 0)] : []) + [state])
      if state != .failed { #expect(report.wallets[0].balance == "5") }
      if !answers {
        #expect(report.wallets[0].problems == ["a at https://a.test: it took too long to answer"])
      }
    }
  }

  @Test func `nothing known and no chain to be asked is said so`() async throws {
    let synced = try SyncedStore()
    _ = try wallet(in: synced, kinds: "a")
    let report = try await sync(synced, [:], policy: .cacheOnly).resync()
    #expect(report.wallets[0].problems[0].contains("nothing is known from before"))
    let none = try await sync(synced, [:]).resync()
    #expect(none.wallets[0].problems[0].contains("no endpoint for its chain"))
  }

  @Test func `those who ask for the same wallet at the same time share one request`() async throws {
    let synced = try SyncedStore()
    _ = try wallet(in: synced, kinds: "a")
    let gate = Gate()
    let source = Scripted { _, _ throws(SyncError) in
      try await gate.wait()
      return Self.findings(100)
    }
    let sync = sync(synced, ["a": source])
    let begun = Journal<Void>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<10 {
        group.addTask {
          begun.note(())
          let report = try? await sync.resync()
          #expect(report?.isComplete == true)
        }
      }
      try await Gate.wait { begun.entries.count == 10 && !source.asked.entries.isEmpty }
      // From their beginning to the request they all share it is a few steps.
      try await Task.sleep(for: .seconds(2))
      gate.open()
      try await group.waitForAll()
    }
    #expect(source.asked.entries.count == 1)
  }

  @Test func `one who gives up leaves the shared request to the others`() async throws {
    let synced = try SyncedStore()
    _ = try wallet(in: synced, kinds: "a")
    let gate = Gate()
    let source = Scripted { _, _ throws(SyncError) in
      try await gate.wait()
      return Self.findings(100)
    }
    let sync = sync(synced, ["a": source])
    let first = Task { try await sync.resync() }
    try await Gate.wait { !source.asked.entries.isEmpty }
    let begun = Journal<Void>()
    let second = Task {
      begun.note(())
      return try await sync.resync()
    }
    try await Gate.wait { !begun.entries.isEmpty }
    try await Task.sleep(for: .seconds(2))
    first.cancel()
    try await Task.sleep(for: .milliseconds(200))
    gate.open()
    let report = try await second.value
    #expect(report.isComplete)
    #expect(source.asked.entries.count == 1)
  }

  @Test func `memory keeps no more than its limit`() async throws {
    let synced = try SyncedStore()
    for place in 0..<3 {
      var wallet = try synced.addWallet(
        "w\(place)", address: "0x1111111111111111111111111111111111111111", urls: ["https://a.test"],
        kind: "a")
      wallet.clearBalance()
      try synced.store.wallets.save(wallet)
    }
    let source = Scripted { _, _ in Self.findings(100) }
    let sync = sync(synced, ["a": source], policy: .cacheFirst, limit: 2)
    _ = try await sync.resync()
    _ = try await sync.resync()
    // What fell out of memory, the store had: nothing was asked twice.
    #expect(source.asked.entries.count == 3)
  }

  // MARK: what is kept

  @Test func `a failed resync changes nothing of what is kept`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kinds: "a")
    let source = Scripted { _, number throws(SyncError) in
      guard number == 0 else { throw .malformed(what: "x") }
      return Self.findings(100, hashes: ["0x01"])
    }
    let sync = sync(synced, ["a": source])
    _ = try await sync.resync()
    let before = try synced.wallet(wallet.id)
    clock.advance(5)
    let report = try await sync.resync()
    #expect(report.wallets[0].state == .stale(seconds: 5))
    #expect(try synced.wallet(wallet.id) == before)
    #expect(try synced.transactions(wallet.id).count == 1)
  }

  @Test func `it starts where the last one ended, less a margin`() async throws {
    let synced = try SyncedStore()
    var wallet = try wallet(in: synced, kinds: "a")
    wallet.birthday.height = 500
    try synced.store.wallets.save(wallet)
    let source = Scripted { _, number in Self.findings(1000 + UInt64(number), hashes: ["0x01"]) }
    _ = try await sync(synced, ["a": source]).resync()
    _ = try await sync(synced, ["a": source]).resync()
    _ = try await sync(synced, ["a": source], start: .birthday).resync()
    _ = try await sync(synced, ["a": source], start: .height(7)).resync()
    #expect(source.asked.entries.map(\.startHeight) == [436, 936, 436, 7])
    let kept = try synced.wallet(wallet.id)
    #expect(kept.lastSynced.height == 1003)
    #expect(kept.earlierCheckpoints.map(\.height) == [1002, 1001, 1000])
  }

  @Test(arguments: [nil, "0", "5"])
  func `a wallet that was used, and came without its history, is looked at from its birthday on`(
    balance: String?
  ) async throws {
    let synced = try SyncedStore()
    var wallet = try wallet(in: synced, kinds: "a")
    wallet.birthday.height = 500
    wallet.lastSynced.height = 1000
    if let balance { wallet.balance = balance }
    try synced.store.wallets.save(wallet)
    let source = Scripted { _, _ in Self.findings(1001, balance: balance ?? "0", hashes: ["0x01"]) }
    for _ in 0..<2 { _ = try await sync(synced, ["a": source]).resync() }
    #expect(source.asked.entries.map(\.startHeight) == [balance == "5" ? 436 : 936, 937])
  }

  @Test func `what a source's history does not have any more is dropped, and comes back`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      Self.findings(100, hashes: number == 1 ? ["0x01"] : ["0x01", "0x02"])
    }
    func statuses() throws -> [String] {
      try synced.transactions(wallet.id).sorted { $0.hash.lexicographicallyPrecedes($1.hash) }.map(\.status)
    }
    let sync = sync(synced, ["a": source])
    _ = try await sync.resync()
    #expect(try statuses() == ["confirmed", "confirmed"])
    let second = try await sync.resync()
    #expect(second.wallets[0].counts.dropped == 1)
    #expect(try statuses() == ["confirmed", "dropped"])
    let third = try await sync.resync()
    #expect(third.wallets[0].counts.updated == 1)
    #expect(try statuses() == ["confirmed", "confirmed"])
  }

  @Test func `where one source has not told all, the next is asked, and both count`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kinds: "a", "b")
    let partial = Scripted { _, _ in
      var findings = Self.findings(100, hashes: ["0x01"])
      findings.partial = "walked 5 of 100 blocks"
      findings.reached = Checkpoint.with { $0.height = 5 }
      return findings
    }
    let alone = try await sync(synced, ["a": partial]).resync()
    #expect(!alone.isComplete)
    #expect(alone.wallets[0].problems[0].contains("walked 5 of 100 blocks"))
    #expect(try synced.wallet(wallet.id).lastSynced.height == 5)
    let whole = Scripted { _, _ in Self.findings(100, hashes: ["0x01", "0x02"]) }
    let both = try await sync(synced, ["a": partial, "b": whole]).resync()
    #expect(both.isComplete && both.wallets[0].source == "b at https://b.test")
    #expect(both.wallets[0].counts.added == 1)
    #expect(try synced.wallet(wallet.id).lastSynced.height == 100)
  }

  @Test func `a server that is behind is not believed`() async throws {
    let synced = try SyncedStore()
    let wallet = try wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in Self.findings(number == 0 ? 1000 : 10, balance: "\(5 + number)") }
    let sync = sync(synced, ["a": source])
    _ = try await sync.resync()
    let report = try await sync.resync()
    #expect(report.wallets[0].problems[0].contains("it is behind: at block 10, and block 1000 was seen"))
    #expect(try synced.wallet(wallet.id).balance == "5")
  }

  @Test func `a stop reaches every source, and nothing more is asked`() async throws {
    let synced = try SyncedStore()
    _ = try wallet(in: synced, kinds: "a", "b")
    let source = Scripted { _, _ throws(SyncError) in
      do { try await Task.sleep(for: .seconds(60)) } catch { throw .cancelled }
      return Self.findings(100)
    }
    let sync = sync(synced, ["a": source, "b": source])
    let task = Task { try await sync.resync() }
    try await Gate.wait { !source.asked.entries.isEmpty }
    task.cancel()
    let report = try await task.value
    #expect(!report.isComplete && source.asked.entries.count == 1)
    #expect(report.wallets[0].problems[0].contains("stopped"))
  }
}
