/// The positions of a JSON document's values, without the values themselves.
///
/// Numbers and texts stay in the document's bytes, which the caller lends for each access: a number keeps all
/// its digits, and no secret is copied. An outline exists only for a complete and valid document.
package struct JSONOutline: Sendable {
  /// The type of a value.
  package enum Kind: UInt8, Sendable {
    case object
    case array
    case string
    case number
    case boolean
    case null
  }

  /// A value of the document, valid only with its outline.
  package struct Value: Hashable, Sendable {
    let index: Int
  }

  struct Node: Sendable {
    var kind: Kind
    /// The source range.
    ///
    /// A string's includes its quotes.
    var start: UInt32
    var end: UInt32
    /// The source range of the member's name with its quotes; both zero for other values.
    var nameStart: UInt32
    var nameEnd: UInt32
    /// The index after the last descendant.
    var next: UInt32
  }

  /// All values in document order, parents before children.
  let nodes: [Node]

  /// The document's top-level value.
  package var root: Value { Value(index: 0) }

  /// Returns the type of a value.
  package func kind(of value: Value) -> Kind { nodes[value.index].kind }

  /// Returns the source range of a value.
  ///
  /// A string's includes its quotes.
  package func range(of value: Value) -> Range<Int> {
    let node = nodes[value.index]
    return Int(node.start)..<Int(node.end)
  }

  /// Returns the elements of an array, or the members of an object; empty for other values.
  package func children(of value: Value) -> Children {
    Children(outline: self, start: value.index + 1, end: Int(nodes[value.index].next))
  }

  /// The direct children of a value, in document order.
  package struct Children: Sequence, IteratorProtocol {
    private let outline: JSONOutline
    private var position: Int
    private let end: Int

    init(outline: JSONOutline, start: Int, end: Int) {
      self.outline = outline
      position = start
      self.end = end
    }

    package mutating func next() -> Value? {
      guard position < end else { return nil }
      let value = Value(index: position)
      position = Int(outline.nodes[position].next)
      return value
    }
  }
}

extension JSONOutline {
  /// Returns an object's member by name; nil if it is missing, or the value is not an object.
  package func member(_ name: String, of object: Value, in bytes: Span<UInt8>) -> Value? {
    guard kind(of: object) == .object else { return nil }
    let wanted = Array(name.utf8)
    return children(of: object).first { JSONText.decode(nameRange(of: $0), in: bytes) == wanted }
  }

  /// Returns the name of a member; empty if the value is not a member, or the name is not ``BoundedText``.
  package func name(of value: Value, in bytes: Span<UInt8>) -> String {
    Self.text(JSONText.decode(nameRange(of: value), in: bytes)) ?? ""
  }

  /// Returns the text of a string; nil for other values, and for text that is not ``BoundedText``.
  package func string(_ value: Value, in bytes: Span<UInt8>) -> String? {
    guard kind(of: value) == .string else { return nil }
    return Self.text(JSONText.decode(range(of: value), in: bytes))
  }

  private static func text(_ decoded: [UInt8]) -> String? {
    BoundedText.isBounded(decoded.span) ? String(decoding: decoded, as: UTF8.self) : nil
  }

  /// Returns the digits of a number as in the source; nil for other values.
  package func number(_ value: Value, in bytes: Span<UInt8>) -> String? {
    kind(of: value) == .number ? source(of: value, in: bytes) : nil
  }

  /// Returns a boolean; nil for other values.
  package func boolean(_ value: Value, in bytes: Span<UInt8>) -> Bool? {
    kind(of: value) == .boolean ? bytes[range(of: value).lowerBound] == UInt8(ascii: "t") : nil
  }

  /// Returns the source text of a value.
  package func source(of value: Value, in bytes: Span<UInt8>) -> String {
    String(decoding: bytes.extracting(range(of: value)).copied(), as: UTF8.self)
  }

  private func nameRange(of value: Value) -> Range<Int> {
    let node = nodes[value.index]
    return Int(node.nameStart)..<Int(node.nameEnd)
  }
}

