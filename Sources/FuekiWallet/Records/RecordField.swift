internal import FuekiCrypto
public import FoundationEssentials

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

  /// How queries use a field, besides the places of ids: parents, and lists of ids.
  package enum LookUp: Equatable, Sendable {
    /// Finds the records with a value.
    case key
    /// Finds the records with this word, which are few.
    case word(String)
    /// Finds the records with a lower number, lowest first.
    case limit
    /// Orders records, newest first.
    case time
    /// Orders records, first to last.
    case position
    /// Has words that a search finds.
    case words
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
  /// Its use in queries; nil if none.
  package let lookUp: LookUp?

  private init(
    _ number: UInt32, _ name: String, _ value: Value, _ presence: Presence, _ place: Place?,
    _ lookUp: LookUp? = nil
  ) {
    self.number = number
    self.name = name
    self.value = value
    self.presence = presence
    self.place = place ?? .column(name)
    self.lookUp = lookUp
  }

  /// The field's column in the store, if it has one.
  package var column: String? { if case .column(let name) = place { name } else { nil } }

  /// Creates a field of implicit presence.
  package static func always(
    _ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil, by lookUp: LookUp? = nil
  ) -> RecordField {
    RecordField(number, name, value, .always, place, lookUp)
  }

  /// Creates an optional field.
  static func optional(
    _ number: UInt32, _ name: String, _ value: Value, in place: Place? = nil, by lookUp: LookUp? = nil
  ) -> RecordField {
    RecordField(number, name, value, .optional, place, lookUp)
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

/// A message nested in records.
public final class RecordMessage: Sendable {
  /// The fields, in ascending number.
  public let fields: [RecordField]

  /// Creates a message from its fields, in any order.
  init(_ fields: RecordField...) { self.fields = fields.sorted { $0.number < $1.number } }
}

extension RecordMessage {
  /// `Extra`, the type of field 15 in every record.
  public static let extra = RecordMessage(
    .always(1, "name", .text), .choice(2, "integer", .zigzag), .choice(3, "real", .real),
    .choice(4, "text", .text), .choice(5, "blob", .bytes), .choice(6, "json", .text))
}

/// An identity that two records of different ids share if they describe the same thing.
public struct NaturalKey: Hashable, Sendable {
  let parts: [Data]
}

extension NaturalKey {
  /// An address on a chain; nil for an empty address.
  init?(family: String, chain: String, address: Data) {
    guard !address.isEmpty else { return nil }
    parts = [Data(family.utf8), Data(chain.utf8), Self.caseless(address)]
  }

  /// Returns an address without case differences: checksums, right or wrong, and capitals without meaning.
  public static func caseless(_ address: Data) -> Data {
    switch address.first.flatMap(PackedText.Form.init) {
    case .checksummedAddress: return Data([PackedText.Form.prefixedHex.rawValue]) + address.dropFirst()
    case .utf8:
      guard let text = PackedText.text(address) else { return address }
      let small = text.lowercased()
      let isHexadecimal =
        small.utf8.count == 42 && small.hasPrefix("0x") && Hex.decode(small.dropFirst(2)) != nil
      return isHexadecimal || (try? Bech32(text)) != nil ? PackedText.pack(small) : address
    case .prefixedHex, .bareHex, .upperCaseUUID, .lowerCaseUUID, nil: return address
    }
  }
}
