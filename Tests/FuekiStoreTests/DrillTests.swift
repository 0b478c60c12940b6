import FuekiArchive
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import TestSupport
import Testing

@Suite struct DrillTests {
  private func drill(
    in scratch: borrowing TemporaryDirectory, tampering: (WalletStore) throws -> Void = { _ in }
  ) throws -> DrillReport {
    let source = try StoreBuilder(dataDirectory: scratch.path("data"))
    try source.insert([Samples.wallet(1), Samples.wallet(2)])
    try source.insert((0..<40).map { Samples.transaction($0, wallet: 1 + $0 % 2) })
    _ = try source.finish()
    try Pipeline.write(try Pipeline.bundle(scratch.path("data")), to: scratch.path("a.fueki"))
    let stored = try StoredArchive(reading: ArchiveFile(try File.open(scratch.path("a.fueki"))))
    let recovery = Recovery(clock: { 0 }, secrets: { try Pipeline.unlocking() })
    return try Drill(recovery, encodings: []).run(
      stored, progress: { _ in },
      prepare: { _ in
        (try StoreDestination(dataDirectory: scratch.path("room"), keychainSlots: []), nil)
      },
      restored: { _ in
        let store = try WalletStore.open(scratch.path("room"))
        try tampering(store)
        try store.close()
        return try Pipeline.bundle(scratch.path("room"))
      }, live: nil)
  }

  @Test func `what came back as it was is the same`() throws {
    let scratch = try TemporaryDirectory()
    let report = try drill(in: scratch)
    #expect(report.isSame && report.isComplete && report.records == 42)
    let statement = try DrillStatement(report, time: 1_795_276_016, signedWith: nil)
    #expect(statement.result == .same && statement.isAuthentic)
    #expect(DrillStatement(statement.line) == statement)
    for change in [(" same ", " fine "), ("-1 ", "-2 "), (" 42 ", " 042 "), (" - -", " -")] {
      #expect(DrillStatement(statement.line.replacing(change.0, with: change.1)) == nil, "\(change)")
    }
  }

  @Test func `one record that came back otherwise is found and named`() throws {
    let id = Samples.wallet(1).recordID
    let scratch = try TemporaryDirectory()
    let report = try drill(in: scratch) { store in
      try store.wallets.update(id) { $0.balance = "1" }
    }
    #expect(!report.isSame)
    #expect(report.difference.sections.filter { !$0.isEmpty }.map(\.section) == [.wallets])
    #expect(report.difference.sections.first { $0.section == .wallets }?.changed.count == 1)
    #expect(try DrillStatement(report, time: 0, signedWith: nil).result == .differs)
  }

  @Test func `one record that did not come back is found`() throws {
    let scratch = try TemporaryDirectory()
    let report = try drill(in: scratch) { store in
      try store.transactions.delete(Samples.transaction(7, wallet: 2).recordID)
    }
    #expect(report.difference.sections.first { $0.section == .transactions }?.removed.count == 1)
  }
}
