internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Messages.
  static let chatMessage = RecordKind(
    .messages, "messages", .record(ChatMessage.self), in: .conversations, traits: .abundant,
    [
      .always(1, "id", .packed), .always(2, "thread_id", .packed, in: .parent(.threads, name: "thread")),
      .optional(3, "author_id", .packed), .always(4, "text", .text),
      .list(
        5, "citation_ids", .packed, in: .list(table: "message_citations", owner: "message", element: "cited")),
      .optional(6, "created_at", .time),
    ])
}

extension ChatMessage: SectionRecord {
  /// Section 38.
  public static var kind: RecordKind { .chatMessage }
  /// The time of writing.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
