import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiWallet
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct ImportTests {
  @Test func `records are imported in any order, and a second time change nothing`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var records = StoreImport(into: store)
    try records.add(Samples.receipt(1))
    try records.add(Samples.transaction(1, wallet: 1))
    try records.add(Samples.wallet(1))
    for part in Samples.awkward().files { try records.add(part) }
    try records.add(
      Setting.with {
        $0.key = "a"; $0.value = "1"
      })
    let first = try records.run()
    #expect(first.isApplied && first.conflicts.isEmpty)
    #expect(first.inserted == [.receipts: 1, .transactions: 1, .wallets: 1, .files: 2, .settings: 1])
    let second = try records.run()
    #expect(second.inserted.isEmpty && second.unchanged == first.inserted)
    #expect(try store.transactions.ofWallet(Samples.id(1), limit: 9).count == 1)
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
    var records = StoreImport(into: store)
    try records.add(changed)
    try records.add(receipt)
    try records.add(Samples.wallet(2))
    let refused = try records.run()
    #expect(!refused.isApplied && refused.inserted.isEmpty)
    #expect(
      refused.conflicts.map(\.section) == [.wallets, .receipts] && refused.conflicts[0].id == changed.id)
    #expect(try store.wallets.all() == [Samples.wallet(1)])

    let kept = try records.run(onConflict: .keep)
    #expect(kept.isApplied && kept.inserted == [.wallets: 1])
    #expect(try store.wallets.all() == [Samples.wallet(1), Samples.wallet(2)])

    let replaced = try records.run(onConflict: .replace)
    #expect(replaced.replaced == [.wallets: 1, .receipts: 1])
    #expect(try store.wallets.all() == [changed, Samples.wallet(2)])
    #expect(try store.receipts.ofTransaction(receipt.transactionID) == [receipt])
  }

  @Test func `a record that is none undoes the import`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    var records = StoreImport(into: store)
    try records.add(Samples.wallet(1))
    try records.add(framed: [3, 0x0A, 0x05, 0x01], of: .contacts)
    #expect(throws: BackupError.malformedRecord(section: "contacts")) { try records.run() }
    #expect(try store.wallets.count() == 0)
    #expect(throws: (any Error).self) { try records.add(framed: [9, 0], of: .wallets) }
  }
}
