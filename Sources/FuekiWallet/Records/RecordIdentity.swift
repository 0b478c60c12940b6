internal import FuekiCrypto

/// The identity of a record of any section, known or unknown.
///
/// See fueki-archive(5). Identities are compared as bytes: another spelling of an id is another identity.
public enum RecordIdentity {
  /// Returns a record's identity: 0 and its id, or 1 and the SHA-256 of a message without an id.
  public static func bytes(of message: Span<UInt8>, in section: UInt16) -> [UInt8] {
    let number = UInt64(Section(rawValue: section)?.kind.identityNumber ?? 1)
    guard let id = lastContent(ofField: number, in: message), !id.isEmpty else {
      return [1] + SHA256.hash(message).bytes
    }
    var identity: [UInt8] = [0]
    identity.append(copying: message.extracting(id))
    return identity
  }

  /// Finds the last content of a field; nil if there is none, or the message is not completely made of
  /// fields.
  ///
  /// Unlike ``WireReader`` this accepts varints that are not minimal, because other writers may produce them.
  private static func lastContent(ofField number: UInt64, in message: Span<UInt8>) -> Range<Int>? {
    var content: Range<Int>?
    var position = 0
    while position < message.count {
      guard let tag = varint(in: message, at: &position), 1...0x1FFF_FFFF ~= tag >> 3 else { return nil }
      var length: UInt64 = 0
      switch tag & 7 {
      case 0: guard varint(in: message, at: &position) != nil else { return nil }
      case 1: length = 8
      case 2:
        guard let count = varint(in: message, at: &position) else { return nil }
        length = count
      case 5: length = 4
      default: return nil
      }
      guard length <= UInt64(message.count - position) else { return nil }
      let range = position..<position + Int(length)
      if tag >> 3 == number { content = tag & 7 == 2 ? range : content }
      position = range.upperBound
    }
    return content
  }

  /// Reads a number of at most 10 bytes and 64 bits.
  private static func varint(in message: Span<UInt8>, at position: inout Int) -> UInt64? {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      guard position < message.count else { return nil }
      let byte = message[position]
      position += 1
      guard shift < 63 || byte <= 1 else { return nil }
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
    }
    return nil
  }
}
