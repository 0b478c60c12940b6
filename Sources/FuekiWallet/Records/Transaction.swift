internal import FoundationEssentials
internal import SwiftProtobuf

extension RecordKind {
  /// Transactions.
  static let transaction = RecordKind(
    .transactions, "transactions", .record(Transaction.self), in: .transactions,
    belongingTo: .wallet(field: 2), traits: .abundant,
    olderSpellings: [
      OlderSpelling(of: 0) { (transaction: inout Transaction) in transaction.takeAppWords() }
    ],
    [
      .always(1, "id", .packed), .always(2, "wallet_id", .packed, in: .parent(.wallets, name: "wallet")),
      .always(3, "hash", .packed), .always(4, "from", .packed, in: .column("from_address")),
      .always(5, "to", .packed, in: .column("to_address")), .always(6, "amount", .text),
      .optional(7, "fee", .text), .always(8, "status", .text), .optional(9, "timestamp", .time),
      .optional(10, "block_number", .unsigned64), .optional(11, "nonce", .unsigned64),
      .optional(12, "gas_price", .text, in: details), .optional(13, "gas_limit", .text, in: details),
      .optional(14, "data", .bytes, in: details), .optional(16, "metadata", .text, in: details),
    ])

  /// The column of details, which are read only with their transaction, and exist a million times.
  private static let details = RecordField.Place.column("details")
}

extension Transaction: SectionRecord {
  /// Section 32.
  public static var kind: RecordKind { .transaction }
  /// The time of sending or of its block.
  public var lastChange: Int64? { hasTimestamp ? timestamp : nil }
  /// Its hash and its wallet.
  public var naturalKey: NaturalKey? {
    hash.isEmpty || walletID.isEmpty ? nil : NaturalKey(parts: [HashSpelling(hash).small, walletID])
  }
}

/// The outcome of a transaction.
public enum TransactionStatus: String, CaseIterable, Sendable {
  /// Sent, but not yet in a block.
  case pending
  /// In a block.
  case confirmed
  /// In a block, but without effect.
  case failed
  /// Abandoned or replaced by another.
  case dropped
}

extension Transaction {
  /// The transaction's status; nil if unknown to this version.
  public var transactionStatus: TransactionStatus? { TransactionStatus(rawValue: status) }

  fileprivate mutating func takeAppWords() {
    guard let word = AppWord(status, among: TransactionStatus.allCases.map(\.rawValue)) else { return }
    status = word.known
    extra.append(word.kept(as: "status"))
  }
}
