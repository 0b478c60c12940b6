import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import SwiftProtobuf
import Testing

/// Storage of sources' answers by a resync.
struct ChainSyncTests {
  private let scripted = ScriptedSync()

  @Test func `a failed resync changes nothing of what is kept`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number throws(SyncError) in
      guard number == 0 else { throw .malformed(what: "x") }
      return ScriptedSync.findings(100, hashes: ["0x01"])
    }
    let sync = scripted.sync(synced, ["a": source])
    _ = try await sync.resync()
    let before = try synced.wallet(wallet.id)
    scripted.clock.advance(5)
    let report = try await sync.resync()
    #expect(report.wallets[0].state == .stale(seconds: 5))
    #expect(try synced.wallet(wallet.id) == before)
    #expect(try synced.transactions(wallet.id).count == 1)
  }

  @Test func `it starts where the last one ended, less a margin`() async throws {
    let synced = try SyncedStore()
    var wallet = try scripted.wallet(in: synced, kinds: "a")
    wallet.birthday.height = 500
    try synced.store.wallets.load([wallet])
    let source = Scripted { _, number in ScriptedSync.findings(1000 + UInt64(number), hashes: ["0x01"]) }
    _ = try await scripted.sync(synced, ["a": source]).resync()
    _ = try await scripted.sync(synced, ["a": source]).resync()
    _ = try await scripted.sync(synced, ["a": source], start: .birthday).resync()
    _ = try await scripted.sync(synced, ["a": source], start: .height(7)).resync()
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
    var wallet = try scripted.wallet(in: synced, kinds: "a")
    wallet.birthday.height = 500
    wallet.lastSynced.height = 1000
    if let balance { wallet.balance = balance }
    try synced.store.wallets.load([wallet])
    let source = Scripted { _, _ in ScriptedSync.findings(1001, balance: balance ?? "0", hashes: ["0x01"]) }
    for _ in 0..<2 { _ = try await scripted.sync(synced, ["a": source]).resync() }
    #expect(source.asked.entries.map(\.startHeight) == [balance == "5" ? 436 : 936, 937])
  }

  @Test func `what a source's history does not have any more is dropped, and comes back`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      ScriptedSync.findings(100, hashes: number == 1 ? ["0x01"] : ["0x01", "0x02"])
    }
    func statuses() throws -> [String] {
      try synced.transactions(wallet.id).sorted { $0.hash.lexicographicallyPrecedes($1.hash) }.map(\.status)
    }
    let sync = scripted.sync(synced, ["a": source])
    _ = try await sync.resync()
    #expect(try statuses() == ["confirmed", "confirmed"])
    let second = try await sync.resync()
    #expect(second.wallets[0].counts.dropped == 1)
    #expect(try statuses() == ["confirmed", "dropped"])
    let third = try await sync.resync()
    #expect(third.wallets[0].counts.updated == 1)
    #expect(try statuses() == ["confirmed", "confirmed"])
  }

  @Test func `what another program wrote in capitals is no other transaction, and is not dropped`()
    async throws
  {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let digits = String(repeating: "ab", count: 32)
    let source = Scripted { _, _ in ScriptedSync.findings(100, hashes: ["0x" + digits]) }
    _ = try await scripted.sync(synced, ["a": source]).resync()
    var kept = try #require(try synced.transactions(wallet.id).first)
    kept.hash = PackedText.pack("0x" + digits.uppercased())
    try synced.store.transactions.load([kept])
    let report = try await scripted.sync(synced, ["a": source]).resync()
    #expect(report.wallets[0].counts.dropped == 0 && report.wallets[0].counts.added == 0)
    #expect(try synced.transactions(wallet.id) == [kept])
  }

  @Test func `where one source has not told all, the next is asked, and both count`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a", "b")
    let partial = Scripted { _, _ in
      var findings = ScriptedSync.findings(100, hashes: ["0x01"])
      findings.partial = .walked(blocks: 5, of: 100)
      findings.reached = Checkpoint.with { $0.height = 5 }
      return findings
    }
    let alone = try await scripted.sync(synced, ["a": partial]).resync()
    #expect(!alone.isComplete)
    #expect(alone.wallets[0].told[0].contains("5 of 100 blocks searched"))
    #expect(try synced.wallet(wallet.id).lastSynced.height == 5)
    let whole = Scripted { _, _ in ScriptedSync.findings(100, hashes: ["0x01", "0x02"]) }
    let both = try await scripted.sync(synced, ["a": partial, "b": whole]).resync()
    #expect(both.isComplete && both.wallets[0].source == SourcePlace(kind: "b", server: "https://b.test"))
    #expect(both.wallets[0].counts.added == 1)
    #expect(try synced.wallet(wallet.id).lastSynced.height == 100)
  }

  @Test func `a server that is behind is not believed`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      ScriptedSync.findings(number == 0 ? 1000 : 10, balance: "\(5 + number)")
    }
    let sync = scripted.sync(synced, ["a": source])
    _ = try await sync.resync()
    let report = try await sync.resync()
    #expect(report.wallets[0].told[0].contains("it is only at block 10, but block 1000 was seen"))
    #expect(try synced.wallet(wallet.id).balance == "5")
  }

  @Test func `a stop reaches every source, and nothing more is asked`() async throws {
    let synced = try SyncedStore()
    _ = try scripted.wallet(in: synced, kinds: "a", "b")
    let source = Scripted { _, _ throws(SyncError) in
      do { try await Task.sleep(for: .seconds(60)) } catch { throw .cancelled }
      return ScriptedSync.findings(100)
    }
    let sync = scripted.sync(synced, ["a": source, "b": source])
    let task = Task { try await sync.resync() }
    try await Gate.wait { !source.asked.entries.isEmpty }
    task.cancel()
    let report = try await task.value
    #expect(!report.isComplete && source.asked.entries.count == 1)
    #expect(report.wallets[0].told[0].contains("stopped"))
  }
}
