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

/// How one field of a record looks in JSON.
struct FieldShape: Sendable {
  /// The kind of a field's value.
  enum Kind: Sendable {
    case text
    /// Text, as ``PackedText`` has it.
    case packed
    case bytes
    /// A file's name, which need not be text.
    case fileName
    case boolean
    /// A `uint32`.
    case unsigned32
    /// A `uint64`.
    case unsigned64
    /// An `int32`.
    case signed32
    /// A `sint64`.
    case zigzag
    /// A `sint64` of microseconds since 1970.
    case time
    /// A `double`.
    case real
    case message(RecordShape)
    /// Bytes that are not written here.
    case left
  }

  /// When a field is there.
  enum Presence: Sendable {
    /// Always: a value that the wire omits is empty, zero or false.
    case always
    /// Only if it is known.
    case optional
    /// As a list, if it has elements.
    case list
    /// Alone of its kind in the record.
    case choice
  }

  /// The field's number.
  let number: UInt32
  /// Its name.
  let name: MemberName
  /// The kind of its value.
  let kind: Kind
  /// When it is there.
  let presence: Presence

  init(_ field: RecordField) {
    number = field.number
    name = MemberName(field.name)
    switch field.value {
    case .text: kind = .text
    case .packed: kind = .packed
    case .bytes: kind = .bytes
    case .fileName: kind = .fileName
    case .boolean: kind = .boolean
    case .unsigned32: kind = .unsigned32
    case .unsigned64: kind = .unsigned64
    case .signed32: kind = .signed32
    case .zigzag: kind = .zigzag
    case .time: kind = .time
    case .real: kind = .real
    case .message(let message): kind = .message(RecordShape(message.fields))
    case .omitted: kind = .left
    }
    switch (field.presence, field.value) {
    case (.always, .omitted), (.optional, _): presence = .optional
    case (.always, _): presence = .always
    case (.list, _): presence = .list
    case (.choice, _): presence = .choice
    }
  }
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
