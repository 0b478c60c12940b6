public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The transactions of a store.
public struct TransactionRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Transaction>()

  init(store: WalletStore) { self.store = store }

  /// Returns a page of a wallet's transactions, newest first.
  ///
  /// Those without a time come last.
  public func ofWallet(_ id: Data, limit: Int, offset: Int = 0) throws -> [Transaction] {
    try store.read { database in
      try shelf.fetch(
        """
        WHERE transactions.wallet_row = (SELECT row_id FROM wallets WHERE id = ?)
        ORDER BY transactions.timestamp DESC, transactions.row_id DESC LIMIT ? OFFSET ?
        """, [id, limit, offset], in: database)
    }
  }

  /// Returns the transactions not yet in a block, of one wallet or of all.
  public func pending(wallet id: Data? = nil) throws -> [Transaction] {
    try store.read { database in
      guard let id else {
        return try shelf.fetch(
          "WHERE transactions.status = 'pending' ORDER BY transactions.row_id", [], in: database)
      }
      return try shelf.fetch(
        """
        WHERE transactions.status = 'pending'
          AND transactions.wallet_row = (SELECT row_id FROM wallets WHERE id = ?)
        ORDER BY transactions.row_id
        """, [id], in: database)
    }
  }

  /// Returns the transaction with an id.
  public func find(id: Data) throws -> Transaction? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the transactions with a hash: one for each wallet involved.
  public func withHash(_ hash: Data) throws -> [Transaction] {
    try store.read { database in
      try shelf.fetch(
        """
        WHERE \(StoreIndex.key("transactions.hash")) = \(StoreIndex.key("?1")) AND transactions.hash = ?1
        ORDER BY transactions.row_id
        """, [hash], in: database)
    }
  }

  /// Returns the number of transactions.
  public func count() throws -> Int { try store.read { try shelf.count(in: $0) } }

  /// Adds new transactions, all or none.
  public func insert(_ transactions: [Transaction]) throws {
    try store.write { database in
      try shelf.insert(transactions, in: database)
      try ParentClaims.settleReceipts(in: database)
    }
  }

  /// Adds a transaction, or replaces the one with its id.
  public func save(_ transaction: Transaction) throws {
    try store.write { database in
      try shelf.save(transaction, in: database)
      try ParentClaims.settleReceipts(in: database)
    }
  }

  /// Sets a transaction's status and, if it is now in a block, the block.
  ///
  /// - Throws: ``StoreError/noRecord(table:)`` if there is no such transaction.
  public func setStatus(_ status: String, of id: Data, block: UInt64? = nil) throws {
    try store.write { database in
      try database.execute(
        sql: """
          UPDATE transactions SET status = ?2, block_number = coalesce(?3, block_number)
          WHERE \(StoreIndex.key("id")) = \(StoreIndex.key("?1")) AND id = ?1
          """, arguments: [id, status, block.map { Int64(bitPattern: $0) }])
      guard database.changesCount > 0 else { throw StoreError.noRecord(table: "transactions") }
    }
  }

  /// Removes a transaction and its receipt.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The transactions.
  public var transactions: TransactionRepository { TransactionRepository(store: self) }
}
