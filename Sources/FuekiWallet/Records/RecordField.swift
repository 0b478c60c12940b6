/// A field of a record or nested message, with its form in the encoding, in the store and in JSON.
public struct RecordField: Sendable {
  /// The type of a field's value.
  public enum Value: Sendable {
    /// Text.
    case text
    /// Text, packed as in ``PackedText``.
    case packed
    /// Bytes.
    case bytes
    /// A file's name or path, which is not necessarily valid UTF-8.
    case fileName
    /// Bytes that exports omit: too many, or meaningless.
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

  /// The presence of a field.
  public enum Presence: Sendable {
    /// Implicit: an omitted field is empty, zero or false.
    case always
    /// Optional.
    case optional
    /// Repeated.
    case list
    /// A member of a `oneof`.
    case choice
  }

  /// The place of a field in the store.
  public enum Place: Sendable {
    /// A column.
    ///
    /// Several fields of one column, lists and messages are stored encoded.
    case column(String)
    /// The row of the section's record with this id: `<name>_row`, or `<name>_id` if there is no such record.
    case parent(Section, name: String)
    /// The record's own row number, equal to that of its parent, which has at most one such record.
    case rowOf(Section)
    /// A separate table of ids: `<owner>_row`, `position`, `<element>_id`.
    case list(table: String, owner: String, element: String)
  }

  /// The field's number.
  public let number: UInt32
  /// The field's name in the schema and in JSON.
  public let name: String
  /// The type of its value.
  public let value: Value
  /// Its presence.
  public let presence: Presence
  /// Its place in the store.
  public let place: Place

  private init(_ number: UInt32, _ name: String, _ value: Value, _ presence: Presence, _ place: Place?) {
    self.number = number
    self.name = name
    self.value = value
    self.presence = presence
    self.place = place ?? .column(name)
  }

  /// Creates a field of implicit presence.
  package static func always(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil)
    -> RecordField
  {
    RecordField(number, name, value, .always, place)
  }

  /// Creates an optional field.
  static func optional(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil)
    -> RecordField
  {
    RecordField(number, name, value, .optional, place)
  }

  /// Creates a repeated field.
  static func list(_ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil) -> RecordField {
    RecordField(number, name, value, .list, place)
  }

  /// Creates a member of a `oneof`.
  static func choice(_ number: UInt32, _ name: String, _ value: Value) -> RecordField {
    RecordField(number, name, value, .choice, nil)
  }
}
