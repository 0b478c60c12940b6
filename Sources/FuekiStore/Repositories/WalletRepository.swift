public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The wallets of a store.
///
/// Ids and addresses are packed text, as in records.
public struct WalletRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Wallet>()

  init(store: WalletStore) { self.store = store }

  /// Returns all wallets in order of insertion.
  public func all() throws -> [Wallet] {
    try store.read { try shelf.fetch("ORDER BY wallets.row_id", [], in: $0) }
  }

  /// Returns the wallet with an id.
  public func find(id: Data) throws -> Wallet? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the wallets on one chain or, for nil, on any chain of the family.
  public func onChain(family: String, chainID: String?) throws -> [Wallet] {
    try store.read {
      try shelf.fetch(
        """
        WHERE wallets.chain_family = ? AND wallets.chain_id = coalesce(?, wallets.chain_id)
        ORDER BY wallets.row_id
        """, [family, chainID], in: $0)
    }
  }

  /// Returns the wallets with an address on any chain.
  public func withAddress(_ address: Data) throws -> [Wallet] {
    try store.read {
      try shelf.fetch("WHERE wallets.address = ? ORDER BY wallets.row_id", [address], in: $0)
    }
  }

  /// Returns the number of wallets.
  public func count() throws -> Int { try store.read { try shelf.count(in: $0) } }

  /// Adds a wallet, or replaces the one with its id.
  ///
  /// Records of the wallet that arrived earlier are joined to it.
  public func save(_ wallet: Wallet) throws {
    try store.write { database in
      try shelf.save(wallet, in: database)
      try ParentClaims.settle(in: database)
    }
  }

  /// Sets a wallet's balance, in its chain's smallest unit as decimal text.
  ///
  /// - Throws: ``StoreError/noRecord(table:)`` if there is no such wallet.
  public func setBalance(_ balance: String, of id: Data, at time: Int64) throws {
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
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The wallets.
  public var wallets: WalletRepository { WalletRepository(store: self) }
}
