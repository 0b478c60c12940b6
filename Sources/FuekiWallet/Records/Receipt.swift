internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Receipts of transactions.
  static let receipt = RecordKind(
    .receipts, "receipts", .record(Receipt.self), in: .transactions, belongingTo: .transaction(field: 2),
    traits: .abundant,
    [
      .always(1, "id", .packed), .always(2, "transaction_id", .packed, in: .rowOf(.transactions)),
      .optional(3, "gas_used", .text), .list(4, "logs", .message(log)), .optional(5, "success", .boolean),
      .optional(6, "logs_json", .text),
    ])

  private static let log = RecordMessage(
    .always(1, "address", .packed), .list(2, "topics", .packed), .always(3, "data", .packed),
    .optional(4, "index", .unsigned64))
}

extension Receipt: SectionRecord {
  /// Section 33.
  public static var kind: RecordKind { .receipt }
  /// Nil: a receipt has no time.
  public var lastChange: Int64? { nil }
  /// Its transaction.
  public var naturalKey: NaturalKey? {
    transactionID.isEmpty ? nil : NaturalKey(parts: [transactionID])
  }
}
