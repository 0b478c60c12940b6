public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The receipts of a store, with or without their transactions.
public struct ReceiptRepository: Sendable {
  let store: WalletStore
  private let shelves = ReceiptShelves()

  init(store: WalletStore) { self.store = store }

  /// The receipts of a transaction, by its id: one, unless a source had several.
  public func ofTransaction(_ id: Data) throws -> [Receipt] {
    try store.read { try shelves.receipts(of: id, in: $0) }
  }

  /// How many receipts there are.
  public func count() throws -> Int {
    try store.read { try shelves.count(in: $0) }
  }

  /// Adds a receipt, or puts it in the place of its transaction's.
  public func save(_ receipt: Receipt) throws {
    try store.write { database in
      for known in try shelves.receipts(of: receipt.transactionID, in: database) where known.id == receipt.id {
        try remove(receipt, in: database)
      }
      try ReceiptPlacer(in: database).place(receipt)
    }
  }

  private func remove(_ receipt: Receipt, in database: Database) throws {
    let id = receipt.transactionID
    try database.execute(
      sql: """
        DELETE FROM receipts WHERE id IS ?2 AND row_id IN (
          SELECT row_id FROM transactions
          WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1)
        """, arguments: [id, receipt.id.isEmpty ? nil : receipt.id])
    try database.execute(
      sql: "DELETE FROM unclaimed_receipts WHERE transaction_id = ?1 AND id IS ?2",
      arguments: [id, receipt.id.isEmpty ? nil : receipt.id])
  }
}

/// The two tables that receipts stand in.
struct ReceiptShelves: Sendable {
  private let shelf = RecordShelf<Receipt>(.receipts)
  private let unclaimed = RecordShelf<Receipt>(.unclaimedReceipts)

  func count(in database: Database) throws -> Int {
    try shelf.count(in: database) + unclaimed.count(in: database)
  }

  func receipts(of id: Data, in database: Database) throws -> [Receipt] {
    try shelf.fetch(
      """
      WHERE \(StoreIndex.key("transactions.id")) = \(StoreIndex.key("?1")) AND transactions.id = ?1
      """, [id], in: database)
      + unclaimed.fetch(
        "WHERE \(StoreIndex.key("transaction_id")) = \(StoreIndex.key("?1")) AND transaction_id = ?1", [id],
        in: database)
  }
}

extension WalletStore {
  /// The receipts.
  public var receipts: ReceiptRepository { ReceiptRepository(store: self) }
}
