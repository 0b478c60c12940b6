import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import SwiftProtobuf
import TestSupport
import Testing

/// Stores with contents that this program never writes.
///
/// Each is read or refused without a crash.
@Suite struct OddStoreTests {
  private static let records: [any SectionRecord] = [
    Samples.wallet(1), Samples.transaction(1, wallet: 1), Samples.receipt(1),
    Contact.with {
      $0.id = Samples.id(3); $0.address = Samples.address(3)
    },
    Asset.with {
      $0.id = Samples.id(4); $0.walletID = Samples.id(1); $0.contract = Samples.address(4)
    },
  ]

  private static func update() -> ChainUpdate {
    var update = ChainUpdate(walletID: Samples.id(1), time: 1)
    update.balance = "7"
    update.synced = Checkpoint.with { $0.height = 8 }
    var transaction = Samples.transaction(1, wallet: 1)
    transaction.id = Data()
    var entry = ChainUpdate.Entry(transaction)
    entry.receipt = Samples.receipt(1)
    entry.receipt?.gasUsed = "9"
    update.transactions = [entry]
    update.assets = [Asset.with { $0.contract = Samples.address(4) }]
    return update
  }

  private static let tables = [
    "wallets", "transactions", "receipts", "contacts", "assets", "marks", "price_cache", "meta",
  ]

  private static func make(_ directory: String) throws {
    try Merging.make(directory, records)
    try execute(
      directory,
      """
      INSERT INTO marks (section, id, problem) SELECT 1, id, 'odd' FROM wallets;
      INSERT INTO price_cache VALUES ('a', 'b', '1', 1);
      """)
  }

  /// Copies a store, which is quicker than making one.
  private static func copy(_ directory: String, to other: String) throws {
    try Directory.makePrivateDirectories(other)
    let from = try Directory.open(directory)
    let to = try Directory.open(other)
    for name in try from.list().map(\.name) {
      try to.createFile(name).pwriteAll(from.openFile(name).readAll(limit: 1 << 30), at: 0)
    }
  }

  @Test(arguments: ["'text'", "''", "X'FF00FE'", "-9223372036854775807 - 1", "9e300", "NULL"])
  func `every column holds another type`(value: String) throws {
    let scratch = try TemporaryDirectory()
    try Merging.make(scratch.path("other"), Self.records)
    try Merging.archive(scratch.path("other"), scratch.path("a.fueki"))
    try Self.make(scratch.path("whole"))
    for table in Self.tables {
      let found = try rows(
        scratch.path("whole"), "SELECT name FROM pragma_table_info('\(table)') WHERE pk = 0")
      let names = found.compactMap { String.fromDatabaseValue($0[0]) }
      #expect(!names.isEmpty)
      let changes = names.map { "UPDATE OR IGNORE \(table) SET \"\($0)\" = \(value)" }
      for (name, change) in zip(names, changes) {
        try Self.copy(scratch.path("whole"), to: scratch.path("\(table)-\(name)"))
        try execute(scratch.path("\(table)-\(name)"), "PRAGMA foreign_keys = OFF; \(change)")
        look(scratch.path("\(table)-\(name)"))
      }
      try Self.copy(scratch.path("whole"), to: scratch.path(table))
      try execute(
        scratch.path(table), "PRAGMA foreign_keys = OFF; " + changes.joined(separator: ";"))
      _ = try? Merging.run(scratch.path("a.fueki"), into: scratch.path(table), .replace)
    }
  }

  @Test func `receipts whose transactions are gone stop no backup, and are in it`() throws {
    let scratch = try TemporaryDirectory()
    try Self.make(scratch.path("torn"))
    try execute(scratch.path("torn"), "PRAGMA foreign_keys = OFF; DELETE FROM transactions")
    try Merging.archive(scratch.path("torn"), scratch.path("a.fueki"))
    try Merging.make(scratch.path("new"), [])
    let report = try Merging.run(scratch.path("a.fueki"), into: scratch.path("new"), .fail)
    #expect(report.counts[.receipts]?.added == 1 && report.counts[.transactions]?.added ?? 0 == 0)
  }

  /// Runs everything that reads a store, ignoring results and errors.
  private func look(_ directory: String) {
    _ = try? Pipeline.bundle(directory).fingerprint()
    guard let store = try? WalletStore.open(directory) else { return }
    let ledger = StoreLedger(store)
    _ = try? ledger.wallets()
    _ = try? ledger.wallet(Samples.id(1))
    _ = try? ledger.assets(of: Samples.id(1))
    _ = try? ledger.open(of: Samples.id(1), from: 0)
    _ = try? ledger.price(of: "a", in: "b")
    _ = try? ledger.merge(Self.update())
    try? store.close()
  }
}
