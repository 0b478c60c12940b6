public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The settings of a store.
public struct SettingRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Setting>()

  init(store: WalletStore) { self.store = store }

  /// Returns all settings in order of insertion.
  public func all() throws -> [Setting] {
    try store.read { try shelf.fetch("ORDER BY settings.row_id", [], in: $0) }
  }

  /// Returns the setting with a key.
  public func find(key: String) throws -> Setting? {
    try store.read { try shelf.fetch(key.databaseValue, in: $0) }
  }

  /// Adds a setting, or replaces the one with its key.
  public func save(_ setting: Setting) throws { try store.write { try shelf.save(setting, in: $0) } }

  /// Removes a setting.
  @discardableResult
  public func delete(key: String) throws -> Bool {
    try store.write { try shelf.delete(key.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The settings.
  public var settings: SettingRepository { SettingRepository(store: self) }
}
