import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import Synchronization

/// A source with scripted findings that records its queries.
final class Scripted: ChainSource {
  let asked = Journal<WalletQuery>()
  private let answer: @Sendable (WalletQuery, Int) async throws(SyncError) -> WalletFindings

  init(_ answer: @escaping @Sendable (WalletQuery, Int) async throws(SyncError) -> WalletFindings) {
    self.answer = answer
  }

  func findings(for query: WalletQuery) async throws(SyncError) -> WalletFindings {
    try await answer(query, asked.note(query))
  }
}

/// A clock set by the test.
final class Clock: Sendable {
  private let time = Mutex(1_000_000.0)
  var now: @Sendable () -> Double { { self.time.withLock { $0 } } }
  func advance(_ seconds: Double) { time.withLock { $0 += seconds } }
}

/// Blocks sources until the test opens the gate.
final class Gate: Sendable {
  private let isOpen = Mutex(false)

  func open() { isOpen.withLock { $0 = true } }

  func wait() async throws(SyncError) {
    while !isOpen.withLock({ $0 }) {
      do { try await Task.sleep(for: .milliseconds(10)) } catch { throw .cancelled }
    }
  }

  /// Waits until a condition is true, at most a minute.
  static func wait(until isSo: () async -> Bool) async throws {
    for _ in 0..<6000 {
      if await isSo() { return }
      try await Task.sleep(for: .milliseconds(10))
    }
  }
}

extension Scripted {
  /// Returns a source that answers the first requests at once, and the others when the gate is open.
  static func answering(_ count: Int, thenHeldBy gate: Gate) -> Scripted {
    Scripted { _, number throws(SyncError) in
      if number >= count { try await gate.wait() }
      return ScriptedSync.findings(100)
    }
  }
}

struct NoNetwork: Transport {
  func exchange(_ request: HTTPRequest) async throws(TransportError) -> HTTPResponse {
    throw .unreachable(reason: "no network")
  }
}

/// A resync with scripted sources and a clock set by the test.
struct ScriptedSync {
  let clock = Clock()

  func sync(
    _ synced: SyncedStore, _ sources: [String: Scripted], policy: CachePolicy = .networkFirst,
    start: SyncStart = .lastSynced, limit: Int = 256, endpoints: [ConfiguredEndpoint] = [],
    consent: EndpointConsent = .all
  ) -> ChainSync {
    var settings = ChainSync.Settings()
    settings.policy = policy
    settings.start = start
    settings.limit = limit
    settings.consent = consent
    return ChainSync(
      synced.ledger, client: ServerClient(transport: NoNetwork()), endpoints: endpoints,
      sources: ChainSources(sources.mapValues { source in { _ in source } }), settings: settings,
      now: clock.now)
  }

  static func findings(
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

  func wallet(in synced: SyncedStore, kinds: String...) throws -> Wallet {
    var wallet = try synced.addWallet(address: "0x1111111111111111111111111111111111111111", urls: [])
    for (place, kind) in kinds.enumerated() {
      var endpoint = Endpoint()
      endpoint.kind = kind
      endpoint.url = "https://\(kind).test/secret-path"
      endpoint.priority = Int32(place)
      wallet.endpoints.append(endpoint)
    }
    try synced.store.wallets.load([wallet])
    return wallet
  }
}
