package import FoundationEssentials
package import FuekiWallet
internal import FuekiBackup
package import FuekiStore
internal import GRDB

/// The address book of a store.
package struct ContactRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Contact>()

  init(store: WalletStore) { self.store = store }

  /// Returns all contacts in order of insertion.
  package func all() throws -> [Contact] {
    try store.read { try shelf.fetch("ORDER BY contacts.row_id", [], in: $0) }
  }

  /// Adds a contact, or replaces the one with its id.
  package func save(_ contact: Contact) throws { try store.write { try shelf.save(contact, in: $0) } }

  /// Removes a contact.
  @discardableResult
  package func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The contacts.
  package var contacts: ContactRepository { ContactRepository(store: self) }
}
