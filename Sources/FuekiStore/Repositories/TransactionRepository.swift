public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The transactions of a store.
public struct TransactionRepository: Sendable {
  package let store: WalletStore
  private let shelf = RecordShelf<Transaction>()

  init(store: WalletStore) { self.store = store }

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

  /// Returns the number of transactions.
  public func count() throws -> Int { try store.read { try shelf.count(in: $0) } }
}

extension WalletStore {
  /// The transactions.
  public var transactions: TransactionRepository { TransactionRepository(store: self) }
}