extension Span<UInt8> {
  /// Returns the bytes as a new array.
  package func copied() -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(copying: self)
    return copy
  }
}

/// A JSON document without unencrypted secrets, and its bytes.
package struct JSONDocument: Sendable {
  package let bytes: [UInt8]
  package let outline: JSONOutline

  /// Parses a complete document; see ``JSONOutline/init(_:limit:)``.
  package init(_ bytes: [UInt8], limit: Int) throws(JSONError) {
    outline = try JSONOutline(bytes.span, limit: limit)
    self.bytes = bytes
  }

  /// The document's top-level value.
  package var root: JSONValue { JSONValue(document: self, value: outline.root) }
}

/// A value of a document without unencrypted secrets.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let value: JSONOutline.Value

  package var kind: JSONOutline.Kind { document.outline.kind(of: value) }
  /// The value's source text.
  package var source: String { document.outline.source(of: value, in: document.bytes.span) }
  /// The value's source bytes.
  package var sourceBytes: ArraySlice<UInt8> { document.bytes[document.outline.range(of: value)] }
  /// The text of a string; nil for other values.
  package var string: String? { document.outline.string(value, in: document.bytes.span) }
  /// The digits of a number as in the source; nil for other values.
  package var number: String? { document.outline.number(value, in: document.bytes.span) }
  /// The boolean; nil for other values.
  package var boolean: Bool? { document.outline.boolean(value, in: document.bytes.span) }
  /// A member's name; empty if the value is not a member.
  package var name: String { document.outline.name(of: value, in: document.bytes.span) }

  /// The elements of an array, or the members of an object; empty for other values.
  package var children: some Sequence<JSONValue> {
    document.outline.children(of: value).lazy.map { JSONValue(document: document, value: $0) }
  }

  /// Returns an object's member by name; nil if it is missing, or the value is not an object.
  package func member(_ name: String) -> JSONValue? {
    document.outline.member(name, of: value, in: document.bytes.span).map {
      JSONValue(document: document, value: $0)
    }
  }
}

/// Why bytes are not a JSON document, with the offset where the error shows.
///
/// See RFC 8259. In addition to its grammar, names must not repeat within an object, and text must be
/// Unicode.
public enum JSONError: Error, Equatable, Sendable {
  /// The document is longer than its reader allows.
  case tooLong(byteCount: Int)
  /// The document has more values than its bytes allow; see ``JSONOutline/valueLimit(of:)``.
  case tooManyValues(limit: Int)
  /// The document ends inside a value.
  case truncated(offset: Int)
  /// A byte is not allowed here.
  case unexpected(offset: Int)
  /// Objects and arrays are nested too deeply.
  case tooDeep(offset: Int)
  /// A number is not in JSON's format.
  case invalidNumber(offset: Int)
  /// Text is not UTF-8, or an escape is invalid or half of a surrogate pair.
  case invalidText(offset: Int)
  /// A name repeats within its object.
  case repeatedName(offset: Int)
  /// Bytes follow the document's value.
  case trailing(offset: Int)

  /// A sentence for people, which reveals nothing of the document.
  package var sentence: String {
    switch self {
    case .tooLong(let byteCount): "its \(byteCount) bytes are more than such a file has"
    case .tooManyValues(let limit): "the JSON has more than \(limit) values, which no such file has"
    case .truncated(let offset): "the JSON ends too early, at byte \(offset)"
    case .unexpected(let offset): "it is not JSON at byte \(offset)"
    case .tooDeep(let offset): "the JSON is nested too deeply at byte \(offset)"
    case .invalidNumber(let offset): "the number at byte \(offset) is not written as JSON writes numbers"
    case .invalidText(let offset): "the text at byte \(offset) is not valid Unicode"
    case .repeatedName(let offset): "a member's name is there twice, again at byte \(offset)"
    case .trailing(let offset): "something follows the JSON at byte \(offset)"
    }
  }
}
