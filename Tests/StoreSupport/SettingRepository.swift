package import FuekiWallet
internal import FuekiBackup
package import FuekiStore
internal import GRDB

/// The settings of a store.
package struct SettingRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Setting>()

  init(store: WalletStore) { self.store = store }

  /// Returns the setting with a key.
  package func find(key: String) throws -> Setting? {
    try store.read { try shelf.fetch(key.databaseValue, in: $0) }
  }

  /// Adds a setting, or replaces the one with its key.
  package func save(_ setting: Setting) throws { try store.write { try shelf.save(setting, in: $0) } }
}

extension WalletStore {
  /// The settings.
  package var settings: SettingRepository { SettingRepository(store: self) }
}
