public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The assets of a store's wallets.
public struct AssetRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Asset>()

  init(store: WalletStore) { self.store = store }

  /// Returns all assets in order of insertion.
  public func all() throws -> [Asset] {
    try store.read { try shelf.fetch("ORDER BY assets.row_id", [], in: $0) }
  }

  /// Returns a wallet's assets by its id.
  public func ofWallet(_ id: Data) throws -> [Asset] {
    try store.read { database in
      let rest =
        "WHERE assets.wallet_row = (SELECT row_id FROM wallets WHERE id = ?) ORDER BY assets.row_id"
      return try shelf.fetch(rest, [id], in: database)
    }
  }

  /// Returns the asset with an id.
  public func find(id: Data) throws -> Asset? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Adds an asset, or replaces the one with its id.
  public func save(_ asset: Asset) throws { try store.write { try shelf.save(asset, in: $0) } }

  /// Removes an asset.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The assets.
  public var assets: AssetRepository { AssetRepository(store: self) }
}
