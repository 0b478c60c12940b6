internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Threads of messages.
  static let chatThread = RecordKind(
    .threads, "threads", .record(ChatThread.self), in: .conversations,
    [
      .always(1, "id", .packed), .always(2, "owner_id", .packed, in: .parent(.users, name: "owner")),
      .always(3, "title", .text),
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
