import FoundationEssentials
package import TestSupport

/// A JSON document as a script sees it.
package enum JSONValue: Decodable, Equatable {
  case object([String: JSONValue])
  case array([JSONValue])
  case string(String)
  case number(Double)
  case bool(Bool)
  case null

  package init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  package init(parsing bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(JSONValue.self, from: Data(bytes))
  }

  package subscript(_ key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members[key]
  }

  package subscript(_ index: Int) -> JSONValue? { elements.indices.contains(index) ? elements[index] : nil }

  package var elements: [JSONValue] {
    guard case .array(let elements) = self else { return [] }
    return elements
  }

  package var keys: Set<String> {
    guard case .object(let members) = self else { return [] }
    return Set(members.keys)
  }

  package var text: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  package var number: Double? {
    guard case .number(let number) = self else { return nil }
    return number
  }
}

extension RunResult {
  /// Standard output as the one JSON document that it has to be: a decoder refuses anything after it.
  package func json() throws -> JSONValue { try JSONValue(parsing: output) }
}
