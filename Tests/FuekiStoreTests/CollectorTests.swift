import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import SwiftProtobuf
import Synchronization
import TestSupport
import Testing

@Suite struct CollectorTests {
  @Test func `a backup is of one moment while the wallet goes on writing`() throws {
    let scratch = try TemporaryDirectory()
    let directory = scratch.path("data")
    let store = try WalletStore.create(directory)
    try store.wallets.save(Samples.wallet(1))
    let isDone = Mutex(false)
    let hasBegun = Mutex(false)
    // Each transaction of the writer adds a transaction, its receipt, and a contact.
    let writer = OrderedWorkers<Int>(width: 1, window: 1)
    // Also when an assertion throws, because leaving the scope waits for the workers.
    defer { isDone.withLock { $0 = true } }
    writer.submit {
      let live = try WalletStore.open(directory)
      var number = 0
      while !isDone.withLock({ $0 }) {
        _ = try live.importRecords { records in
          try records.add([Samples.transaction(number, wallet: 1)])
          try records.add([Samples.receipt(number)])
          try records.add([Contact.with { $0.id = Samples.hash(number) }])
        }
        number += 1
        hasBegun.withLock { $0 = true }
        // Keeps writing without taking a whole core from other tests.
        SystemClock.sleep(seconds: 0.002)
      }
      return number
    }
    let deadline = SystemClock.monotonicSeconds + 60
    while !hasBegun.withLock({ $0 }), SystemClock.monotonicSeconds < deadline {
      SystemClock.sleep(seconds: 0.01)
    }
    var counts: [UInt64] = []
    for round in 0..<5 {
      let bundle = try Pipeline.bundle(directory)
      let report = try #require(bundle.reports.first)
      let path = scratch.path("\(round).fueki")
      if report.records(in: .transactions) > 0 {
        try Pipeline.write(bundle, to: path)
        let recorder = try Pipeline.records(path)
        let transactions: [Transaction] = try recorder.decoded()
        let receipts: [Receipt] = try recorder.decoded()
        #expect(transactions.map(\.id) == receipts.map(\.transactionID))
        #expect(try (recorder.decoded() as [Contact]).count == transactions.count)
        #expect(UInt64(transactions.count) == report.records(in: .transactions))
      }
      counts.append(report.records(in: .transactions))
    }
    isDone.withLock { $0 = true }
    let written = try #require(try writer.next())
    #expect(counts == counts.sorted() && counts.last ?? 0 > 0 && counts.last ?? 0 <= written)
  }

