internal import FuekiWallet

/// How the records of one type look in JSON: the fields that its ``RecordKind`` lists, by ascending number, under their
/// own names.
///
/// `extra` (field 15 of every record) and fields that this version does not know are written without being
/// listed.
final class RecordShape: Sendable {
  /// The fields, in ascending number.
  let fields: [FieldShape]

  /// Prepares for the fields of a record, or of a message within one, in ascending number.
  init(_ fields: [RecordField]) { self.fields = fields.map(FieldShape.init) }
}

extension RecordShape {
  static let manifest = RecordShape(Section.manifest.kind.fields)
  static let extra = RecordShape(RecordMessage.extra.fields)
}

/// A field of a record, with what is made once for all records.
struct FieldShape: Sendable {
  let number: UInt32
  let name: MemberName
  let value: RecordField.Value
  let presence: RecordField.Presence
  /// How the messages look that it holds, if it holds any.
  let message: RecordShape?

  init(_ field: RecordField) {
    (number, name, value) = (field.number, MemberName(field.name), field.value)
    message = if case .message(let message) = value { RecordShape(message.fields) } else { nil }
    // What is left out is not there as an empty value either.
    presence = field.isOmitted ? .optional : field.presence
  }
}

extension RecordField {
  /// Whether exports leave its bytes out.
  fileprivate var isOmitted: Bool { if case .omitted = value { true } else { false } }
}

/// The name of a member of a JSON object, quoted once for all records.
///
/// It has no references to be counted: workers that all counted the same ones would wait for each other.
struct MemberName: ExpressibleByStringLiteral, Sendable {
  private static let capacity = 32

  private let json: InlineArray<32, UInt8>
  private let count: Int

  init(stringLiteral name: StaticString) { self.init("\(name)") }

  /// Quotes a name of the schema's, which has at most 29 bytes.
  init(_ name: String) {
    var quoted: [UInt8] = [UInt8(ascii: "\"")]
    quoted.appendEscaped(name.utf8Span.span)
    quoted += [UInt8(ascii: "\""), UInt8(ascii: ":")]
    precondition(quoted.count <= Self.capacity, "the schema's names are short")
    json = InlineArray { $0 < quoted.count ? quoted[$0] : 0 }
    count = quoted.count
  }

  /// The name itself.
  var text: String { String(decoding: (1..<count - 2).map { json[$0] }, as: UTF8.self) }

  /// Appends the quoted name and the colon.
  func append(to bytes: inout [UInt8]) {
    bytes.append(addingCapacity: count) { output in
      for i in 0..<count { output.append(json[i]) }
    }
  }
}
