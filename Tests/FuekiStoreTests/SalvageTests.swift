import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct SalvageTests {
  @Test func `records whose parents are lost are kept, with their parents' ids, and counted`() throws {
    let scratch = try TemporaryDirectory()
    let source = try StoreBuilder(dataDirectory: scratch.path("data"))
    try source.insert([Samples.wallet(1), Samples.wallet(2)])
    let transactions = (0..<40).map { Samples.transaction($0, wallet: 1 + $0 % 2) }
    try source.insert(transactions)
    try source.insert((0..<40).map { Samples.receipt($0) })
    _ = try source.finish()
    try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: scratch.path("a.fueki"))

    var bytes = try scratch.read("a.fueki")
    let headerBytes = 48 + Int(bytes[12]) + Int(bytes[13]) << 8
    bytes[headerBytes + 50] ^= 1
    try scratch.write(bytes, to: "b.fueki")
    let stored = try StoredArchive(reading: ArchiveFile(try File.open(scratch.path("b.fueki"))))
    var recovery = Recovery(
      clock: { 0 },
      secrets: { try Pipeline.unlocking() })
    recovery.options.salvages = true
    let destination = try StoreDestination(dataDirectory: scratch.path("restored"), keychainSlots: [])
    let outcome = try recovery.run(stored, resyncer: nil, progress: { _ in }) { _ in (destination, nil) }
    #expect(outcome.losses.sections.map(\.section) == [1, 2])

    let found = try destination.orphans()
    #expect(found.map(\.section) == [.transactions] && found.map(\.parent) == [.wallets])
    #expect(found.map(\.count) == [40])
    let store = try WalletStore.open(scratch.path("restored"))
    #expect(try store.wallets.count() == 0)
    #expect(try store.transactions.count() == 40 && store.receipts.count() == 40)
    #expect(try store.transactions.find(transactions[3].recordID) == transactions[3])
  }
}
