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
    #expect(first.added == [.receipts: 1, .transactions: 1, .wallets: 1, .files: 2, .settings: 1])
    let second = try store.importRecords { try add($0) }
    #expect(second.added.isEmpty && second.equal == first.added)
    #expect(try store.transactions.ofWallet(Samples.id(1), limit: 9).count == 1)
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
    #expect(refused.added.isEmpty)
    #expect(refused.conflicts.map(\.section) == [.wallets, .receipts])
    #expect(refused.conflicts[0].id == PackedText.text(changed.id))
    #expect(try store.wallets.all() == [Samples.wallet(1)])

    let kept = try store.importRecords(onConflict: .keep) { try add($0) }
    #expect(kept.added == [.wallets: 1] && kept.conflicts.count == 2)
    #expect(try store.wallets.all() == [Samples.wallet(1), Samples.wallet(2)])

    let replaced = try store.importRecords(onConflict: .replace) { try add($0) }
    #expect(replaced.replaced == [.wallets: 1, .receipts: 1])
    #expect(try store.wallets.all() == [changed, Samples.wallet(2)])
    #expect(try store.receipts.ofTransaction(receipt.transactionID) == [receipt])
  }

  @Test func `a record that is none undoes the import`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    #expect(throws: BackupError.malformedRecord(section: "contacts")) {
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
