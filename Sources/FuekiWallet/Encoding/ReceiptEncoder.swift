public import FoundationEssentials

/// Writes receipts straight from the values of their columns.
public enum ReceiptEncoder {
  /// Appends the fields of a `Receipt`.
  ///
  /// Without a tail the bytes are those that SwiftProtobuf would give.
  ///
  /// - Parameters:
  ///   - id: packed text, like the transaction's id.
  ///   - transactionID: see `id`.
  ///   - gasUsed: decimal text.
  ///   - logs: the entries of field 4, as they are on the wire; see ``Receipt/logsOnWire``.
  ///   - success: whether the transaction did what it was meant to.
  ///   - logsJSON: logs in another shape, as their source's text.
  ///   - tail: entries of field 15 and fields that this version does not know, as they are on the wire.
  ///   - writer: what is appended to.
  public static func append(
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
