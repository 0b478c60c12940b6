import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import TestSupport
import Testing

@Suite struct WalletStoreTests {
  @Test func `a new store is private, keeps its vault's id, and is not made twice`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("deep/data"))
    let directory = try Directory.open(scratch.path("deep/data"))
    #expect(try directory.status().permissions == 0o700)
    for entry in try directory.list() {
      #expect(try directory.openFile(entry.name).permissions() == 0o600, "\(entry.text ?? "")")
    }
    try store.close()
    #expect(try WalletStore.open(scratch.path("deep/data")).vaultID == store.vaultID)
    #expect(throws: StoreError.alreadyThere(path: scratch.path("deep/data/wallet.sqlite"))) {
      try WalletStore.create(scratch.path("deep/data"))
    }
  }

  @Test func `what is not a store is named for what it is`() throws {
    let scratch = try TemporaryDirectory()
    let path = scratch.path("data/wallet.sqlite")
    #expect(throws: StoreError.notThere(path: path)) { try WalletStore.open(scratch.path("data")) }
    try Directory.makePrivateDirectories(scratch.path("data"))
    #expect(throws: StoreError.notThere(path: path)) { try WalletStore.open(scratch.path("data")) }
    #expect(try Directory.open(scratch.path("data")).list().isEmpty)
    try scratch.write([UInt8](repeating: 0x41, count: 5000), to: "noise")
    try Directory.makePrivateDirectories(scratch.path("noisy"))
    try Directory.open(scratch.path("noisy")).createFile("wallet.sqlite")
      .pwriteAll([UInt8](repeating: 0x41, count: 5000), at: 0)
    #expect(throws: StoreError.damaged(path: scratch.path("noisy/wallet.sqlite"))) {
      try WalletStore.open(scratch.path("noisy"))
    }
    try execute(scratch.path("data"), "CREATE TABLE other (x)")
    #expect(throws: StoreError.notAStore(path: path)) { try WalletStore.open(scratch.path("data")) }
  }

  @Test func `a newer version's store is not opened for use, but is backed up`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("data"))
    try store.wallets.save(Samples.wallet(1))
    try store.close()
    try execute(scratch.path("data"), "UPDATE meta SET schema = 9")
    #expect(throws: StoreError.newer(schema: 9, path: scratch.path("data/wallet.sqlite"))) {
      try WalletStore.open(scratch.path("data"))
    }
    #expect(try Pipeline.bundle(scratch.path("data")).reports.first?.records(in: .wallets) == 1)
    try execute(scratch.path("data"), "ALTER TABLE wallets DROP COLUMN network")
    #expect(throws: StoreError.newer(schema: 9, path: scratch.path("data/wallet.sqlite"))) {
      try Pipeline.bundle(scratch.path("data"))
    }
  }

  @Test func `a loaded store has the schema of a migrated store`() throws {
    let scratch = try TemporaryDirectory()
    try WalletStore.create(scratch.path("made")).close()
    try StoreBuilder(dataDirectory: scratch.path("loaded")).finish().close()
    // Migrations are frozen, but loading follows the current tables, so both schemas must be equal to the
    // byte.
    let schema = try StoreSchemaText(scratch.path("made"))
    #expect(schema.entries.count > 40)
    #expect(try StoreSchemaText(scratch.path("loaded")) == schema)
    let migrations = "SELECT identifier FROM grdb_migrations"
    #expect(try rows(scratch.path("made"), migrations) == rows(scratch.path("loaded"), migrations))
    #expect(try rows(scratch.path("loaded"), "PRAGMA journal_mode") == [["wal".databaseValue]])
  }

  @Test(arguments: [
    (
      "SELECT * FROM transactions WHERE wallet_row = 1 ORDER BY timestamp DESC, row_id DESC LIMIT 9",
      "transactions_by_wallet"
    ),
    (
      "SELECT * FROM transactions WHERE substr(hash, 2, 8) = substr(?1, 2, 8) AND hash = ?1",
      "transactions_by_hash"
    ),
    (
      "SELECT * FROM transactions WHERE substr(id, 2, 8) = substr(?1, 2, 8) AND id = ?1", "transactions_by_id"
    ),
    (
      """
      SELECT * FROM receipts LEFT JOIN transactions ON transactions.row_id = receipts.row_id
      WHERE receipts.row_id IN (SELECT row_id FROM transactions WHERE substr(id, 2, 8) = substr(?1, 2, 8) AND id = ?1)
      """, "transactions_by_id"
    ),
    ("SELECT * FROM transactions WHERE status = 'pending' AND wallet_row = 1", "transactions_pending"),
    ("SELECT * FROM messages WHERE thread_row = 1 ORDER BY created_at, row_id", "messages_by_thread"),
    ("SELECT thread_row FROM thread_co_authors WHERE user_id = ?1", "thread_co_authors_by_user"),
  ])
  func `queries use their index and sort nothing`(query: String, index: String) throws {
    let scratch = try TemporaryDirectory()
    try WalletStore.create(scratch.path("data")).close()
    let queue = try DatabaseQueue(path: DataDirectory.storePath(in: scratch.path("data")))
    let plan = try queue.inDatabase { database in
      let statement = try database.makeStatement(sql: "EXPLAIN QUERY PLAN \(query)")
      let arguments = StatementArguments(query.contains("?1") ? [Data()] : [])
      return try Row.fetchAll(statement, arguments: arguments).map { $0["detail"] as String }.joined(
        separator: "\n")
    }
    #expect(plan.contains("INDEX \(index)"), "\(plan)")
    #expect(!plan.contains("TEMP B-TREE") && !plan.contains("SCAN receipts"), "\(plan)")
  }
}
