import FoundationEssentials
import FuekiBackup
import FuekiCrypto
import FuekiStore
import FuekiSystem
import FuekiWallet
import GRDB
import SwiftProtobuf
import TestSupport
import Testing

@Suite struct RoundTripTests {
  @Test func `awkward records come back from an archive as they were`() throws {
    let scratch = try TemporaryDirectory()
    let odd = Samples.awkward()
    try fill(scratch.path("one"), with: odd)
    try Pipeline.write(try Pipeline.bundle(scratch.path("one")), to: scratch.path("a.fueki"))
    try compare(try Pipeline.records(scratch.path("a.fueki")), with: odd)

    let destination = try StoreDestination(dataDirectory: scratch.path("two"), keychainSlots: [])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination, keychain: destination.keychain)
    try Pipeline.write(try Pipeline.bundle(scratch.path("two")), to: scratch.path("b.fueki"))
    let first = try Pipeline.records(scratch.path("a.fueki")).messages
    let second = try Pipeline.records(scratch.path("b.fueki")).messages
    #expect(first == second)
    #expect(try WalletStore.open(scratch.path("two")).vaultID == Pipeline.vaultID)
  }

  @Test func `a bulk load, single saves and a builder make the same store`() throws {
    let scratch = try TemporaryDirectory()
    let odd = Samples.awkward()
    try fill(scratch.path("built"), with: odd)
    let saved = try WalletStore.create(scratch.path("saved"))
    for wallet in odd.wallets.dropLast() { try saved.wallets.load([wallet]) }
    try saved.transactions.load(odd.transactions)
    for receipt in odd.receipts { try saved.receipts.load([receipt]) }
    let built = try WalletStore.open(scratch.path("built"))
    try Pipeline.write(try Pipeline.bundle(scratch.path("built")), to: scratch.path("built.fueki"))
    let destination = try StoreDestination(dataDirectory: scratch.path("loaded"), keychainSlots: [])
    try Pipeline.restore(scratch.path("built.fueki"), into: destination, keychain: destination.keychain)
    for store in [built, saved, try WalletStore.open(scratch.path("loaded"))] {
      #expect(try store.wallets.fetch().prefix(3) == odd.wallets.prefix(3))
      for transaction in odd.transactions where !transaction.id.isEmpty {
        #expect(try store.transactions.find(transaction.recordID) == transaction)
      }
      for receipt in odd.receipts where !receipt.transactionID.isEmpty {
        #expect(
          try store.receipts.fetch(.of(transaction: RecordID(packed: receipt.transactionID))).contains(
            receipt))
      }
      #expect(try store.receipts.count() == odd.receipts.count)
    }
  }

  @Test func `columns of a newer version travel in the records and come back as columns`() throws {
    let scratch = try TemporaryDirectory()
    try fill(scratch.path("one"), with: Samples.awkward())
    try execute(
      scratch.path("one"),
      """
      ALTER TABLE wallets ADD COLUMN "odd ""name" VARCHAR(20);
      ALTER TABLE transactions ADD COLUMN risk REAL;
      ALTER TABLE receipts ADD COLUMN proof BLOB DEFAULT x'00';
      UPDATE wallets SET "odd ""name" = 'x' WHERE row_id = 1;
      UPDATE wallets SET "odd ""name" = 7 WHERE row_id = 2;
      UPDATE transactions SET risk = 0.1 WHERE row_id = 2;
      CREATE TABLE notes (text TEXT);
      """)
    let bundle = try Pipeline.bundle(scratch.path("one"))
    #expect(bundle.reports.first?.complete == false)
    #expect(bundle.reports.first?.losses.map(\.what).contains("table notes") == true)
    try Pipeline.write(bundle, to: scratch.path("a.fueki"))
    let recorder = try Pipeline.records(scratch.path("a.fueki"))
    #expect(recorder.manifest.unknownColumns.map(\.column).sorted() == ["odd \"name", "proof", "risk"])
    let transactions: [Transaction] = try recorder.decoded()
    #expect(transactions[1].extra.last?.real == 0.1)

    let destination = try StoreDestination(dataDirectory: scratch.path("two"), keychainSlots: [])
    try Pipeline.restore(scratch.path("a.fueki"), into: destination)
    for (sql, table) in [
      ("SELECT row_id, \"odd \"\"name\" FROM wallets ORDER BY row_id", "wallets"),
      ("SELECT row_id, risk FROM transactions ORDER BY row_id", "transactions"),
      ("SELECT row_id, proof FROM receipts ORDER BY row_id", "receipts"),
    ] {
      #expect(try rows(scratch.path("one"), sql) == rows(scratch.path("two"), sql), "\(table)")
    }
    let type = "SELECT type FROM pragma_table_info('wallets') WHERE name = 'odd \"name'"
    #expect(try rows(scratch.path("two"), type).first?.first?.databaseValue == "VARCHAR(20)".databaseValue)
    let extras = try rows(scratch.path("two"), "SELECT count(*) FROM transactions WHERE extra IS NOT NULL")
    #expect(extras == [[1.databaseValue]])
  }

  @Test func `what a row holds against the rules does not stop a backup, and its bytes are kept`() throws {
    let scratch = try TemporaryDirectory()
    let store = try WalletStore.create(scratch.path("one"))
    try store.wallets.save(Samples.wallet(1))
    try store.close()
    try execute(scratch.path("one"), "UPDATE wallets SET name = CAST(x'66ff' AS TEXT), details = x'4205'")
    try Pipeline.write(try Pipeline.bundle(scratch.path("one")), to: scratch.path("a.fueki"))
    let wallets: [Wallet] = try Pipeline.records(scratch.path("a.fueki")).decoded()
    #expect(wallets.first?.name == "f\u{FFFD}")
    #expect(wallets.first?.extra.map(\.name) == ["name", "details"])
    #expect(wallets.first?.extra.map(\.blob) == [Data([0x66, 0xFF]), Data([0x42, 0x05])])
  }

  private func compare(_ recorder: Recorder, with odd: AwkwardRecords) throws {
    #expect(try recorder.decoded() == odd.wallets)
    #expect(try recorder.decoded() == odd.assets)
    #expect(try recorder.decoded() == odd.contacts)
    #expect(try recorder.decoded() == odd.settings)
    #expect(try recorder.decoded() == odd.credentials)
    #expect(try recorder.decoded() == odd.files)
    #expect(try recorder.decoded() == odd.transactions)
    let receipts: [Receipt] = try recorder.decoded()
    #expect(Set(receipts) == Set(odd.receipts) && receipts.count == odd.receipts.count)
    #expect(try recorder.decoded() == odd.sharings)
    #expect(try recorder.decoded() == odd.tokens)
    #expect(try recorder.decoded() == odd.users)
    #expect(try recorder.decoded() == odd.threads)
    #expect(try recorder.decoded() == odd.messages)
  }
}

