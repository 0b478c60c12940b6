internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Presentations of ID tokens.
  static let idTokenSharing = RecordKind(
    .idTokenSharing, "id-token-sharing", .record(IdTokenSharing.self), in: .credentials,
    [
      .always(1, "id", .packed), .always(2, "platform", .text), .always(3, "rp", .text),
      .optional(4, "account_index", .unsigned32), .optional(5, "created_at", .time),
    ])
}

extension IdTokenSharing: SectionRecord {
  /// Section 35.
  public static var kind: RecordKind { .idTokenSharing }
  /// The time of presentation.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
