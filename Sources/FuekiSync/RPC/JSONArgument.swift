/// An argument of a JSON-RPC method.
///
/// Numbers are texts, so that amounts are passed exactly.
package enum JSONArgument: Sendable, Equatable {
  case null
  case boolean(Bool)
  /// A number in JSON's format.
  case number(String)
  case string(String)
  case array([JSONArgument])
  /// The members in the given order.
  case object([(name: String, value: JSONArgument)])

  package static func == (a: JSONArgument, b: JSONArgument) -> Bool { a.text == b.text }

  /// Creates a whole number.
  package static func number(_ number: some BinaryInteger) -> JSONArgument { .number(String(number)) }

  /// The JSON text.
  package var text: String {
    var text = ""
    append(to: &text)
    return text
  }

  private func append(to text: inout String) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .number(let digits): text += digits
    case .string(let string): Self.append(string, to: &text)
    case .array(let elements):
      text += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { text += "," }
        element.append(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.append(member.name, to: &text)
        text += ":"
        member.value.append(to: &text)
      }
      text += "}"
    }
  }

  private static func append(_ string: String, to text: inout String) {
    text += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}

extension JSONArgument: ExpressibleByStringLiteral, ExpressibleByArrayLiteral, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByDictionaryLiteral
{
  package init(stringLiteral value: String) { self = .string(value) }
  package init(arrayLiteral elements: JSONArgument...) { self = .array(elements) }
  package init(booleanLiteral value: Bool) { self = .boolean(value) }
  package init(integerLiteral value: Int) { self = .number(value) }
  package init(dictionaryLiteral elements: (String, JSONArgument)...) {
    self = .object(elements.map { (name: $0.0, value: $0.1) })
  }
}
