internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// The public part of the key shares.
  static let keyShareDescriptor = RecordKind(
    .keyShareDescriptors, "key-share-descriptors", .record(KeyShareDescriptor.self), in: .keyShares,
    belongingTo: .share(field: 1),
    [
      .always(1, "id", .bytes), .optional(2, "wallet_id", .packed), .always(3, "protocol", .text),
      .always(4, "curve", .text), .optional(5, "party_index", .unsigned32),
      .optional(6, "threshold", .unsigned32), .optional(7, "total", .unsigned32),
      .optional(8, "epoch", .unsigned64), .always(9, "group_public_key", .bytes),
      .always(10, "own_public_point", .bytes), .always(11, "party_id", .bytes),
      .list(12, "points", .message(partyPoint)), .always(13, "encoding", .text), .always(14, "name", .text),
      .optional(16, "created_at", .time),
    ])

  private static let partyPoint = RecordMessage(
    .always(1, "party_id", .bytes), .always(2, "point", .bytes))
}

extension KeyShareDescriptor: SectionRecord {
  /// Section 6.
  public static var kind: RecordKind { .keyShareDescriptor }
  /// The time of its creation.
  public var lastChange: Int64? { hasCreatedAt ? createdAt : nil }
}
