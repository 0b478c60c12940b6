internal import FoundationEssentials
internal import FuekiCrypto
internal import FuekiWallet

/// The members of a JSON object, taken one by one into a record's fields.
///
/// A member that a field holds exactly is used up. What is left at the end goes into the record's `extra`: members
/// that no field is for, and those that their field can hold only in part, or not at all.
struct MemberReader {
  private var members: [(name: String, value: JSONValue)]

  init(_ object: JSONValue) { members = object.children.map { ($0.name, $0) } }

  /// A text; empty for any other value, which is left.
  mutating func text(_ name: String) -> String {
    use(name, leavingNull: true) { value in value.string.map { ($0, true) } } ?? ""
  }

  /// A text, or a number as its digits.
  mutating func label(_ name: String) -> String {
    use(name, leavingNull: true) { value in (value.string ?? value.number).map { ($0, true) } } ?? ""
  }

  /// A number as its digits, or a text; nil for any other value, which is left unless it is null.
  mutating func digits(_ name: String) -> String? {
    use(name) { value in (value.number ?? value.string).map { ($0, true) } }
  }

  /// An optional text.
  mutating func optionalText(_ name: String) -> String? {
    use(name) { value in value.string.map { ($0, true) } }
  }

  mutating func boolean(_ name: String) -> Bool? { use(name) { value in value.boolean.map { ($0, true) } } }

  /// A whole number from 0 to 2^64, however it is written.
  mutating func count(_ name: String) -> UInt64? {
    use(name) { value in
      guard let digits = value.number ?? value.string, let number = UInt64(digits) else { return nil }
      return (number, String(number) == digits)
    }
  }

  /// An instant: seconds since 2001, or a text as ISO 8601 has it.
  ///
  /// One that is finer than a microsecond, or in another zone than UTC, is left besides.
  mutating func time(_ name: String) -> Int64? {
    use(name) { value in
      if let seconds = value.number, let time = Timestamp(seconds: seconds, since: .reference) {
        return (time.microseconds, Amount(seconds)?.multiplied(byPowerOfTen: 6).isWhole ?? false)
      }
      guard let text = value.string, let time = Timestamp(text) else { return nil }
      let finer = text.dropFirst(20).dropFirst(6)
      return (time.microseconds, text.hasSuffix("Z") && finer.allSatisfy { $0 == "0" || $0 == "Z" })
    }
  }

  /// Bytes in base64; where all of it looks like `0x` and digits, these are meant, and the text is left besides.
  mutating func base64(_ name: String) -> Data? {
    use(name) { value in
      guard let text = value.string else { return nil }
      if text.hasPrefix("0x"), let bytes = Hex.decode(text.dropFirst(2)) { return (Data(bytes), false) }
      guard let data = Data(base64Encoded: text) else { return nil }
      return (data, data.base64EncodedString() == text)
    }
  }

  /// A text, or any other value as the document spells it.
  mutating func anyText(_ name: String) -> String? {
    use(name) { value in
      guard let text = value.string else { return value.kind == .null ? nil : (value.source, true) }
      // A text that could be taken for the source of another value must be told from it.
      let isAmbiguous = (try? JSONDocument(Array(text.utf8), limit: text.utf8.count)) != nil
      return (text, !isAmbiguous)
    }
  }

  /// An object or array, for a record of its own.
  mutating func value(_ name: String, _ kind: JSONOutline.Kind) -> JSONValue? {
    use(name) { value in value.kind == kind ? (value, true) : nil }
  }

  /// Leaves a member out of `extra`, because another record has it.
  mutating func drop(_ name: String) { members.removeAll { $0.name == name } }

  /// What is left, each with its exact source.
  var extra: [Extra] {
    members.map { name, value in
      var extra = Extra()
      extra.name = name
      extra.json = value.source
      return extra
    }
  }

  /// Reads a member and uses it up where the field says all that it does.
  ///
  /// Null says "not known", as an absent field does; a field that is always there cannot say so.
  private mutating func use<Field>(
    _ name: String, leavingNull: Bool = false, _ read: (JSONValue) -> (field: Field, isExact: Bool)?
  ) -> Field? {
    guard let index = members.firstIndex(where: { $0.name == name }) else { return nil }
    let value = members[index].value
    if value.kind == .null, !leavingNull {
      members.remove(at: index)
      return nil
    }
    guard let (field, isExact) = read(value) else { return nil }
    if isExact { members.remove(at: index) }
    return field
  }
}
