internal import SwiftProtobuf
package import FoundationEssentials

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
      .always(3, "hash", .packed, by: .key), .always(4, "from", .packed, in: .column("from_address")),
      .always(5, "to", .packed, in: .column("to_address")), .always(6, "amount", .text),
      .optional(7, "fee", .text), .always(8, "status", .text, by: .word(TransactionStatus.pending.rawValue)),
      .optional(9, "timestamp", .time, by: .time),
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
  /// Its transaction's id, because a transaction has one receipt, in the transaction's own row.
  public var recordID: RecordID { RecordID(packed: transactionID) }
  /// Nil: a receipt has no time.
  public var lastChange: Int64? { nil }
  /// Its transaction.
  public var naturalKey: NaturalKey? {
    transactionID.isEmpty ? nil : NaturalKey(parts: [transactionID])
  }
}

/// Encodes transactions directly from their columns.
///
/// A history has millions of them, and a message object for each would cost several times as much as its
/// bytes.
package enum TransactionEncoder {
  /// Appends the fields of a `Transaction`.
  ///
  /// Without a tail the bytes equal SwiftProtobuf's. A tail follows field 16, while SwiftProtobuf writes
  /// field 15 before it; both decode to the same record.
  ///
  /// - Parameters:
  ///   - id: packed text, like the wallet's id, the hash and the addresses.
  ///   - walletID: see `id`.
  ///   - hash: see `id`.
  ///   - from: see `id`.
  ///   - to: see `id`.
  ///   - amount: decimal text, like the fee and the gas price.
  ///   - fee: see `amount`.
  ///   - status: a ``TransactionStatus`` or another text.
  ///   - timestamp: microseconds since 1970.
  ///   - blockNumber: the block's height.
  ///   - nonce: the sender's count.
  ///   - gasPrice: see `amount`.
  ///   - gasLimit: decimal text.
  ///   - data: the call data.
  ///   - metadata: arbitrary text.
  ///   - tail: encoded entries of field 15 and unknown fields.
  ///   - writer: receives the fields.
  package static func append(
    id: Data, walletID: Data, hash: Data, from: Data, to: Data, amount: String, fee: String?, status: String,
    timestamp: Int64?, blockNumber: UInt64?, nonce: UInt64?, gasPrice: String?, gasLimit: String?,
    data: Data?,
    metadata: String?, tail: Data?, to writer: inout WireWriter
  ) {
    writer.appendUnlessEmpty(1, bytes: id)
    writer.appendUnlessEmpty(2, bytes: walletID)
    writer.appendUnlessEmpty(3, bytes: hash)
    writer.appendUnlessEmpty(4, bytes: from)
    writer.appendUnlessEmpty(5, bytes: to)
    writer.appendUnlessEmpty(6, text: amount)
    writer.appendIfPresent(7, text: fee)
    writer.appendUnlessEmpty(8, text: status)
    writer.appendIfPresent(9, zigzag: timestamp)
    writer.appendIfPresent(10, varint: blockNumber)
    writer.appendIfPresent(11, varint: nonce)
    writer.appendIfPresent(12, text: gasPrice)
    writer.appendIfPresent(13, text: gasLimit)
    writer.appendIfPresent(14, bytes: data)
    writer.appendIfPresent(16, text: metadata)
    if let tail { writer.append(raw: tail) }
  }
}

/// Encodes receipts directly from their columns.
package enum ReceiptEncoder {
  /// Appends the fields of a `Receipt`.
  ///
  /// Without a tail the bytes equal SwiftProtobuf's.
  ///
  /// - Parameters:
  ///   - id: packed text, like the transaction's id.
  ///   - transactionID: see `id`.
  ///   - gasUsed: decimal text.
  ///   - logs: the encoded entries of field 4.
  ///   - success: whether the transaction succeeded.
  ///   - logsJSON: logs in another format, as the source's text.
  ///   - tail: encoded entries of field 15 and unknown fields.
  ///   - writer: receives the fields.
  package static func append(
    id: Data, transactionID: Data, gasUsed: String?, logs: Data?, success: Bool?, logsJSON: String?,
    tail: Data?,
    to writer: inout WireWriter
  ) {
    writer.appendUnlessEmpty(1, bytes: id)
    writer.appendUnlessEmpty(2, bytes: transactionID)
    writer.appendIfPresent(3, text: gasUsed)
    if let logs { writer.append(raw: logs) }
    writer.appendIfPresent(5, varint: success.map { $0 ? 1 : 0 })
    writer.appendIfPresent(6, text: logsJSON)
    if let tail { writer.append(raw: tail) }
  }
}
