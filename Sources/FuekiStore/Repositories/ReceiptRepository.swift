public import FoundationEssentials
public import FuekiWallet
internal import GRDB

/// The receipts of a store, with or without their transactions.
public struct ReceiptRepository: Sendable {
  let store: WalletStore
  private let shelves = ReceiptShelves()

  init(store: WalletStore) { self.store = store }

  /// Returns the receipts of a transaction by its id: one, unless a source had several.
  public func ofTransaction(_ id: Data) throws -> [Receipt] {
    try store.read { try shelves.ofTransaction(id, in: $0) }
  }

  /// Returns the number of receipts.
  public func count() throws -> Int { try store.read { try shelves.count(in: $0) } }

  /// Adds a receipt, or replaces its transaction's receipt with its id.
  public func save(_ receipt: Receipt) throws {
    try store.write { database in
      try shelves.remove(receipt, in: database)
      try ReceiptPlacer(in: database).place(receipt)
    }
  }
}

extension WalletStore {
  /// The receipts.
  public var receipts: ReceiptRepository { ReceiptRepository(store: self) }
}
