package import FuekiCrypto

/// Identifies a record, so that a differential archive can replace its base's records.
///
/// See fueki-archive(5), DIFFERENTIAL ARCHIVES.
package enum RecordIdentity: Equatable, Sendable {
  /// The range of the record's id in the message: field 1, or field 2 in a receipt.
  case id(Range<Int>)
  /// The SHA-256 of the message, for a record without a readable id.
  case message(Digest)

  /// The section whose records are identified by their second field.
  private static let receipts: UInt16 = 33

  /// Finds the identity of any section's record, known or unknown.
  ///
  /// Malformed messages have one too.
  package init(of message: Span<UInt8>, in section: UInt16) {
    let number: UInt32 = section == Self.receipts ? 2 : 1
    var fields = MessageFields(message.indices)
    var id: Range<Int>?
    do throws(MessageFields.Malformed) {
      while let field = try fields.next(in: message) {
        guard field.number == number else { continue }
        // The last occurrence counts. If it has another type or is empty, there is no id.
        id = field.wireType == .lengthDelimited && !field.content.isEmpty ? field.content : nil
      }
    } catch { id = nil }
    self = id.map(Self.id) ?? .message(SHA256.hash(message))
  }

  /// Returns the encoded identity: u8 0 ‖ the id, or u8 1 ‖ the digest.
  package func bytes(in message: Span<UInt8>) -> [UInt8] {
    switch self {
    case .id(let range):
      return [UInt8](capacity: range.count + 1) { output in
        output.append(0)
        for place in range { output.append(message[place]) }
      }
    case .message(let digest):
      var bytes: [UInt8] = [1]
      digest.append(to: &bytes)
      return bytes
    }
  }

  /// Returns the SHA-256 of ``bytes(in:)``, which readers keep in place of the identity.
  package func digest(in message: Span<UInt8>) -> Digest {
    let form: [UInt8]
    switch self {
    case .id(let range):
      form = [0]
      return SHA256.hash(form.span, message.extracting(range))
    case .message(let digest): return SHA256.hash([1] + digest.bytes)
    }
  }

  /// Whether bytes are a valid identity of either form.
  package static func isIdentity(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0: bytes.count > 1
    case 1: bytes.count == 1 + Digest.byteCount
    default: false
    }
  }
}
