import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import TestSupport
import Testing

/// Merging a chain's findings into a store.
@Suite struct ResyncMergeTests {
  private static func hash(_ number: Int) -> Data {
    let digits = String(number, radix: 16)
    return PackedText.pack("0x" + String(repeating: "5", count: 64 - digits.count) + digits)
  }

  private static func record(_ number: Int, status: String = "confirmed") -> Transaction {
    var record = Transaction()
    record.hash = hash(number)
    record.from = Samples.address(1)
    record.to = Samples.address(2)
    record.amount = "\(number)"
    record.status = status
    record.blockNumber = UInt64(number)
    record.timestamp = Int64(number) * 1_000_000
    return record
  }

  /// The store has 10,000 transactions, or 100,000 with FUEKI_FULL=1.
  @Test func `the cost of 1,000 new transactions is theirs, however many are there`() throws {
    let count = TestSeed.isFull ? 100_000 : 10_000
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let present = (0..<count).map { number in
      var record = Self.record(number)
      record.id = Samples.id(number)
      record.walletID = Samples.id(1)
      return record
    }
    try store.transactions.load(present)
    let ledger = StoreLedger(store)
    // Transactions that a reorganisation may remove are among the newest.
    #expect(try ledger.open(of: Samples.id(1), from: UInt64(count - 50)).count == 50)

    var update = ChainUpdate(walletID: Samples.id(1), time: 1)
    update.transactions = (count - 50..<count + 1000).map { ChainUpdate.Entry(Self.record($0)) }
    let counts = try ledger.merge(update)
    #expect(counts.added == 1000 && counts.updated == 0 && counts.dropped == 0)
    #expect(counts.rowsRead == 50)
    #expect(try store.transactions.count() == count + 1000)
    let again = try ledger.merge(update)
    #expect(again.added == 0 && again.updated == 0 && again.rowsRead == 1050)
  }

  @Test func `ids are the same wherever a chain is asked, and differ between wallets and logs`() throws {
    var ids: [Set<Data>] = []
    for _ in 0..<2 {
      let scratch = try TemporaryDirectory()
      let store = try WalletStore.create(scratch.path("data"))
      for wallet in 1...2 { try store.wallets.save(Samples.wallet(wallet)) }
      for wallet in 1...2 {
        var update = ChainUpdate(walletID: Samples.id(wallet), time: 1)
        for log in [UInt64?.none, 3, 4] {
          var entry = ChainUpdate.Entry(Self.record(7))
          entry.logIndex = log
          entry.contract = log.map { _ in Samples.address(9) }
          update.transactions.append(entry)
        }
        #expect(try StoreLedger(store).merge(update).added == 3)
      }
      ids.append(Set(try store.transactions.fetch(.hash(Self.hash(7))).map(\.id)))
    }
    #expect(ids[0].count == 6 && ids[0] == ids[1])
  }

  @Test func `a record whose hash is in capitals is the chain's, and stays the one it is`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let small = PackedText.pack("0x" + String(repeating: "ab", count: 32))
    var kept = Self.record(7, status: "pending")
    kept.id = Samples.id(70)
    kept.walletID = Samples.id(1)
    kept.hash = PackedText.pack("0x" + String(repeating: "AB", count: 32))
    kept.clearBlockNumber()
    try store.transactions.load([kept])
    var found = Self.record(7)
    found.hash = small
    var update = ChainUpdate(walletID: Samples.id(1), time: 1)
    update.transactions = [ChainUpdate.Entry(found)]
    let counts = try StoreLedger(store).merge(update)
    #expect(counts.added == 0 && counts.updated == 1)
    let after = try #require(try store.transactions.find(kept.recordID))
    #expect(after.hash == kept.hash && after.status == "confirmed" && after.blockNumber == 7)
    #expect(try store.transactions.count() == 1)
  }

  @Test func `a transfer is one, whether its log is named or not`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let ledger = StoreLedger(store)
    for logs in [[nil, nil], [4, 5], [nil, nil], [5, 4]] as [[UInt64?]] {
      var update = ChainUpdate(walletID: Samples.id(1), time: 1)
      update.transactions = logs.map { log in
        var entry = ChainUpdate.Entry(Self.record(7))
        entry.contract = Samples.address(9)
        entry.logIndex = log
        return entry
      }
      _ = try ledger.merge(update)
      #expect(try store.transactions.fetch(.hash(Self.hash(7))).count == 2)
    }
  }

  @Test func `coins that a contract sent take no other record's place, and are found in another program's`()
    throws
  {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    // The store kept the transaction and one of its two transfers, neither with a log index or trace.
    var outer = Self.record(7)
    (outer.id, outer.walletID, outer.amount) = (Samples.id(70), Samples.id(1), "0")
    var known = outer
    (known.id, known.from, known.to, known.amount) = (Samples.id(71), outer.to, outer.from, "3")
    known.metadata = "from the exchange"
    try store.transactions.load([known, outer])
    var entries = [ChainUpdate.Entry(Self.record(7))]
    entries[0].transaction.amount = "0"
    entries[0].transaction.fee = "21"
    for (trace, amount) in [("0", "3"), ("1", "4")] {
      var entry = ChainUpdate.Entry(known)
      (entry.transaction.id, entry.transaction.amount, entry.trace) = (Data(), amount, trace)
      entry.transaction.clearMetadata()
      entries.append(entry)
    }
    for turn in 0..<2 {
      var update = ChainUpdate(walletID: Samples.id(1), time: 1)
      update.transactions = entries.reversed()
      #expect(try StoreLedger(store).merge(update).added == (turn == 0 ? 1 : 0))
      let kept = try store.transactions.fetch(.hash(Self.hash(7))).sorted { $0.amount < $1.amount }
      #expect(kept.map(\.amount) == ["0", "3", "4"] && kept.map(\.hasFee) == [true, false, false])
      #expect(kept[0].id == outer.id && kept[1] == known)
    }
  }

  @Test func `what is gone keeps all but its block, and a merge that fails changes nothing`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let ledger = StoreLedger(store)
    var update = ChainUpdate(walletID: Samples.id(1), time: 1)
    update.transactions = [ChainUpdate.Entry(Self.record(7))]
    _ = try ledger.merge(update)
    var gone = Transaction()
    gone.hash = Self.hash(7)
    gone.status = "dropped"
    update.transactions = [ChainUpdate.Entry(gone)]
    #expect(try ledger.merge(update).dropped == 1)
    let record = try #require(try store.transactions.fetch(.hash(Self.hash(7))).first)
    #expect(record.status == "dropped" && record.amount == "7" && !record.hasBlockNumber)
    #expect(throws: StoreError.noRecord(table: "wallets")) {
      _ = try ledger.merge(ChainUpdate(walletID: Samples.id(5), time: 1))
    }
  }

  @Test func `key indices only grow, and checkpoints are kept`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    let ledger = StoreLedger(store)
    for (height, used) in [(100, 5), (200, 3), (190, 9)] as [(UInt64, UInt32)] {
      var update = ChainUpdate(walletID: Samples.id(1), time: 1)
      var synced = Checkpoint()
      synced.height = height
      update.synced = synced
      var index = KeychainIndex()
      index.name = "resynced"
      index.lastUsed = used
      update.keychains = [index]
      _ = try ledger.merge(update)
    }
    let wallet = try #require(try store.wallets.find(RecordID(packed: Samples.id(1))))
    #expect(wallet.lastSynced.height == 190)
    let index = try #require(wallet.keychains.first { $0.name == "resynced" })
    #expect(index.lastUsed == 9 && index.lastRevealed == 9)
  }
}
