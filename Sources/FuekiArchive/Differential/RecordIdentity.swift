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

/// The fields of a Protocol Buffers message of any schema, which record identities in unknown sections need.
///
/// Varints need not be minimal, because writers differ. Groups are not supported.
struct MessageFields {
  /// The bytes are not a sequence of fields.
  struct Malformed: Error {}

  /// A field's number and the position of its content.
  struct Field {
    let number: UInt32
    let wireType: FieldTag.WireType
    /// The value of a varint; 0 for other wire types.
    let value: UInt64
    /// The range of the bytes of other wire types, without their length.
    let content: Range<Int>
  }

  private var position: Int
  private let end: Int

  /// Starts before the first field of the message in `range` of the bytes passed to ``next(in:)``.
  init(_ range: Range<Int>) {
    position = range.lowerBound
    end = range.upperBound
  }

  /// Returns the next field; nil at the message's end.
  mutating func next(in bytes: Span<UInt8>) throws(Malformed) -> Field? {
    guard position < end else { return nil }
    guard let tag = FieldTag(try varint(in: bytes)) else { throw Malformed() }
    var value: UInt64 = 0
    var count = 0
    switch tag.wireType {
    case .varint: value = try varint(in: bytes)
    case .eightBytes: count = 8
    case .fourBytes: count = 4
    case .lengthDelimited:
      let length = try varint(in: bytes)
      guard length <= UInt64(end - position) else { throw Malformed() }
      count = Int(length)
    }
    guard count <= end - position else { throw Malformed() }
    defer { position += count }
    return Field(
      number: tag.rawValue >> 3, wireType: tag.wireType, value: value, content: position..<position + count)
  }

  private mutating func varint(in bytes: Span<UInt8>) throws(Malformed) -> UInt64 {
    guard let value = Varint.readAny(bytes, at: &position, end: end) else { throw Malformed() }
    return value
  }
}