/// Creates a store of edge-case records.
func fill(_ directory: String, with odd: AwkwardRecords) throws {
  let builder = try StoreBuilder(dataDirectory: directory)
  try builder.insert(odd.wallets)
  try builder.insert(odd.assets)
  try builder.insert(odd.contacts)
  try builder.insert(odd.settings)
  try builder.insert(odd.credentials)
  try builder.insert(odd.files)
  try builder.insert(odd.transactions)
  try builder.insert(odd.receipts)
  try builder.insert(odd.sharings)
  try builder.insert(odd.tokens)
  try builder.insert(odd.users)
  try builder.insert(odd.threads)
  try builder.insert(odd.messages)
  try builder.finish().close()
}

/// Runs SQL in a store's database, as another version of the program might.
func execute(_ directory: String, _ sql: String) throws {
  let queue = try DatabaseQueue(path: DataDirectory.storePath(in: directory))
  try queue.inDatabase { try $0.execute(sql: sql) }
  try queue.close()
}

/// Returns the rows of a query in a store's database.
func rows(_ directory: String, _ sql: String) throws -> [[DatabaseValue]] {
  let queue = try DatabaseQueue(path: DataDirectory.storePath(in: directory))
  return try queue.inDatabase { try Row.fetchAll($0, sql: sql).map { Array($0.databaseValues) } }
}
