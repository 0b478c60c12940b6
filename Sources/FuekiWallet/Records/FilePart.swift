internal import SwiftProtobuf
internal import FoundationEssentials
public import FuekiCrypto

extension RecordKind {
  /// Files that are public, or encrypted by their own wallet.
  static let filePart = RecordKind(
    .files, "files", .record(FilePart.self), in: .files, traits: .inParts, filePartFields)

  /// Files with unencrypted secrets.
  ///
  /// Their records have the same fields, and are decoded by hand.
  static let secretFilePart = RecordKind(
    .secretFiles, "secret-files", .decoded(by: SecretFilePart.init(decoding:)),
    in: .secretFiles, traits: .inParts, filePartFields)

  /// The content is exported to a separate file.
  private static let filePartFields: [RecordField] = [
    .always(1, "id", .bytes), .always(2, "source", .text), .always(3, "path", .fileName),
    .always(4, "offset", .unsigned64, by: .position), .always(5, "total", .unsigned64),
    .always(6, "content", .omitted),
    .optional(7, "modified_at", .time), .optional(8, "mode", .unsigned32), .always(9, "format", .text),
    .always(10, "address", .packed), .always(11, "kdf", .text),
    .optional(16, "place", .fileName), .always(17, "program", .text), .always(18, "program_version", .text),
  ]
}

extension FilePart: SectionRecord {
  /// Section 8.
  public static var kind: RecordKind { .filePart }
  /// The file's modification time.
  public var lastChange: Int64? { hasModifiedAt ? modifiedAt : nil }
}

/// A part of a file with secrets, a record of section 66.
///
/// The fields are those of ``FilePart``. The content is never outside protected memory.
public struct SecretFilePart: Sendable {
  /// The length of an id in bytes.
  public static let idByteCount = 16

  /// The file's id, 16 bytes, the same in all its parts.
  public var id: [UInt8]
  /// The kind of the collector that found the file.
  public var source: String
  /// The name relative to the source's directory, as the file system's bytes.
  public var path: [UInt8]
  /// The offset of this part in the file.
  public var offset: UInt64
  /// The file's length.
  public var total: UInt64
  /// This part of the file.
  public var content: SharedSecret
  /// The file's modification time, in microseconds since 1970.
  public var modifiedAt: Int64?
  /// The file's permissions.
  public var mode: UInt32?
  /// The recognised format; may be empty.
  public var format = ""
  /// The address in the file, as packed text; may be empty.
  var address = Data()
  /// The derivation of the file's own key; may be empty.
  var kdf = ""
  /// The file's path, in the first part only: `~/…` in the home directory, else absolute, as the file
  /// system's bytes.
  public var place: [UInt8]?
  /// The program that owns the file, such as "electrum"; may be empty.
  public var program = ""
  /// The version of that program; may be empty.
  public var programVersion = ""
  /// Source data without a field in this version.
  public var extra: [Extra] = []
  /// Encoded fields unknown to this version.
  public var unknownFields: SharedSecret?

  /// Creates a record with the fields that every part has.
  public init(
    id: [UInt8], source: String, path: [UInt8], offset: UInt64, total: UInt64, content: SharedSecret
  ) {
    self.id = id
    self.source = source
    self.path = path
    self.offset = offset
    self.total = total
    self.content = content
  }

  /// Encodes the message, without a length prefix.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``, or ``SecretRecordError/malformed(_:)`` if an `extra` cannot
  ///   be encoded.
  public func encoded() throws(SecretRecordError) -> SecretBytes {
    var head = WireWriter()
    head.appendUnlessEmpty(1, bytes: id.span)
    head.appendUnlessEmpty(2, text: source)
    head.appendUnlessEmpty(3, bytes: path.span)
    head.appendUnlessZero(4, varint: offset)
    head.appendUnlessZero(5, varint: total)
    let count = content.bytes.count
    if count > 0 { head.append(6, lengthOfBytes: count) }
    var tail = WireWriter()
    tail.appendIfPresent(7, zigzag: modifiedAt)
    tail.appendIfPresent(8, varint: mode.map(UInt64.init))
    tail.appendUnlessEmpty(9, text: format)
    tail.appendUnlessEmpty(10, bytes: address)
    tail.appendUnlessEmpty(11, text: kdf)
    guard let extra = try? RecordTail.data(extra: extra, unknown: Data()) else {
      throw .malformed(.invalidValue(field: 15))
    }
    tail.append(raw: extra)
    if let place { tail.append(16, bytes: place) }
    tail.appendUnlessEmpty(17, text: program)
    tail.appendUnlessEmpty(18, text: programVersion)
    return try SecretMessage.joined(
      head: head.bytes, secret: content, tail: tail.bytes, unknown: unknownFields)
  }

  /// Decodes a message.
  ///
  /// - Throws: ``SecretRecordError``. The id must have 16 bytes.
  public init(decoding message: Span<UInt8>) throws(SecretRecordError) {
    let empty: SharedSecret = try SecretMessage.copy([], of: message)
    self.init(id: [], source: "", path: [], offset: 0, total: 0, content: empty)
    var contentRange: Range<Int>?
    var unknown: [Range<Int>] = []
    var seen = FieldsSeen()
    var reader = WireReader()
    do throws(WireError) {
      while let field = try reader.next(in: message) {
        switch field.number {
        case 6:
          try seen.note(field)
          contentRange = try field.content()
        case 1...11, 16...18:
          try seen.note(field)
          try read(field, in: message)
        case 15: extra.append(try Self.extra(field, in: message))
        default: unknown.append(field.range)
        }
      }
    } catch {
      throw .malformed(error)
    }
    guard id.count == Self.idByteCount else { throw .missing(field: 1) }
    if let contentRange { content = try SecretMessage.copy([contentRange], of: message) }
    if !unknown.isEmpty { unknownFields = try SecretMessage.copy(unknown, of: message) }
  }

  private mutating func read(_ field: WireField, in message: Span<UInt8>) throws(WireError) {
    switch field.number {
    case 1: id = try field.bytes(in: message)
    case 2: source = try field.text(in: message)
    case 3: path = try field.bytes(in: message)
    case 4: offset = try field.varint()
    case 5: total = try field.varint()
    case 7: modifiedAt = try field.zigzag()
    case 8: mode = try field.uint32()
    case 9: format = try field.text(in: message)
    case 10: address = Data(try field.bytes(in: message))
    case 11: kdf = try field.text(in: message)
    case 16: place = try field.bytes(in: message)
    case 17: program = try field.text(in: message)
    default: programVersion = try field.text(in: message)
    }
  }

  private static func extra(_ field: WireField, in message: Span<UInt8>) throws(WireError) -> Extra {
    let bytes = try field.bytes(in: message)
    guard let extra = try? Extra(serializedBytes: bytes) else { throw .invalidValue(field: 15) }
    return extra
  }
}
