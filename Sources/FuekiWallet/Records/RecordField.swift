/// A field of a record, or of a message within one: how it stands on the wire, in the store and in JSON.
public struct RecordField: Sendable {
  /// What a field's value is.
  public enum Value: Sendable {
    /// Text.
    case text
    /// Text, as ``PackedText`` has it.
    case packed
    /// Bytes.
    case bytes
    /// A file's name or path, which need not be text.
    case fileName
    /// Bytes that no line of an export holds: they are too many, or say nothing.
    case omitted
    /// A `bool`.
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
    /// A message.
    case message(RecordMessage)
  }

  /// When a field is there.
  public enum Presence: Sendable {
    /// Always: what the wire leaves out is empty, zero or false.
    case always
    /// Only where it is known.
    case optional
    /// Any number of times.
    case list
    /// Alone of its kind in the message.
    case choice
  }

  /// Where the store keeps a field.
  public enum Place: Sendable {
    /// In a column; several fields of one column, lists and messages lie there as they are on the wire.
    case column(String)
    /// As the row of the record of that section that has the id: `<name>_row`, or `<name>_id` where it is not there.
    case parent(Section, name: String)
    /// As the record's own row, which is that of the record that has the id: there is at most one for each.
    case rowOf(Section)
    /// In a table of ids of its own: `<owner>_row`, `position`, `<element>_id`.
    case list(table: String, owner: String, element: String)
  }

  /// The field's number.
  public let number: UInt32
  /// Its name in the schema, and in JSON.
  public let name: String
  /// What its value is.
  public let value: Value
  /// When it is there.
  public let presence: Presence
  /// Where the store keeps it.
  public let place: Place

  private init(_ number: UInt32, _ name: String, _ value: Value, _ presence: Presence, _ place: Place?) {
    self.number = number
    self.name = name
    self.value = value
    self.presence = presence
    self.place = place ?? .column(name)
  }

  /// A field of implicit presence.
  package static func always(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil)
    -> RecordField
  {
    RecordField(number, name, value, .always, place)
  }

  /// A field that is there where it is known.
  static func optional(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil)
    -> RecordField
  {
    RecordField(number, name, value, .optional, place)
  }

  /// A repeated field.
  static func list(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil) -> RecordField {
    RecordField(number, name, value, .list, place)
  }

  /// One of several fields that exclude one another.
  static func choice(_ number: UInt32, _ name: String, _ value: Value) -> RecordField {
    RecordField(number, name, value, .choice, nil)
  }
}

/// A message that stands within records.
public final class RecordMessage: Sendable {
  /// The fields, by ascending number.
  public let fields: [RecordField]

  /// Lists a message's fields, in any order.
  init(_ fields: RecordField...) { self.fields = fields.sorted { $0.number < $1.number } }
}

extension RecordMessage {
  /// `Extra`, which field 15 of every record is.
  public static let extra = RecordMessage(
    .always(1, "name", .text), .choice(2, "integer", .zigzag), .choice(3, "real", .real),
    .choice(4, "text", .text), .choice(5, "blob", .bytes), .choice(6, "json", .text))
}
