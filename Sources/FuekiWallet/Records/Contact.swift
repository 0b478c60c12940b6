public import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// The address book.
  static let contact = RecordKind(
    .contacts, "contacts", .record(Contact.self), in: .contacts,
    olderSpellings: [OlderSpelling(of: 0) { (contact: inout Contact) in contact.takeAppWords() }],
    [
      .always(1, "id", .packed), .always(2, "name", .text), .always(3, "address", .packed),
      .always(4, "chain_family", .text), .always(5, "chain_id", .text), .always(6, "notes", .text),
      .optional(7, "created_at", .time), .optional(8, "updated_at", .time),
    ])
}

extension Contact: SectionRecord {
  /// Section 4.
  public static var kind: RecordKind { .contact }
  /// The time of its last change, else of its creation.
  public var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
  /// Its address on its chain.
  public var naturalKey: NaturalKey? { NaturalKey(family: chainFamily, chain: chainID, address: address) }
  /// Its name and address.
  public var payee: (name: String, address: Data)? { (name, address) }

  fileprivate mutating func takeAppWords() {
    if chainFamily.isEmpty { chainFamily = AppWord.family(of: address) }
  }
}
