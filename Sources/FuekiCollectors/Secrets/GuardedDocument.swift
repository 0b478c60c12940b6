internal import FuekiCrypto
internal import FuekiWallet

/// A JSON document that may hold secrets: its bytes stay in protected memory, and only what is asked for leaves it.
final class GuardedDocument: Sendable {
  let bytes: SecretBytes
  let outline: JSONOutline

  /// Scans a whole document; see ``JSONOutline/init(_:limit:)``.
  init(_ bytes: consuming SecretBytes, limit: Int) throws(JSONError) {
    outline = try bytes.withBytes { (bytes) throws(JSONError) in try JSONOutline(bytes, limit: limit) }
    self.bytes = bytes
  }

  /// The document's one value.
  var root: GuardedValue { GuardedValue(document: self, content: .source(outline.root)) }
}

/// A value of a document that may hold secrets, as the document has it or as later changes left it.
struct GuardedValue: Sendable {
  indirect enum Content: Sendable {
    case source(JSONOutline.Value)
    case object([String: GuardedValue])
    case array([GuardedValue])
  }

  let document: GuardedDocument
  var content: Content

  /// What the value is.
  var kind: JSONOutline.Kind {
    switch content {
    case .source(let value): document.outline.kind(of: value)
    case .object: .object
    case .array: .array
    }
  }

  /// The text of a string that is no secret; nil for any other value.
  var string: String? {
    source { value, bytes in document.outline.string(value, in: bytes) } ?? nil
  }

  /// The digits of a number as the document has them; nil for any other value.
  var number: String? {
    source { value, bytes in document.outline.number(value, in: bytes) } ?? nil
  }

  /// Whether the value is `true`; nil for what is neither that nor `false`.
  var boolean: Bool? {
    source { value, bytes in document.outline.boolean(value, in: bytes) } ?? nil
  }

  /// The text of a string, in protected memory from the document on; nil for any other value.
  func secret() throws -> SharedSecret? {
    guard kind == .string, case .source(let value) = content else { return nil }
    let range = document.outline.range(of: value)
    return try document.bytes.withBytes { bytes in
      var text = try SecretBytes(count: max(range.count - 2, 0))
      let count = text.withMutableBytes { JSONText.decode(range, in: bytes, into: &$0) }
      return SharedSecret(try text.copy(0..<count))
    }
  }

  /// The elements of an array; none of any other value.
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

  /// The members of an object, in the order of the document, or by name where it was changed.
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
      return members.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    case .array: return []
    }
  }

  /// The member of an object with a name; nil where there is none, or the value is no object.
  func member(_ name: String) -> GuardedValue? {
    switch content {
    case .source(let value):
      document.bytes.withBytes { bytes in
        document.outline.member(name, of: value, in: bytes)
      }.map { GuardedValue(document: document, content: .source($0)) }
    case .object(let members): members[name]
    case .array: nil
    }
  }

  /// The JSON text of a value that holds no secret.
  var json: String {
    switch content {
    case .source: source { value, bytes in document.outline.source(of: value, in: bytes) } ?? ""
    case .object:
      "{" + members.map { JSONText.quoted($0.name) + ": " + $0.value.json }.joined(separator: ", ") + "}"
    case .array(let elements): "[" + elements.map(\.json).joined(separator: ", ") + "]"
    }
  }

  /// A value that holds no secret, as a document of its own.
  var disclosed: JSONValue? {
    let bytes = Array(json.utf8)
    return try? JSONDocument(bytes, limit: bytes.count).root
  }

  private func source<Answer>(_ body: (JSONOutline.Value, Span<UInt8>) -> Answer) -> Answer? {
    guard case .source(let value) = content else { return nil }
    return document.bytes.withBytes { body(value, $0) }
  }
}
