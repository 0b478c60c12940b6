public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The public parts of key shares in a store.
public struct DescriptorRepository: Sendable {
  package let store: WalletStore
  private let shelf = RecordShelf<KeyShareDescriptor>()

  init(store: WalletStore) { self.store = store }

  /// Returns all descriptors in order of insertion.
  public func all() throws -> [KeyShareDescriptor] {
    try store.read { try shelf.fetch("ORDER BY key_share_descriptors.row_id", [], in: $0) }
  }
}

extension WalletStore {
  /// The public parts of key shares.
  public var keyShareDescriptors: DescriptorRepository { DescriptorRepository(store: self) }
}
