internal import FuekiCrypto
internal import FuekiSystem
internal import FuekiWallet

/// A JSON document with possible secrets: its bytes stay in protected memory, and only requested values leave
/// it.
final class GuardedDocument: Sendable {
  let bytes: SecretBytes
  let outline: JSONOutline

  /// Parses a complete document; see ``JSONOutline/init(_:limit:)``.
  init(_ bytes: consuming SecretBytes, limit: Int) throws(JSONError) {
    outline = try bytes.withBytes { (bytes) throws(JSONError) in try JSONOutline(bytes, limit: limit) }
    self.bytes = bytes
  }

  /// The document's top-level value.
  var root: GuardedValue { GuardedValue(document: self, content: .source(outline.root)) }
}

/// A value of a document with possible secrets, original or modified by later changes.
struct GuardedValue: Sendable {
  indirect enum Content: Sendable {
    case source(JSONOutline.Value)
    case object([ExactText: GuardedValue])
    case array([GuardedValue])
  }

  let document: GuardedDocument
  var content: Content

  /// The type of the value.
  var kind: JSONOutline.Kind {
    switch content {
    case .source(let value): document.outline.kind(of: value)
    case .object: .object
    case .array: .array
    }
  }

  /// The text of a public string; nil for other values.
  var string: String? {
    source { value, bytes in document.outline.string(value, in: bytes) } ?? nil
  }

  /// The digits of a number as in the source; nil for other values.
  var number: String? {
    source { value, bytes in document.outline.number(value, in: bytes) } ?? nil
  }

  /// The boolean; nil for other values.
  var boolean: Bool? {
    source { value, bytes in document.outline.boolean(value, in: bytes) } ?? nil
  }

  /// Returns the text of a string in protected memory; nil for other values.
  func secret() throws -> SharedSecret? {
    guard kind == .string, case .source(let value) = content else { return nil }
    let range = document.outline.range(of: value)
    return try document.bytes.withBytes { bytes in
      var text = try SecretBytes(count: max(range.count - 2, 0))
      let count = text.withMutableBytes { JSONText.decode(range, in: bytes, into: &$0) }
      return SharedSecret(try text.copy(0..<count))
    }
  }

  /// The elements of an array; empty for other values.
  var elements: [GuardedValue] {
    switch content {
    case .source(let value):
      guard kind == .array else { return [] }
      return document.outline.children(of: value).map {
        GuardedValue(document: document, content: .source($0))
      }
    case .array(let elements): return elements
    case .object: return []
    }
  }

  /// The members of an object in document order, or by name if it was modified.
  var members: [(name: String, value: GuardedValue)] {
    switch content {
    case .source(let value):
      guard kind == .object else { return [] }
      return document.bytes.withBytes { bytes in
        document.outline.children(of: value).map { child in
          (
            document.outline.name(of: child, in: bytes),
            GuardedValue(document: document, content: .source(child))
          )
        }
      }
    case .object(let members):
      return members.sorted { $0.key < $1.key }.map { (name: $0.key.text, value: $0.value) }
    case .array: return []
    }
  }

  /// Returns an object's member by name; nil if it is missing, or the value is not an object.
  func member(_ name: String) -> GuardedValue? {
    switch content {
    case .source(let value):
      document.bytes.withBytes { bytes in
        document.outline.member(name, of: value, in: bytes)
      }.map { GuardedValue(document: document, content: .source($0)) }
    case .object(let members): members[ExactText(name)]
    case .array: nil
    }
  }

  /// The JSON text of a value without secrets.
  var json: String {
    switch content {
    case .source: source { value, bytes in document.outline.source(of: value, in: bytes) } ?? ""
    case .object:
      "{" + members.map { JSONText.quoted($0.name) + ": " + $0.value.json }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
    }
  }

  /// A value without secrets, as a separate document.
  var disclosed: JSONValue? {
    let bytes = Array(json.utf8)
    return try? JSONDocument(bytes, limit: bytes.count).root
  }

  private func source<Answer>(_ body: (JSONOutline.Value, Span<UInt8>) -> Answer) -> Answer? {
    guard case .source(let value) = content else { return nil }
    return document.bytes.withBytes { body(value, $0) }
  }
}
