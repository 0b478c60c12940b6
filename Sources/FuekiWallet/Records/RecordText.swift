internal import FoundationEssentials
internal import SwiftProtobuf

/// Why a text is no value of a record's field.
public enum RecordTextError: Error, Equatable, Sendable {
  /// The kind has no such field, or none of this use.
  case noField(String)
  /// The field has several values or parts, or exports leave it out.
  case notOneValue(field: String)
  /// The text is no value of the field.
  case notAValue(field: String)
}

extension RecordField {
  /// Returns the field on the wire, with a value as exports in JSON spell it; nil for another text.
  ///
  /// Bytes are in base64, times in ISO 8601 with a zone.
  fileprivate func encoded(_ text: String) -> [UInt8]? {
    var writer = WireWriter()
    switch value {
    case .text: writer.append(number, text: text)
    case .packed: writer.append(number, packing: text)
    case .fileName: writer.append(number, bytes: Data(text.utf8))
    case .bytes:
      guard let bytes = Data(base64Encoded: text) else { return nil }
      writer.append(number, bytes: bytes)
    case .boolean:
      guard let value = Bool(text) else { return nil }
      writer.append(number, varint: value ? 1 : 0)
    case .unsigned32:
      guard let value = UInt32(text) else { return nil }
      writer.append(number, varint: UInt64(value))
    case .unsigned64:
      guard let value = UInt64(text) else { return nil }
      writer.append(number, varint: value)
    case .signed32:
      guard let value = Int32(text) else { return nil }
      writer.append(number, varint: UInt64(bitPattern: Int64(value)))
    case .zigzag:
      guard let value = Int64(text) else { return nil }
      writer.append(number, zigzag: value)
    case .time:
      guard let value = Timestamp(text) else { return nil }
      writer.append(number, zigzag: value.microseconds)
    case .real:
      guard let value = Double(text) else { return nil }
      writer.append(number, real: value)
    case .omitted, .message: return nil
    }
    return writer.bytes
  }

  /// Whether a text can be its value.
  fileprivate var isOneValue: Bool {
    switch (value, presence) {
    case (.omitted, _), (.message, _), (_, .list), (_, .choice): false
    default: true
    }
  }
}

extension RecordKind {
  /// Returns the id of a record of this kind from its text: base64 for ids that are bytes.
  ///
  /// - Throws: ``RecordTextError/notAValue(field:)``.
  public func recordID(_ text: String) throws(RecordTextError) -> RecordID {
    guard case .bytes = identity?.value else { return RecordID(text) }
    guard let bytes = Data(base64Encoded: text) else { throw .notAValue(field: identity?.name ?? "") }
    return RecordID(packed: bytes)
  }
}

extension SectionRecord {
  /// Returns the record with another value of a field.
  ///
  /// Everything else stays, also fields that this version does not know.
  ///
  /// - Parameters:
  ///   - name: the field.
  ///   - text: its value as exports in JSON spell it; nil for none.
  /// - Returns: the changed record.
  /// - Throws: ``RecordTextError``.
  public func setting(_ name: String, to text: String?) throws(RecordTextError) -> Self {
    guard let field = Self.kind.fields.first(where: { $0.name == name }) else { throw .noField(name) }
    guard field.isOneValue else { throw .notOneValue(field: name) }
    guard let value = text == nil ? [] : text.flatMap(field.encoded) else { throw .notAValue(field: name) }
    do {
      let message: [UInt8] = try serializedBytes()
      var changed: [UInt8] = []
      var reader = WireReader()
      while let part = try reader.next(in: message.span) {
        if part.number != field.number { changed += message[part.range] }
      }
      return try Self(serializedBytes: changed + value)
    } catch {
      throw .notAValue(field: name)
    }
  }
}
