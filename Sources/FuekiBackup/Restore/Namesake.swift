/// A new contact with the name of an existing one, but another address.
public struct Namesake: Equatable, Sendable {
  /// The new contact's id as people read it.
  public let id: String
  /// The name and address of the existing contact, and the address of the new one.
  public let address: RestoreConflict.Address

  /// Describes a contact.
  public init(id: String, address: RestoreConflict.Address) {
    self.id = id
    self.address = address
  }
}
