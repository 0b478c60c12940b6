public import FoundationEssentials
public import FuekiCrypto

/// A private key or seed phrase, a record of section 65.
///
/// It is encoded and decoded by hand, so that the secret is never outside protected memory.
public struct PrivateKeyRecord: Sendable {
  /// The length of an id in bytes.
  public static let idByteCount = 16
  /// The ``kind`` of a server's key, which belongs to no wallet.
  public static let endpointKey = "endpoint-key"

  /// The key's id, 16 bytes.
  public var id: [UInt8]
  /// The key's wallet, as packed text; nil if unknown.
  public var walletID: Data?
  /// The type of secret: "private-key", "seed-phrase", "endpoint-key" or another text.
  public var kind: String
  /// The name for people.
  public var name: String
  /// The secret.
  public var secret: SharedSecret
  /// The time of creation, in microseconds since 1970.
  public var createdAt: Int64?
  /// Encoded fields unknown to this version.
  public var unknownFields: SharedSecret?

  /// Creates a record.
  public init(
    id: [UInt8], walletID: Data?, kind: String, name: String, secret: SharedSecret, createdAt: Int64?
  ) {
    self.id = id
    self.walletID = walletID
    self.kind = kind
    self.name = name
    self.secret = secret
    self.createdAt = createdAt
  }

  /// Encodes the message, without a length prefix.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``.
  public func encoded() throws(SecretRecordError) -> SecretBytes {
    var head = WireWriter()
    head.appendUnlessEmpty(1, bytes: id.span)
    head.appendIfPresent(2, bytes: walletID)
    head.appendUnlessEmpty(3, text: kind)
    head.appendUnlessEmpty(4, text: name)
    let count = secret.bytes.count
    if count > 0 { head.append(5, lengthOfBytes: count) }
    var tail = WireWriter()
    tail.appendIfPresent(6, zigzag: createdAt)
    return try SecretMessage.joined(
      head: head.bytes, secret: secret, tail: tail.bytes, unknown: unknownFields)
  }

  /// Decodes a message.
  ///
  /// - Throws: ``SecretRecordError``. The id must have 16 bytes, and the secret must be present.
  public init(decoding message: Span<UInt8>) throws(SecretRecordError) {
    var id: [UInt8] = []
    var walletID: Data?
    var kind = ""
    var name = ""
    var secretRange: Range<Int>?
    var createdAt: Int64?
    var unknown: [Range<Int>] = []
    var seen = FieldsSeen()
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        guard field.number <= 6 else {
          unknown.append(field.range)
          continue
        }
        try seen.note(field)
        switch field.number {
        case 1: id = try field.bytes(in: message)
        case 2: walletID = Data(try field.bytes(in: message))
        case 3: kind = try field.text(in: message)
        case 4: name = try field.text(in: message)
        case 5: secretRange = try field.content()
        default: createdAt = try field.zigzag()
        }
      }
    } catch {
      throw .malformed(error)
    }
    guard id.count == Self.idByteCount else { throw .missing(field: 1) }
    guard let secretRange else { throw .missing(field: 5) }
    self.init(
      id: id, walletID: walletID, kind: kind, name: name,
      secret: try SecretMessage.copy([secretRange], of: message), createdAt: createdAt)
    if !unknown.isEmpty { unknownFields = try SecretMessage.copy(unknown, of: message) }
  }
}

/// A message with one secret: the fields before it, the secret, the fields after it.
///
/// Only the secret and unknown fields need protected memory.
enum SecretMessage {
  /// Assembles a message.
  static func joined(
    head: [UInt8], secret: SharedSecret, tail: [UInt8], unknown: SharedSecret?
  ) throws(SecretRecordError) -> SecretBytes {
    let unknownCount = unknown.map { $0.bytes.count } ?? 0
    do {
      return try SecretBytes(count: head.count + secret.bytes.count + tail.count + unknownCount) {
        (output: inout MutableSpan<UInt8>) throws(CryptoError) in
        var position = 0
        put(head.span, into: &output, at: &position)
        secret.bytes.withBytes { put($0, into: &output, at: &position) }
        put(tail.span, into: &output, at: &position)
        unknown?.bytes.withBytes { put($0, into: &output, at: &position) }
      }
    } catch {
      throw .outOfMemory
    }
  }

  /// Copies and concatenates ranges of a message.
  static func copy(_ ranges: [Range<Int>], of message: Span<UInt8>) throws(SecretRecordError) -> SharedSecret
  {
    let count = ranges.reduce(0) { $0 + $1.count }
    do {
      var secret = try SecretBytes(count: count)
      secret.withMutableBytes { output in
        var position = 0
        for range in ranges { put(message.extracting(range), into: &output, at: &position) }
      }
      return SharedSecret(secret)
    } catch {
      throw .outOfMemory
    }
  }

  private static func put(
    _ bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>, at position: inout Int
  ) {
    output.write(bytes, at: position)
    position += bytes.count
  }
}

/// The fields of a message seen so far, to refuse duplicates.
struct FieldsSeen {
  private var mask: UInt64 = 0

  /// Records a singular field.
  mutating func note(_ field: WireField) throws(WireError) {
    let bit: UInt64 = 1 << UInt64(field.number & 63)
    guard mask & bit == 0 else { throw .repeated(field: field.number) }
    mask |= bit
  }
}

/// Why a secret record cannot be encoded or decoded.
public enum SecretRecordError: Error, Equatable, Sendable {
  /// Its bytes violate the wire format or its schema.
  case malformed(WireError)
  /// A required field is missing.
  case missing(field: UInt32)
  /// Protected memory for it is unavailable.
  case outOfMemory
}
