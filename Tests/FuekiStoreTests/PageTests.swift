import FoundationEssentials
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct PageTests {
  /// Reads a query page by page, and does something after each page.
  private func pages<Record: SectionRecord>(
    of records: Repository<Record>, _ query: Query<Record>, limit: Int,
    then body: (Int) throws -> Void = { _ in }
  ) throws -> [[Record]] {
    var pages: [[Record]] = []
    var cursor: PageCursor?
    repeat {
      let page = try records.page(query, after: cursor, limit: limit)
      pages.append(page.records)
      // A cursor survives as text.
      cursor = try page.next.map { try #require(PageCursor($0.description)) }
      try body(pages.count)
    } while cursor != nil
    return pages
  }

  @Test func `pages have all records once, in order, whatever their size`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    // Some have equal times, some none.
    let transactions = (0..<20).map { number in
      var transaction = Samples.transaction(number, wallet: 1)
      transaction.timestamp = Int64(number / 4 - 2)
      if number % 5 == 0 { transaction.clearTimestamp() }
      return transaction
    }
    try store.transactions.load(transactions)
    let query = Query<Transaction>.of(wallet: Samples.wallet(1).recordID)
    let all = try store.transactions.fetch(query)
    #expect(all.count == 20 && all.prefix(16).allSatisfy(\.hasTimestamp))
    #expect(all.prefix(16).map(\.timestamp) == all.prefix(16).map(\.timestamp).sorted(by: >))
    #expect(try store.transactions.fetch(query.reversed()) == all.reversed())
    for limit in [1, 3, 4, 16, 19, 20, 21] {
      let pages = try self.pages(of: store.transactions, query, limit: limit)
      #expect(pages.flatMap { $0 } == all)
      #expect(pages.dropLast().allSatisfy { $0.count == limit } && pages.count == (19 + limit) / limit)
      #expect(
        try self.pages(of: store.transactions, query.reversed(), limit: limit).flatMap { $0 }
          == all.reversed())
      #expect(try self.pages(of: store.transactions, .all, limit: limit).flatMap { $0 } == transactions)
    }
  }

  @Test func `records added or removed between pages neither repeat nor leave out others`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    try store.transactions.load((0..<10).map { Samples.transaction($0 * 10, wallet: 1) })
    let query = Query<Transaction>.of(wallet: Samples.wallet(1).recordID)
    let seen = try pages(of: store.transactions, query, limit: 3) { page in
      // One newer than all, one older than those read, one at a time read last; the last one read goes.
      try store.transactions.save(Samples.transaction(1000 + page, wallet: 1))
      if page == 1 {
        try store.transactions.save(Samples.transaction(25, wallet: 1))
        try store.transactions.delete(Samples.transaction(70, wallet: 1).recordID)
      }
    }
    #expect(
      seen.flatMap { $0 }.map(\.amount) == ["90", "80", "70", "60", "50", "40", "30", "25", "20", "10", "0"])
  }

  @Test func `records in the order of their addition end with those added meanwhile`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.load((1...4).map { Samples.wallet($0) })
    let seen = try pages(of: store.wallets, .all, limit: 2) { page in
      if page == 1 { try store.wallets.save(Samples.wallet(9)) }
    }
    #expect(
      seen.map { $0.map(\.name) } == [["wallet 1", "wallet 2"], ["wallet 3", "wallet 4"], ["wallet 9"]])
  }

  @Test func `receipts with and without a transaction are in one list`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.transactions.load((0..<3).map { Samples.transaction($0, wallet: 1) })
    try store.receipts.load((0..<6).map { Samples.receipt($0) })
    for limit in 1...7 {
      let pages = try self.pages(of: store.receipts, .all, limit: limit)
      #expect(pages.flatMap { $0 } == (0..<6).map { Samples.receipt($0) })
    }
  }

  @Test func `a text that is no cursor is not taken for one`() throws {
    for text in ["", "1.2", "a.b.c", "-1.0.0", "0.0.0.0", "00.1.2", "0.1.9223372036854775808"] {
      #expect(PageCursor(text) == nil, "\(text)")
    }
    #expect(PageCursor("1.-5.7")?.description == "1.-5.7")
  }
}
