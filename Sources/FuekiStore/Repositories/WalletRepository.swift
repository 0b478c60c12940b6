public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The wallets of a store.
///
/// Ids and addresses are packed text, as in records.
public struct WalletRepository: Sendable {
  package let store: WalletStore
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

  /// Adds a wallet, or replaces the one with its id.
  ///
  /// Records of the wallet that arrived earlier are joined to it.
  public func save(_ wallet: Wallet) throws {
    try store.write { database in
      try shelf.save(wallet, in: database)
      try ParentClaims.settle(in: database)
    }
  }
}

extension WalletStore {
  /// The wallets.
  public var wallets: WalletRepository { WalletRepository(store: self) }
}
