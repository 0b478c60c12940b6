public import FoundationEssentials

/// Writes transactions straight from the values of their columns.
///
/// A history has millions of them, and a message for each would cost several times what its bytes do.
public enum TransactionEncoder {
  /// Appends the fields of a `Transaction`.
  ///
  /// Without a tail the bytes are those that SwiftProtobuf would give. A tail stands after field 16, where
  /// SwiftProtobuf would put entries of field 15 before it: a reader takes both for the same record.
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
  ///   - data: the call's input.
  ///   - metadata: text of any kind.
  ///   - tail: entries of field 15 and fields that this version does not know, as they are on the wire.
  ///   - writer: what is appended to.
  public static func append(
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
