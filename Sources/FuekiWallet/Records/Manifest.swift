internal import SwiftProtobuf

extension RecordKind {
  /// The archive's description of itself: exactly one record.
  static let manifest = RecordKind(
    .manifest, "manifest", .message(Manifest.self), in: nil,
    [
      .always(1, "profile_digest", .bytes), .always(2, "history_digest", .bytes),
      .always(3, "secrets_digest", .bytes), .always(4, "program", .text), .always(5, "schema", .unsigned32),
      .always(6, "label", .text), .always(7, "device", .text), .list(8, "sources", .message(sourceReport)),
      .list(9, "share_checks", .text), .list(10, "unknown_columns", .message(unknownColumn)),
      .list(11, "problems", .message(recordProblem)), .always(12, "includes_private_keys", .boolean),
      .always(14, "padding", .omitted), .list(16, "signers", .bytes),
    ])

  private static let sourceReport = RecordMessage(
    .always(1, "name", .text), .list(2, "included", .message(sectionCount)),
    .list(3, "excluded", .message(exclusion)), .always(4, "complete", .boolean))

  private static let sectionCount = RecordMessage(
    .always(1, "section", .unsigned32), .always(2, "records", .unsigned64))

  private static let exclusion = RecordMessage(
    .always(1, "what", .text), .always(2, "reason", .text), .always(3, "by_request", .boolean))

  private static let recordProblem = RecordMessage(
    .always(1, "section", .unsigned32), .always(2, "id", .bytes), .always(3, "problem", .text))

  private static let unknownColumn = RecordMessage(
    .always(1, "table", .text), .always(2, "column", .text), .always(3, "declared_type", .text))
}
