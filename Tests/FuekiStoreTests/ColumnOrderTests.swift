import FuekiBackup
import FuekiStore
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// Stores whose columns are in another order, as after migrations.
@Suite struct ColumnOrderTests {
  @Test(arguments: [1, 2, 3] as [UInt64])
  func `in which order a store has its columns means nothing`(seed: UInt64) throws {
    let scratch = try TemporaryDirectory()
    let odd = Samples.awkward()
    try fill(scratch.path("one"), with: odd)
    try Pipeline.write(try Pipeline.bundle(scratch.path("one")), to: scratch.path("a.fueki"))
    let before = try StoreSchemaText(scratch.path("one"))
    try shuffle(scratch.path("one"), seed)
    #expect(try StoreSchemaText(scratch.path("one")) == before)
    try Pipeline.write(try Pipeline.bundle(scratch.path("one")), to: scratch.path("b.fueki"))
    let first = try Pipeline.records(scratch.path("a.fueki")).messages
    #expect(try Pipeline.records(scratch.path("b.fueki")).messages == first)
    // Statements through the repositories use column names too.
    let store = try WalletStore.open(scratch.path("one"))
    var wallet = try #require(odd.wallets.first)
    #expect(try store.wallets.find(wallet.recordID) == wallet)
    wallet.name = "renamed"
    try store.wallets.load([wallet])
    #expect(try store.wallets.find(wallet.recordID) == wallet)
  }

  /// Recreates every record table with its columns shuffled.
  private func shuffle(_ directory: String, _ seed: UInt64) throws {
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(
      path: DataDirectory.storePath(in: directory), configuration: configuration)
    try queue.inDatabase { database in
      // Keep foreign keys pointing to the table of the original name during renames.
      try database.execute(sql: "PRAGMA legacy_alter_table = ON")
      let tables = try Row.fetchAll(database, sql: "SELECT name, sql FROM sqlite_master WHERE type = 'table'")
      var shuffled = 0
      for (number, row) in tables.enumerated() {
        let (name, sql): (String, String) = (row[0], row[1])
        guard sql.contains("\"extra\""), let parts = TableParts(sql) else { continue }
        var generator = RandomSource(seed: seed &* 100 &+ UInt64(number))
        let columns = parts.columns.shuffled(using: &generator)
        let names = columns.map { $0.prefix { $0 != " " } }.joined(separator: ", ")
        let indices = try String.fetchAll(
          database, sql: "SELECT sql FROM sqlite_master WHERE type = 'index' AND tbl_name = ?",
          arguments: [name])
        try database.execute(
          sql: """
            ALTER TABLE \(name) RENAME TO former;
            \(parts.sql(columns));
            INSERT INTO \(name) (\(names)) SELECT \(names) FROM former;
            DROP TABLE former;
            """)
        for index in indices { try database.execute(sql: index) }
        shuffled += columns == parts.columns ? 0 : 1
      }
      #expect(shuffled > 10)
    }
    try queue.close()
  }
}
