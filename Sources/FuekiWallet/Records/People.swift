internal import SwiftProtobuf
public import FoundationEssentials

extension RecordKind {
  /// The address book.
  static let contact = RecordKind(
    .contacts, "contacts", .record(Contact.self), in: .contacts,
    olderSpellings: [OlderSpelling(of: 0) { (contact: inout Contact) in contact.takeAppWords() }],
    [
      .always(1, "id", .packed), .always(2, "name", .text, by: .words),
      .always(3, "address", .packed, by: .key),
      .always(4, "chain_family", .text, by: .key), .always(5, "chain_id", .text, by: .key),
      .always(6, "notes", .text, by: .words),
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

extension RecordKind {
  /// Participants in threads.
  static let chatUser = RecordKind(
    .users, "users", .record(ChatUser.self), in: .conversations,
    [
      .always(1, "id", .packed), .always(2, "name", .text, by: .words),
      .optional(3, "email", .text, by: .words),
      .optional(4, "created_at", .time),
    ])
}

extension ChatUser: SectionRecord {
  /// Section 36.
  public static var kind: RecordKind { .chatUser }
  /// The time when the user was first seen.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}

extension RecordKind {
  /// Threads of messages.
  static let chatThread = RecordKind(
    .threads, "threads", .record(ChatThread.self), in: .conversations,
    [
      .always(1, "id", .packed), .always(2, "owner_id", .packed, in: .parent(.users, name: "owner")),
      .always(3, "title", .text, by: .words),
      .list(
        4, "co_author_ids", .packed, in: .list(table: "thread_co_authors", owner: "thread", element: "user")),
      .optional(5, "created_at", .time), .optional(6, "updated_at", .time),
    ])
}

extension ChatThread: SectionRecord {
  /// Section 37.
  public static var kind: RecordKind { .chatThread }
  /// The time of its last change, else of its creation.
  public var lastChange: Int64? { hasUpdatedAt ? updatedAt : hasCreatedAt ? createdAt : nil }
}

extension RecordKind {
  /// Messages.
  static let chatMessage = RecordKind(
    .messages, "messages", .record(ChatMessage.self), in: .conversations, traits: .abundant,
    [
      .always(1, "id", .packed), .always(2, "thread_id", .packed, in: .parent(.threads, name: "thread")),
      .optional(3, "author_id", .packed), .always(4, "text", .text, by: .words),
      .list(
        5, "citation_ids", .packed, in: .list(table: "message_citations", owner: "message", element: "cited")),
      .optional(6, "created_at", .time, by: .time),
    ])
}

extension ChatMessage: SectionRecord {
  /// Section 38.
  public static var kind: RecordKind { .chatMessage }
  /// The time of writing.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
