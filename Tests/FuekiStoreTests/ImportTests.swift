import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import GRDB
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct ImportTests {
  @Test func `records are imported in any order, and a second time change nothing`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let add = { (records: StoreImport) in
      try records.add([Samples.receipt(1)])
      try records.add([Samples.transaction(1, wallet: 1)])
      try records.add([Samples.wallet(1)])
      try records.add(Samples.awkward().files)
      try records.add([Setting.with { $0.key = "a" }])
    }
    let first = try store.importRecords { try add($0) }
    #expect(first.conflicts.isEmpty)
    #expect(
      first.counts.mapValues(\.added)
        == [.receipts: 1, .transactions: 1, .wallets: 1, .files: 2, .settings: 1])
    let second = try store.importRecords { try add($0) }
    #expect(second.changesNothing && second.counts.mapValues(\.equal) == first.counts.mapValues(\.added))
    #expect(try store.transactions.fetch(.of(wallet: RecordID(packed: Samples.id(1)))).count == 1)
    #expect(try rows(scratch.path("data"), "SELECT count(*) FROM receipts") == [[1.databaseValue]])
  }

  @Test func `a record that differs is not overwritten unasked`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    try store.receipts.save(Samples.receipt(1))
    var changed = Samples.wallet(1)
    changed.name = "other"
    var receipt = Samples.receipt(1)
    receipt.gasUsed = "1"
    let add = { (records: StoreImport) in
      try records.add([changed, Samples.wallet(2)])
      try records.add([receipt])
    }
    let refused = try store.importRecords { try add($0) }
    #expect(refused.changesNothing)
    #expect(refused.conflicts.map(\.section) == [.wallets, .receipts])
    #expect(refused.conflicts[0].id == PackedText.text(changed.id))
    #expect(try store.wallets.fetch() == [Samples.wallet(1)])

    let kept = try store.importRecords(onConflict: .skip) { try add($0) }
    #expect(kept.counts[.wallets]?.added == 1 && kept.conflicts.count == 2)
    #expect(try store.wallets.fetch() == [Samples.wallet(1), Samples.wallet(2)])

    let replaced = try store.importRecords(onConflict: .replace) { try add($0) }
    #expect(replaced.conflicts.map(\.resolution) == [.replaced, .replaced])
    #expect(try store.wallets.fetch() == [changed, Samples.wallet(2)])
    #expect(try store.receipts.fetch(.of(transaction: RecordID(packed: receipt.transactionID))) == [receipt])
  }

  @Test func `the last changed record is kept, or both are`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let old = Contact.with {
      $0.id = Samples.id(1)
      $0.name = "Ann"
      $0.updatedAt = 5
    }
    try store.contacts.save(old)
    var other = old
    other.name = "Anna"
    other.updatedAt = 4
    let earlier = try store.importRecords(onConflict: .newer) { try $0.add([other]) }
    #expect(earlier.conflicts.map(\.resolution) == [.kept])
    #expect(try store.contacts.fetch() == [old])
    let beside = try store.importRecords(onConflict: .rename) { try $0.add([other]) }
    #expect(beside.conflicts.map(\.resolution) == [.renamed])
    #expect(try store.contacts.fetch().map(\.name).sorted() == ["Ann", "Anna (restored)"])
    #expect(try store.importRecords(onConflict: .rename) { try $0.add([other]) }.changesNothing)
    other.updatedAt = 6
    let later = try store.importRecords(onConflict: .newer) { try $0.add([other]) }
    #expect(later.conflicts.map(\.resolution) == [.replaced])
    #expect(try store.contacts.fetch().map(\.name).sorted() == ["Anna", "Anna (restored)"])
  }

  @Test func `a wallet that is there under another id is the same one, with what belongs to it`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    let wallet = Samples.wallet(1)
    try store.wallets.save(wallet)
    var other = wallet
    other.id = Samples.id(900)
    let transaction = Samples.transaction(1, wallet: 900)
    let report = try store.importRecords { records in
      try records.add([other])
      try records.add([transaction])
    }
    #expect(report.counts[.wallets]?.equal == 1 && report.counts[.transactions]?.added == 1)
    #expect(try store.wallets.fetch() == [wallet])
    #expect(try store.transactions.fetch(.of(wallet: wallet.recordID)).count == 1)
  }

  @Test func `two files that say something else of one record are a conflict`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var other = Samples.wallet(1)
    other.name = "other"
    let add = { (records: StoreImport) in
      try records.add([Samples.wallet(1)])
      try records.add([other])
    }
    #expect(try store.importRecords { try add($0) }.conflicts.count == 1)
    #expect(try store.wallets.count() == 0)
    #expect(try store.importRecords(onConflict: .skip) { try add($0) }.conflicts.map(\.fields) == [["name"]])
    #expect(try store.wallets.fetch() == [Samples.wallet(1)])
  }

  @Test func `a record that is none undoes the import`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    #expect(throws: RecordsError.malformedRecord(section: "contacts")) {
      try store.importRecords { records in
        try records.add([Samples.wallet(1)])
        try records.add(framed: [3, 0x0A, 0x05, 0x01], of: .contacts)
      }
    }
    #expect(try store.wallets.count() == 0)
    #expect(throws: (any Error).self) {
      try store.importRecords { try $0.add(framed: [9, 0], of: .wallets) }
    }
  }
}
