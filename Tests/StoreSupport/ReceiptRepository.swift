package import FoundationEssentials
package import FuekiWallet
package import FuekiStore
internal import GRDB

/// The receipts of a store, with or without their transactions.
package struct ReceiptRepository: Sendable {
  let store: WalletStore
  private let shelves = ReceiptShelves()

  init(store: WalletStore) { self.store = store }

  /// Returns the receipts of a transaction by its id: one, unless a source had several.
  package func ofTransaction(_ id: Data) throws -> [Receipt] {
    try store.read { try shelves.ofTransaction(id, in: $0) }
  }

  /// Returns the number of receipts.
  package func count() throws -> Int { try store.read { try shelves.count(in: $0) } }

  /// Adds a receipt, or replaces its transaction's receipt with its id.
  package func save(_ receipt: Receipt) throws {
    try store.write { database in
      try shelves.remove(receipt, in: database)
      try ReceiptPlacer(in: database).place(receipt)
    }
  }
}

extension WalletStore {
  /// The receipts.
  package var receipts: ReceiptRepository { ReceiptRepository(store: self) }
}
