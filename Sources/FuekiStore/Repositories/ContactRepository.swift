public import FoundationEssentials
public import FuekiWallet
internal import FuekiBackup
internal import GRDB

/// The address book of a store.
public struct ContactRepository: Sendable {
  let store: WalletStore
  private let shelf = RecordShelf<Contact>()

  init(store: WalletStore) { self.store = store }

  /// Returns all contacts in order of insertion.
  public func all() throws -> [Contact] {
    try store.read { try shelf.fetch("ORDER BY contacts.row_id", [], in: $0) }
  }

  /// Returns the contact with an id.
  public func find(id: Data) throws -> Contact? {
    try store.read { try shelf.fetch(id.databaseValue, in: $0) }
  }

  /// Returns the contacts with an address on any chain.
  public func withAddress(_ address: Data) throws -> [Contact] {
    try store.read {
      try shelf.fetch("WHERE contacts.address = ? ORDER BY contacts.row_id", [address], in: $0)
    }
  }

  /// Adds a contact, or replaces the one with its id.
  public func save(_ contact: Contact) throws { try store.write { try shelf.save(contact, in: $0) } }

  /// Removes a contact.
  @discardableResult
  public func delete(id: Data) throws -> Bool {
    try store.write { try shelf.delete(id.databaseValue, in: $0) }
  }
}

extension WalletStore {
  /// The contacts.
  public var contacts: ContactRepository { ContactRepository(store: self) }
}
