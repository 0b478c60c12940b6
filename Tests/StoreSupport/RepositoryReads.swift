package import FoundationEssentials
package import FuekiStore
package import FuekiWallet
internal import FuekiBackup
internal import GRDB

extension AssetRepository {
  private var shelf: RecordShelf<Asset> { RecordShelf() }

  /// Returns all assets in order of insertion.
  package func all() throws -> [Asset] {
    try store.read { try shelf.fetch("ORDER BY assets.row_id", [], in: $0) }
  }
}

extension DescriptorRepository {
  private var shelf: RecordShelf<KeyShareDescriptor> { RecordShelf() }

  /// Returns the descriptors of one key's shares.
  package func ofKey(_ groupPublicKey: Data) throws -> [KeyShareDescriptor] {
    try store.read { database in
      try shelf.fetch(
        "WHERE key_share_descriptors.group_public_key = ? ORDER BY key_share_descriptors.row_id",
        [groupPublicKey], in: database)
    }
  }

  /// Adds a descriptor, or replaces the one with its id.
  package func save(_ descriptor: KeyShareDescriptor) throws {
    try store.write { try shelf.save(descriptor, in: $0) }
  }
}

extension WalletRepository {
  private var shelf: RecordShelf<Wallet> { RecordShelf() }

  /// Returns the number of wallets.
  package func count() throws -> Int { try store.read { try shelf.count(in: $0) } }

  /// Sets a wallet's balance, in its chain's smallest unit as decimal text.
  ///
  /// - Throws: ``StoreError/noRecord(table:)`` if there is no such wallet.
  package func setBalance(_ balance: String, of id: Data, at time: Int64) throws {
    try store.write { database in
      try database.execute(
        sql: "UPDATE wallets SET balance = ?, updated_at = ? WHERE id = ?", arguments: [balance, time, id])
      guard database.changesCount > 0 else { throw StoreError.noRecord(table: "wallets") }
    }
  }

  /// Removes a wallet with its assets, transactions and receipts.
  ///
  /// - Returns: whether it existed.
  @discardableResult
  package func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension TransactionRepository {
  private var shelf: RecordShelf<Transaction> { RecordShelf() }

  /// Returns a page of a wallet's transactions, newest first.
  ///
  /// Those without a time come last.
  package func ofWallet(_ id: Data, limit: Int, offset: Int = 0) throws -> [Transaction] {
    try store.read { database in
      try shelf.fetch(
        """
        WHERE transactions.wallet_row = (SELECT row_id FROM wallets WHERE id = ?)
        ORDER BY transactions.timestamp DESC, transactions.row_id DESC LIMIT ? OFFSET ?
        """, [id, limit, offset], in: database)
    }
  }

  /// Returns the transaction with an id.
  package func find(id: Data) throws -> Transaction? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the transactions with a hash: one for each wallet involved.
  package func withHash(_ hash: Data) throws -> [Transaction] {
    try store.read { database in
      try shelf.fetch(
        """
        WHERE transactions.hash = ?1 ORDER BY transactions.row_id
        """, [hash], in: database)
    }
  }

  /// Adds new transactions, all or none.
  package func insert(_ transactions: [Transaction]) throws {
    try store.write { database in
      try shelf.insert(transactions, in: database)
      try ParentClaims.settleReceipts(in: database)
    }
  }

  /// Adds a transaction, or replaces the one with its id.
  package func save(_ transaction: Transaction) throws {
    try store.write { database in
      try shelf.save(transaction, in: database)
      try ParentClaims.settleReceipts(in: database)
    }
  }

  /// Removes a transaction and its receipt.
  @discardableResult
  package func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}
