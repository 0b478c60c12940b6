import FuekiBackup
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import TestSupport
import Testing

/// Stores created by released versions.
///
/// Each opens without data loss, and ends with the schema of a new store.
@Suite struct ReleasedStoreTests {
  /// Creates a store as a released version left it.
  private func make(_ version: Int, in directory: String) throws {
    let script = "\(SourceTree.path)/Tests/Stores/version-\(version).sql"
    let sql = String(decoding: try File.open(script).readAll(limit: 1 << 20), as: UTF8.self)
    try Directory.makePrivateDirectories(directory)
    try execute(directory, sql)
  }

  @Test func `a store of version 1 opens with its records, and has the schema of a new one`() throws {
    let scratch = try TemporaryDirectory()
    try make(1, in: scratch.path("released"))
    try WalletStore.create(scratch.path("new")).close()
    let store = try WalletStore.open(scratch.path("released"))
    let wallet = try #require(try store.wallets.fetch().first)
    #expect(wallet.name == "Savings, two of three" && wallet.balance == "6048146849916859519")
    #expect(wallet.endpoints.count == 2 && wallet.earlierCheckpoints.count == 3)
    #expect(
      try store.transactions.fetch(.of(wallet: wallet.recordID)).map(\.amount) == ["15838399256927986645"])
    try store.close()
    #expect(try StoreSchemaText(scratch.path("released")) == StoreSchemaText(scratch.path("new")))
    // The dump has only the store, without its keychain.
    let request = CollectionRequest(selection: try SectionSelection(only: [], exclude: ["secrets"]))
    let reports = try Pipeline.bundle(scratch.path("released"), nil, request).reports
    let kept: [Section] = [
      .wallets, .assets, .contacts, .settings, .keyShareDescriptors, .credentials, .transactions,
      .credentialSharing, .idTokenSharing, .users, .threads, .messages,
    ]
    for section in kept { #expect(reports.first?.records(in: section) == 1, "\(section)") }
  }

  @Test func `version 1 makes what it made when it was released`() throws {
    let scratch = try TemporaryDirectory()
    try make(1, in: scratch.path("released"))
    let released = try StoreSchemaText(scratch.path("released"))
    #expect(released.migrations == ["v1"])
    // A new store has applied version 1 as well. This removes the additions of later versions.
    try WalletStore.create(scratch.path("new")).close()
    for index in StoreIndex.all where index.version > 1 {
      try execute(scratch.path("new"), "DROP INDEX \(index.name)")
    }
    for addition in StoreAddition.all {
      try execute(scratch.path("new"), "ALTER TABLE \(addition.table) DROP COLUMN \(addition.column)")
    }
    try execute(scratch.path("new"), "DELETE FROM grdb_migrations WHERE identifier > 'v1'")
    #expect(try StoreSchemaText(scratch.path("new")) == released)
  }
}
