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
