import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import SwiftProtobuf
import Testing

/// What a source did not tell is neither taken for told nor for gone.
struct LostHistoryTests {
  private let scripted = ScriptedSync()

  private static func partial(_ hashes: [String], at height: UInt64, reached: UInt64?) -> WalletFindings {
    var findings = ScriptedSync.findings(height, hashes: hashes)
    findings.partial = "walked some blocks"
    findings.reached = reached.map { height in Checkpoint.with { $0.height = height } }
    return findings
  }

  @Test(arguments: [5000, nil] as [UInt64?])
  func `a wallet that came without its history is looked at on from where a bound stopped`(reached: UInt64?)
    async throws
  {
    let synced = try SyncedStore()
    var wallet = try scripted.wallet(in: synced, kinds: "a")
    wallet.birthday.height = 1000
    wallet.lastSynced.height = 9000
    wallet.balance = "5"
    try synced.store.wallets.save(wallet)
    let source = Scripted { _, number in
      number == 0
        ? Self.partial(["0x01"], at: 9100, reached: reached)
        : ScriptedSync.findings(9100, hashes: ["0x01", "0x02"])
    }
    let first = try await scripted.sync(synced, ["a": source]).resync()
    #expect(!first.isComplete)
    let second = try await scripted.sync(synced, ["a": source]).resync()
    #expect(second.isComplete && second.wallets[0].counts.added == 1)
    #expect(source.asked.entries.map(\.startHeight) == [936, (reached ?? 936) - 64])
    #expect(try synced.wallet(wallet.id).lastSynced.height == 9100)
  }

  @Test func `the next source is asked about what the first left open of a wallet without its history`()
    async throws
  {
    let synced = try SyncedStore()
    var wallet = try scripted.wallet(in: synced, kinds: "a", "b")
    wallet.lastSynced.height = 9000
    wallet.balance = "5"
    try synced.store.wallets.save(wallet)
    let node = Scripted { _, _ in Self.partial(["0x01"], at: 9100, reached: 4096) }
    let server = Scripted { _, _ in ScriptedSync.findings(9100, hashes: ["0x02"]) }
    let report = try await scripted.sync(synced, ["a": node, "b": server]).resync()
    #expect(report.isComplete)
    #expect(server.asked.entries.map(\.startHeight) == [4032])
  }

  @Test func `a search from a height that stops at a bound goes on from there, and takes nothing else back`()
    async throws
  {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      switch number {
      case 0: ScriptedSync.findings(9000, hashes: ["0x01"])
      case 1: Self.partial([], at: 9001, reached: nil)
      case 2: Self.partial([], at: 9001, reached: 4096)
      default: ScriptedSync.findings(9001, hashes: ["0x01"])
      }
    }
    _ = try await scripted.sync(synced, ["a": source]).resync()
    _ = try await scripted.sync(synced, ["a": source], start: .height(0)).resync()
    #expect(try synced.wallet(wallet.id).lastSynced.height == 9000)
    _ = try await scripted.sync(synced, ["a": source], start: .height(0)).resync()
    _ = try await scripted.sync(synced, ["a": source]).resync()
    #expect(source.asked.entries.map(\.startHeight) == [0, 0, 0, 4032])
    #expect(try synced.wallet(wallet.id).lastSynced.height == 9001)
  }

  @Test func `a server a few blocks behind drops nothing that came later, and the person is told`()
    async throws
  {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      number == 0
        ? ScriptedSync.findings(105, hashes: ["0x01"]) : ScriptedSync.findings(103, balance: "1")
    }
    let sync = scripted.sync(synced, ["a": source])
    _ = try await sync.resync()
    let report = try await sync.resync()
    #expect(report.wallets[0].counts.dropped == 0)
    #expect(try synced.transactions(wallet.id).map(\.status) == ["confirmed"])
    #expect(report.wallets[0].warnings == ["https://a.test is at block 103, and block 105 was seen already"])
  }

  @Test func `what was not believed makes what is known no newer`() async throws {
    let synced = try SyncedStore()
    var wallet = try scripted.wallet(in: synced, kinds: "a")
    wallet.balance = "5000"
    wallet.updatedAt = Int64((scripted.clock.now() - 90_000) * 1_000_000)
    try synced.store.wallets.save(wallet)
    let source = Scripted { _, number throws(SyncError) in
      guard number < 2 else { throw .transport(.deadline) }
      return ScriptedSync.findings(100, balance: "0")
    }
    let first = try await scripted.sync(synced, ["a": source]).resync()
    #expect(!first.isComplete)
    // Another run a moment later: what was recorded is as old as it was, and no success.
    let second = try await scripted.sync(synced, ["a": source], policy: .cacheFirst).resync()
    #expect(!second.isComplete && source.asked.entries.count == 2)
    let third = try await scripted.sync(synced, ["a": source]).resync()
    #expect(third.wallets[0].state == .stale(seconds: 90_000))
    #expect(try synced.wallet(wallet.id) == wallet)
  }

  @Test
  func `what was told of a wallet with too few addresses is told anew, and a person's own record is not`()
    async throws
  {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    let source = Scripted { _, number in
      var findings = ScriptedSync.findings(100, hashes: ["0x01", "0x02"])
      for place in findings.transactions.indices {
        findings.transactions[place].transaction.amount = number == 0 ? "900" : "300"
        findings.transactions[place].transaction.to = PackedText.pack(number == 0 ? "own" : "other")
      }
      return findings
    }
    var record = Transaction()
    record.id = PackedText.pack("a")
    record.walletID = wallet.id
    record.hash = PackedText.pack("0x02")
    record.amount = "17"
    record.status = "pending"
    try synced.store.transactions.insert([record])
    for _ in 0..<2 { _ = try await scripted.sync(synced, ["a": source]).resync() }
    let found = try synced.transactions(wallet.id)
    let told = try #require(found.first { $0.hash == PackedText.pack("0x01") })
    #expect(told.amount == "300" && PackedText.text(told.to) == "other")
    #expect(found.first { $0.id == record.id }?.amount == "17")
  }

  @Test func `those that no block holds hide none that one does`() throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    var records: [Transaction] = []
    for place in 0...150 {
      var record = Transaction()
      record.id = PackedText.pack("t\(place)")
      record.walletID = wallet.id
      record.hash = PackedText.pack("0x\(place)")
      record.amount = "1"
      record.status = place == 0 ? "confirmed" : "dropped"
      if place == 0 { record.blockNumber = 95 }
      record.timestamp = Int64(place)
      records.append(record)
    }
    try synced.store.transactions.insert(records)
    #expect(try synced.ledger.open(of: wallet.id, from: 90).map(\.id) == [records[0].id])
  }
}