  @Test func `key shares and private keys leave as they are asked to`() throws {
    let scratch = try TemporaryDirectory()
    let directory = scratch.path("data")
    let store = try WalletStore.create(directory)
    try store.wallets.save(Samples.wallet(1, kind: "tss"))
    try store.keyShareDescriptors.save(Samples.descriptor(1))
    try store.keyShareDescriptors.save(Samples.descriptor(2))
    let editor = try KeychainEditor(slots: [try Cheap.slot("p")])
    try editor.add(share: Samples.descriptor(1), secret: try Samples.secret("share secret").bytes)
    try editor.add(
      PrivateKeyRecord(
        id: [UInt8](repeating: 5, count: 16), walletID: nil, kind: "seed-phrase", name: "",
        secret: try Samples.secret("abandon"), createdAt: nil))
    try editor.write(in: directory)

    let usual = try Pipeline.bundle(directory, try Cheap.opening("p"))
    let report = try #require(usual.reports.first)
    #expect(report.complete && report.excluded.map(\.what) == ["private keys and seed phrases"])
    #expect(report.records(in: .keyShares) == 1 && report.records(in: .keyShareDescriptors) == 2)
    #expect(!usual.sections.contains(.privateKeys))
    let all = CollectionRequest(includesPrivateKeys: true)
    try Pipeline.write(
      try Pipeline.bundle(directory, try Cheap.opening("p"), all), to: scratch.path("a.fueki"))

    let destination = try StoreDestination(
      dataDirectory: scratch.path("new"), keychainSlots: [try Cheap.slot("q")])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination, keychain: destination.keychain)
    let keychain = try Keychain.read(scratch.path("new"), with: try Cheap.opening("q"))
    #expect(keychain.shares.map(\.descriptor) == [Samples.descriptor(1)])
    #expect(
      keychain.shares[0].secret.bytes.isEqualInConstantTime(to: try Samples.secret("share secret").bytes))
    #expect(try keychain.privateKeys().map(\.kind) == ["seed-phrase"])
    #expect(try WalletStore.open(scratch.path("new")).keyShareDescriptors.fetch().count == 2)
  }

  @Test func `a keychain that does not open stops the backup, unless no secret is wanted`() throws {
    let scratch = try TemporaryDirectory()
    let directory = scratch.path("data")
    let store = try WalletStore.create(directory)
    try store.wallets.save(Samples.wallet(1, kind: "tss"))
    #expect(throws: CollectError.keychain(.notThere)) {
      try Pipeline.bundle(directory, try Cheap.opening("p"))
    }
    try KeychainEditor(slots: [try Cheap.slot("p")]).write(in: directory)
    #expect(throws: CollectError.keychain(.missingSecret)) { try Pipeline.bundle(directory) }
    #expect(throws: CollectError.keychain(.wrongSecret)) {
      try Pipeline.bundle(directory, try Cheap.opening("q"))
    }
    let request = CollectionRequest(selection: try SectionSelection(only: [], exclude: ["secrets"]))
    #expect(try Pipeline.bundle(directory, nil, request).reports.first?.complete == true)
  }

  @Test func `without secrets there need be no keychain, and caches never leave`() throws {
    let scratch = try TemporaryDirectory()
    let directory = scratch.path("data")
    try WalletStore.create(directory).wallets.save(Samples.wallet(1, kind: "watch-only"))
    try execute(
      directory,
      "INSERT INTO price_cache VALUES ('btc', 'jpy', '1', 0); INSERT INTO sessions VALUES ('a', x'00', 0)")
    let report = try #require(try Pipeline.bundle(directory).reports.first)
    #expect(report.complete)
    #expect(Set(report.excluded.map(\.what)) == ["keychain", "price_cache", "sessions"])
    #expect(report.excluded.allSatisfy { !$0.reason.isEmpty })
  }

  @Test func `what is not asked for is named, and records that break their rules are noted`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var odd = Samples.wallet(1, kind: "watch-only")
    odd.address = PackedText.pack("0x1234")
    try store.wallets.load([odd])
    try store.transactions.load([Samples.transaction(1, wallet: 1)])
    let request = CollectionRequest(selection: try SectionSelection(only: ["wallets"], exclude: []))
    let bundle = try Pipeline.bundle(scratch.path("data"), nil, request)
    #expect(bundle.sections == [.wallets])
    #expect(bundle.reports.first?.excluded.contains { $0.what == "transactions" && $0.byRequest } == true)
    #expect(bundle.problems.map(\.id) == [odd.id])

    try Pipeline.write(bundle, to: scratch.path("a.fueki"))
    let destination = try StoreDestination(dataDirectory: scratch.path("new"), keychainSlots: [])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination)
    let marks = try rows(scratch.path("new"), "SELECT section, id FROM marks")
    #expect(marks == [[2.databaseValue, odd.id.databaseValue]])
  }

  @Test func `many rows make many batches, whatever their sizes`() throws {
    let scratch = try TemporaryDirectory()
    let builder = try StoreBuilder(dataDirectory: scratch.path("data"))
    try builder.insert([Samples.wallet(1, kind: "watch-only")])
    var transactions = (0..<9000).map { Samples.transaction($0, wallet: 1) }
    for place in stride(from: 0, to: 9000, by: 1500) {
      transactions[place].data = Data(repeating: 1, count: 1 << 20)
    }
    try builder.insert(transactions)
    try builder.finish().close()
    try execute(scratch.path("data"), "DELETE FROM transactions WHERE row_id BETWEEN 3000 AND 3500")
    try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: scratch.path("a.fueki"))
    let read: [Transaction] = try Pipeline.records(scratch.path("a.fueki")).decoded()
    #expect(read == Array(transactions[..<2999] + transactions[3500...]))
  }

  @Test
  func `rows are collected wherever their numbers are, and where they are larger than the first and last`()
    throws
  {
    let scratch = try TemporaryDirectory()
    let builder = try StoreBuilder(dataDirectory: scratch.path("data"))
    try builder.insert([Samples.wallet(1, kind: "watch-only")])
    var transactions = (0..<3000).map { Samples.transaction($0, wallet: 1) }
    for place in 1000..<1100 { transactions[place].data = Data(repeating: 1, count: 64 << 10) }
    try builder.insert(transactions)
    try builder.finish().close()
    let changes = [
      "", "UPDATE transactions SET row_id = -row_id; UPDATE transactions SET row_id = -row_id * 1000000007",
      "UPDATE transactions SET row_id = \(Int64.max) WHERE row_id = 3000 * 1000000007",
      "UPDATE transactions SET row_id = \(Int64.min) WHERE row_id = 1000000007",
    ]
    for (number, change) in changes.enumerated() {
      if !change.isEmpty { try execute(scratch.path("data"), change) }
      let archive = scratch.path("\(number).fueki")
      try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: archive)
      let read: [Transaction] = try Pipeline.records(archive).decoded()
      #expect(read == transactions)
    }
  }
}
