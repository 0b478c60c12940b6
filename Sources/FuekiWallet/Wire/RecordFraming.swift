internal import SwiftProtobuf
package import FoundationEssentials
public import FuekiCrypto

/// The framing of a section's records, each preceded by its length.
///
/// See fueki-archive(5), "Chunks and streams".
public enum RecordFraming {
  /// The limit of a record with its length, in bytes.
  public static let maximumByteCount = 16 << 20

  /// Returns the length of a message with its length prefix, in bytes.
  public static func framedByteCount(_ messageByteCount: Int) -> Int {
    var count = messageByteCount + 1
    var rest = messageByteCount >> 7
    while rest > 0 {
      count += 1
      rest >>= 7
    }
    return count
  }

  /// Returns the length prefix of a message.
  static func lengthBytes(_ messageByteCount: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(varint: UInt64(messageByteCount))
    return bytes
  }

  /// Appends a message with its length prefix.
  ///
  /// - Throws: ``FramingError/tooLong(offset:)``, without appending anything.
  public static func append(_ message: [UInt8], to block: inout [UInt8]) throws(FramingError) {
    guard framedByteCount(message.count) <= maximumByteCount else { throw .tooLong(offset: block.count) }
    block.append(varint: UInt64(message.count))
    block.append(contentsOf: message)
  }

  /// Appends a message with its length prefix.
  ///
  /// - Throws: ``FramingError/tooLong(offset:)``, without appending anything.
  package static func append(_ message: Span<UInt8>, to block: inout [UInt8]) throws(FramingError) {
    guard framedByteCount(message.count) <= maximumByteCount else { throw .tooLong(offset: block.count) }
    block.append(varint: UInt64(message.count))
    block.append(copying: message)
  }

  /// Returns a secret message with its length prefix.
  ///
  /// - Throws: `CryptoError` if memory is unavailable.
  public static func framed(_ message: borrowing SecretBytes) throws(CryptoError) -> SharedSecret {
    let length = lengthBytes(message.count)
    var framed = try SecretBytes(count: length.count + message.count)
    message.withBytes { message in
      framed.withMutableBytes { output in
        output.write(length.span, at: 0)
        output.write(message, at: length.count)
      }
    }
    return SharedSecret(framed)
  }

  /// Finds the message whose length prefix is at `offset`, and moves the offset past it.
  ///
  /// - Returns: the message's range; nil at the end.
  public static func next(in block: Span<UInt8>, at offset: inout Int) throws(FramingError) -> Range<Int>? {
    guard offset < block.count else { return nil }
    let start = offset
    var length = 0
    var position = start
    while true {
      guard position < block.count else { throw .truncated(offset: start) }
      // 2^28 exceeds any record.
      guard position - start < 4 else { throw .tooLong(offset: start) }
      let byte = block[position]
      length |= Int(byte & 0x7f) << (7 * (position - start))
      position += 1
      guard byte < 0x80 else { continue }
      guard byte != 0 || position == start + 1 else { throw .lengthNotMinimal(offset: start) }
      break
    }
    guard position - start + length <= maximumByteCount else { throw .tooLong(offset: start) }
    guard length <= block.count - position else { throw .truncated(offset: start) }
    offset = position + length
    return position..<offset
  }

  /// Passes each record of a block to `body`, in order.
  public static func forEachRecord<E: Error>(
    in block: Span<UInt8>, _ body: (Span<UInt8>) throws(E) -> Void
  ) throws {
    var offset = 0
    while let range = try next(in: block, at: &offset) { try body(block.extracting(range)) }
  }
}

/// Why bytes are not a sequence of records.
public enum FramingError: Error, Equatable, Sendable {
  /// The bytes end inside a record or its length.
  case truncated(offset: Int)
  /// A length is not encoded minimally.
  case lengthNotMinimal(offset: Int)
  /// A record with its length exceeds 16 MiB.
  case tooLong(offset: Int)
}

/// A record's encoded fields without columns in the table.
///
/// A tail is a message by itself, with the entries of field 15 and the unknown fields.
package enum RecordTail {
  package static func data(extra: [Extra], unknown: Data) throws -> Data {
    guard !extra.isEmpty else { return unknown }
    var writer = WireWriter()
    for entry in extra { writer.append(15, bytes: try entry.serializedBytes() as [UInt8]) }
    writer.append(raw: unknown)
    return Data(writer.bytes)
  }
}
