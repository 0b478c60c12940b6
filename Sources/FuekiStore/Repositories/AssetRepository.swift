public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The assets of a store's wallets.
public struct AssetRepository: Sendable {
  package let store: WalletStore
  private let shelf = RecordShelf<Asset>()

  init(store: WalletStore) { self.store = store }

  /// Returns a wallet's assets by its id.
  public func ofWallet(_ id: Data) throws -> [Asset] {
    try store.read { database in
      let rest =
        "WHERE assets.wallet_row = (SELECT row_id FROM wallets WHERE id = ?) ORDER BY assets.row_id"
      return try shelf.fetch(rest, [id], in: database)
    }
  }

  /// Adds an asset, or replaces the one with its id.
  public func save(_ asset: Asset) throws { try store.write { try shelf.save(asset, in: $0) } }
}

extension WalletStore {
  /// The assets.
  public var assets: AssetRepository { AssetRepository(store: self) }
}
