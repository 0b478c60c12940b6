internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Participants in threads.
  static let chatUser = RecordKind(
    .users, "users", .record(ChatUser.self), in: .conversations,
    [
      .always(1, "id", .packed), .always(2, "name", .text), .optional(3, "email", .text),
      .optional(4, "created_at", .time),
    ])
}

extension ChatUser: SectionRecord {
  /// Section 36.
  public static var kind: RecordKind { .chatUser }
  /// The time when the user was first seen.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
