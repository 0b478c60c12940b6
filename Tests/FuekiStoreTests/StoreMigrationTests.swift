import FoundationEssentials
import FuekiBackup
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// The migration of a version 1 store with records of every kind.
@Suite struct StoreMigrationTests {
  /// Creates a store as version 1 would have left it, with another store's records.
  private func makeVersion1(_ directory: String, with other: String) throws {
    let script = "\(SourceTree.path)/Tests/Stores/version-1.sql"
    let sql = String(decoding: try File.open(script).readAll(limit: 1 << 20), as: UTF8.self)
    try Directory.makePrivateDirectories(directory)
    try execute(directory, sql)
    var configuration = Configuration()
    configuration.foreignKeysEnabled = false
    let queue = try DatabaseQueue(
      path: DataDirectory.storePath(in: directory), configuration: configuration)
    try queue.inDatabase { database in
      try database.execute(
        sql: "ATTACH DATABASE ? AS other", arguments: [DataDirectory.storePath(in: other)])
      let tables = try String.fetchAll(
        database, sql: "SELECT name FROM main.sqlite_master WHERE type = 'table'")
      for table in tables where table != "meta" && table != "grdb_migrations" {
        let names = try String.fetchAll(
          database, sql: "SELECT '\"' || name || '\"' FROM pragma_table_info(?, 'main')", arguments: [table])
        let columns = names.joined(separator: ", ")
        try database.execute(
          sql: """
            DELETE FROM main.\(table);
            INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM other.\(table);
            """)
      }
      try database.execute(sql: "DETACH DATABASE other")
    }
    try queue.close()
  }

  private func messages(of directory: String, _ scratch: borrowing TemporaryDirectory, _ name: String) throws
    -> [Section: [[UInt8]]]
  {
    try Pipeline.write(try Pipeline.bundle(directory), to: scratch.path(name))
    return try Pipeline.records(scratch.path(name)).messages
  }

  @Test func `a store of version 1 loses nothing on its way`() throws {
    let scratch = try TemporaryDirectory()
    try fill(scratch.path("new"), with: Samples.awkward())
    for addition in StoreAddition.all {
      try execute(scratch.path("new"), "UPDATE \(addition.table) SET \(addition.column) = NULL")
    }
    try makeVersion1(scratch.path("old"), with: scratch.path("new"))
    let expected = try messages(of: scratch.path("new"), scratch, "new.fueki")
    #expect(expected.count > 12)

    // A backup reads it without migrating it.
    let before = try StoreSchemaText(scratch.path("old"))
    #expect(try messages(of: scratch.path("old"), scratch, "old.fueki") == expected)
    #expect(try rows(scratch.path("old"), "SELECT schema FROM meta") == [[1.databaseValue]])
    #expect(try StoreSchemaText(scratch.path("old")) == before)

    // Opening it for use migrates it.
    try WalletStore.open(scratch.path("old")).close()
    #expect(try rows(scratch.path("old"), "SELECT schema FROM meta") == [[StoreSchema.version.databaseValue]])
    #expect(try StoreSchemaText(scratch.path("old")) == StoreSchemaText(scratch.path("new")))
    #expect(try messages(of: scratch.path("old"), scratch, "migrated.fueki") == expected)

    let destination = try StoreDestination(dataDirectory: scratch.path("restored"), keychainSlots: [])
    try Pipeline.restore(scratch.path("migrated.fueki"), into: destination)
    #expect(try messages(of: scratch.path("restored"), scratch, "restored.fueki") == expected)
  }

  @Test func `a restore can be planned beside a store of version 1, and merged into it`() throws {
    let scratch = try TemporaryDirectory()
    try fill(scratch.path("new"), with: Samples.awkward())
    try makeVersion1(scratch.path("old"), with: scratch.path("new"))
    try Pipeline.write(try Pipeline.bundle(scratch.path("new")), to: scratch.path("new.fueki"))
    try Pipeline.restore(scratch.path("new.fueki")) { archive in
      (try MergeComparison(dataDirectory: scratch.path("old"), archive: archive), nil)
    }
    #expect(try rows(scratch.path("old"), "SELECT schema FROM meta") == [[1.databaseValue]])
    try Pipeline.restore(scratch.path("new.fueki")) { archive in
      let merged = try MergeDestination(
        dataDirectory: scratch.path("old"), archive: archive, onConflict: .replace, time: 0)
      return (merged, nil)
    }
    #expect(try rows(scratch.path("old"), "SELECT schema FROM meta") == [[StoreSchema.version.databaseValue]])
    let places = "SELECT count(*) FROM files WHERE place IS NOT NULL AND program = 'electrum'"
    #expect(try rows(scratch.path("old"), places) == [[1.databaseValue]])
  }

  @Test func `a column that a restore of newer data has brought is taken as it is`() throws {
    let scratch = try TemporaryDirectory()
    try fill(scratch.path("new"), with: Samples.awkward())
    try makeVersion1(scratch.path("old"), with: scratch.path("new"))
    try execute(
      scratch.path("old"),
      """
      ALTER TABLE files ADD COLUMN "Place" BLOB;
      UPDATE files SET "Place" = CAST('~/there' AS BLOB) WHERE row_id = 1;
      """)
    let store = try WalletStore.open(scratch.path("old"))
    let id = try #require(Samples.awkward().files.first?.id)
    #expect(try store.files.fetch(.file(RecordID(packed: id))).first?.place == Data("~/there".utf8))
    try store.close()
    let names = "SELECT name FROM pragma_table_info('files') WHERE name LIKE 'pl%' OR name LIKE 'pr%'"
    #expect(
      try rows(scratch.path("old"), names)
        == [["Place".databaseValue], ["program".databaseValue], ["program_version".databaseValue]])
    // A second opening changes nothing.
    try WalletStore.open(scratch.path("old")).close()
    #expect(try rows(scratch.path("old"), "SELECT schema FROM meta") == [[StoreSchema.version.databaseValue]])
  }

  @Test func `a store of version 1 that lacks one of its own columns is not taken for one`() throws {
    let scratch = try TemporaryDirectory()
    try fill(scratch.path("new"), with: Samples.awkward())
    try makeVersion1(scratch.path("old"), with: scratch.path("new"))
    try execute(scratch.path("old"), "ALTER TABLE files DROP COLUMN kdf")
    #expect(throws: StoreError.notAStore(path: scratch.path("old/wallet.sqlite"))) {
      try Pipeline.bundle(scratch.path("old"))
    }
  }
}
