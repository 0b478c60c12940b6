/// How the records of one type look in JSON: the fields of its schema, by ascending number, under their own
/// names.
///
/// `extra` (field 15 of every record) and fields that this version does not know are written without being
/// listed.
final class RecordShape: Sendable {
  /// The fields, in ascending number.
  let fields: [FieldShape]

  /// Lists a record's fields, in ascending number.
  init(_ fields: FieldShape...) { self.fields = fields }
}

/// How one field of a record looks in JSON.
struct FieldShape: Sendable {
  /// What a field's value is.
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
    /// Always: what the wire leaves out is empty, zero or false.
    case always
    /// Only where it is known.
    case optional
    /// As a list, where it has elements.
    case list
    /// Alone of its kind in the record.
    case choice
  }

  /// The field's number.
  let number: UInt32
  /// Its name.
  let name: MemberName
  /// What its value is.
  let kind: Kind
  /// When it is there.
  let presence: Presence

  /// A field that is always there.
  static func always(_ number: UInt32, _ name: MemberName, _ kind: Kind) -> FieldShape {
    FieldShape(number: number, name: name, kind: kind, presence: .always)
  }

  /// A field that is there where it is known.
  static func optional(_ number: UInt32, _ name: MemberName, _ kind: Kind) -> FieldShape {
    FieldShape(number: number, name: name, kind: kind, presence: .optional)
  }

  /// A field of several values.
  static func list(_ number: UInt32, _ name: MemberName, _ kind: Kind) -> FieldShape {
    FieldShape(number: number, name: name, kind: kind, presence: .list)
  }

  /// One of several fields that exclude one another.
  static func choice(_ number: UInt32, _ name: MemberName, _ kind: Kind) -> FieldShape {
    FieldShape(number: number, name: name, kind: kind, presence: .choice)
  }
}
