package import FoundationEssentials

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
