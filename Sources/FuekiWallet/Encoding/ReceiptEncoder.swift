package import FoundationEssentials

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
