public import FoundationEssentials
public import FuekiCrypto

/// A private key or seed phrase, as section 65 has it.
///
/// It is encoded and decoded by hand, so that the secret is only ever in protected memory.
public struct PrivateKeyRecord: Sendable {
  /// How many bytes an id has.
  public static let idByteCount = 16
  /// What ``kind`` is of a server's key, which is no wallet's.
  public static let endpointKey = "endpoint-key"

  /// The key's id, 16 bytes.
  public var id: [UInt8]
  /// The wallet that the key is of, as packed text; nil where that is not known.
  public var walletID: Data?
  /// What the secret is: "private-key", "seed-phrase", "endpoint-key" or another text.
  public var kind: String
  /// What people call it.
  public var name: String
  /// The secret itself.
  public var secret: SharedSecret
  /// When it was made, in microseconds since 1970.
  public var createdAt: Int64?
  /// Fields that this version does not know, as they are on the wire.
  public var unknownFields: SharedSecret?

  /// Makes a record.
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

  /// The message's bytes, without a length before them.
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

  /// Reads a message's bytes.
  ///
  /// - Throws: ``SecretRecordError``; the id must have 16 bytes and the secret must be there.
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
