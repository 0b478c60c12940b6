package import FuekiCrypto

/// What tells which record a message is, by which a differential archive takes the place of its base's records
/// (fueki-archive(5), DIFFERENTIAL ARCHIVES).
package enum RecordIdentity: Equatable, Sendable {
  /// The record's id, at this place of the message: field 1, of a receipt field 2.
  case id(Range<Int>)
  /// The record has no id that can be read: SHA-256 of the message stands for it.
  case message(Digest)

  /// The section whose records are told apart by their second field.
  private static let receipts: UInt16 = 33

  /// Finds the identity of any section's record, known or not; what is no message has one, too.
  package init(of message: Span<UInt8>, in section: UInt16) {
    let number: UInt32 = section == Self.receipts ? 2 : 1
    var fields = MessageFields(message.indices)
    var id: Range<Int>?
    do throws(MessageFields.Malformed) {
      while let field = try fields.next(in: message) {
        guard field.number == number else { continue }
        // The last one counts, and counts as nothing where it is of another type or empty.
        id = field.wireType == .lengthDelimited && !field.content.isEmpty ? field.content : nil
      }
    } catch { id = nil }
    self = id.map(Self.id) ?? .message(SHA256.hash(message))
  }

  /// The identity as it stands in an archive: u8 0 ‖ the id, or u8 1 ‖ the digest.
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

  /// SHA-256 of ``bytes(in:)``, which is all that a reader keeps of an identity.
  package func digest(in message: Span<UInt8>) -> Digest {
    let form: [UInt8]
    switch self {
    case .id(let range):
      form = [0]
      return SHA256.hash(form.span, message.extracting(range))
    case .message(let digest): return SHA256.hash([1] + digest.bytes)
    }
  }

  /// Whether bytes are an identity: of one form or the other, and of its length.
  package static func isIdentity(_ bytes: [UInt8]) -> Bool {
    switch bytes.first {
    case 0: bytes.count > 1
    case 1: bytes.count == 1 + Digest.byteCount
    default: false
    }
  }
}
