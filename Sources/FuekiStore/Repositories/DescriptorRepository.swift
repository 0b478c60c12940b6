public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The public parts of key shares in a store.
public struct DescriptorRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<KeyShareDescriptor>()

  init(store: WalletStore) { self.store = store }

  /// Returns all descriptors in order of insertion.
  public func all() throws -> [KeyShareDescriptor] {
    try store.read { try shelf.fetch("ORDER BY key_share_descriptors.row_id", [], in: $0) }
  }

  /// Returns the descriptors of one key's shares.
  public func ofKey(_ groupPublicKey: Data) throws -> [KeyShareDescriptor] {
    try store.read { database in
      try shelf.fetch(
        "WHERE key_share_descriptors.group_public_key = ? ORDER BY key_share_descriptors.row_id",
        [groupPublicKey], in: database)
    }
  }

  /// Adds a descriptor, or replaces the one with its id.
  public func save(_ descriptor: KeyShareDescriptor) throws {
    try store.write { try shelf.save(descriptor, in: $0) }
  }

  /// Removes a descriptor.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The public parts of key shares.
  public var keyShareDescriptors: DescriptorRepository { DescriptorRepository(store: self) }
}
