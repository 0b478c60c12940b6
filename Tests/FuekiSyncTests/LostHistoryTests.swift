import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSync
import FuekiWallet
import SwiftProtobuf
import Testing

/// Missing history counts neither as received nor as deleted.
struct LostHistoryTests {
  private let scripted = ScriptedSync()

  private static func partial(_ hashes: [String], at height: UInt64, reached: UInt64?) -> WalletFindings {
    var findings = ScriptedSync.findings(height, hashes: hashes)
    findings.partial = .walked(blocks: 1, of: 2)
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
    try synced.store.wallets.load([wallet])
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
    try synced.store.wallets.load([wallet])
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
    let place = SourcePlace(kind: "a", server: "https://a.test")
    #expect(report.wallets[0].warnings == [.behind(place, height: 103, known: 105)])
  }

  @Test func `what was not believed makes what is known no newer`() async throws {
    let synced = try SyncedStore()
    var wallet = try scripted.wallet(in: synced, kinds: "a")
    wallet.balance = "5000"
    wallet.updatedAt = Int64((scripted.clock.now() - 90_000) * 1_000_000)
    try synced.store.wallets.load([wallet])
    let source = Scripted { _, number throws(SyncError) in
      guard number < 2 else { throw .transport(.deadline) }
      return ScriptedSync.findings(100, balance: "0")
    }
    let first = try await scripted.sync(synced, ["a": source]).resync()
    #expect(!first.isComplete)
    // A resync a moment later is still incomplete, and the stored values keep their age.
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
    try synced.store.transactions.load([record])
    for _ in 0..<2 { _ = try await scripted.sync(synced, ["a": source]).resync() }
    let found = try synced.transactions(wallet.id)
    let told = try #require(found.first { $0.hash == PackedText.pack("0x01") })
    #expect(told.amount == "300" && PackedText.text(told.to) == "other")
    #expect(found.first { $0.id == record.id }?.amount == "17")
  }

  /// Returns findings of transfers in one transaction, given the log index, amount and receiver of each.
  private static func transfers(_ found: [(UInt64, String, String)], at height: UInt64) -> WalletFindings {
    var findings = ScriptedSync.findings(height)
    findings.transactions = found.map { log, amount, to in
      var record = Transaction()
      record.hash = PackedText.pack("0x01")
      record.from = PackedText.pack("0x1111111111111111111111111111111111111111")
      record.to = PackedText.pack(to)
      record.amount = amount
      record.status = "confirmed"
      record.blockNumber = height
      var found = FoundTransaction(record, logIndex: log)
      found.contract = PackedText.pack("0x2222222222222222222222222222222222222222")
      return found
    }
    return findings
  }

  @Test(
    arguments: [
      // Transfers in the first block and in its replacement: log index, amount, receiver.
      ([(0, "9", "a")], [(5, "9", "a")]), ([(0, "9", "a")], [(0, "7", "a")]),
      ([(0, "9", "a"), (1, "8", "b")], [(1, "9", "a"), (2, "8", "b")]),
      ([(0, "9", "a"), (1, "9", "a")], [(1, "9", "a"), (2, "9", "a")]),
      ([(0, "9", "a"), (1, "8", "b")], [(1, "8", "b"), (0, "7", "a")]),
      ([(0, "9", "a"), (1, "8", "b")], [(1, "6", "c"), (2, "8", "b"), (3, "9", "a")]),
      ([(0, "9", "a"), (1, "8", "b")], [(4, "8", "b")]), ([(0, "9", "a")], []),
    ] as [([(UInt64, String, String)], [(UInt64, String, String)])])
  func `token transfers of a transaction that came into another block are what they are there`(
    before: [(UInt64, String, String)], after: [(UInt64, String, String)]
  ) async throws {
    for listsHistory in [true, false] {
      let synced = try SyncedStore()
      let wallet = try scripted.wallet(in: synced, kinds: "a")
      let source = Scripted { _, number in
        var findings = Self.transfers(number == 0 ? before : after, at: number == 0 ? 100 : 101)
        findings.listsHistory = listsHistory
        return findings
      }
      let sync = scripted.sync(synced, ["a": source])
      for _ in 0..<3 {
        let report = try await sync.resync()
        #expect(report.isComplete)
      }
      let counts = try await sync.resync().wallets[0].counts
      #expect(counts.added + counts.updated + counts.dropped == 0)
      let found = try synced.transactions(wallet.id)
      let standing = found.filter { $0.status == "confirmed" }
        .map { "\($0.amount) \(PackedText.text($0.to) ?? "") \($0.blockNumber)" }.sorted()
      #expect(standing == after.map { "\($0.1) \($0.2) 101" }.sorted())
      #expect(found.count == max(before.count, after.count))
    }
  }

  @Test func `a transfer that another program noted in its own way is not taken for undone`() async throws {
    let synced = try SyncedStore()
    let wallet = try scripted.wallet(in: synced, kinds: "a")
    var record = Self.transfers([(0, "9.5", "a")], at: 100).transactions[0].transaction
    record.id = PackedText.pack("app")
    record.walletID = wallet.id
    record.metadata = #"{"token":"0x2222222222222222222222222222222222222222","shown":"9.5 T"}"#
    try synced.store.transactions.load([record])
    let source = Scripted { _, _ in Self.transfers([(0, "9500000", "a")], at: 100) }
    _ = try await scripted.sync(synced, ["a": source]).resync()
    #expect(try synced.store.transactions.find(record.recordID)?.status == "confirmed")
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
    try synced.store.transactions.load(records)
    #expect(try synced.ledger.open(of: wallet.id, from: 90).map(\.id) == [records[0].id])
  }
}
