/// Where the values of a JSON document are, without the values.
///
/// Numbers and texts stay in the document's bytes, which the caller lends for every look at them: so a number keeps
/// all its digits, and a secret is copied nowhere. An outline comes only from a document that is whole and valid.
package struct JSONOutline: Sendable {
  /// What a value is.
  package enum Kind: UInt8, Sendable {
    case object
    case array
    case string
    case number
    case boolean
    case null
  }

  /// A value of the document, to be asked about with the outline that it came from.
  package struct Value: Hashable, Sendable {
    let index: Int
  }

  struct Node: Sendable {
    var kind: Kind
    /// The source bytes; a string's with its quotes.
    var start: UInt32
    var end: UInt32
    /// The source bytes of the member's name with its quotes; both zero where there is none.
    var nameStart: UInt32
    var nameEnd: UInt32
    /// The index after the last node within this one.
    var next: UInt32
  }

  /// Every value before those within it, in the order of the document.
  let nodes: [Node]

  /// The document's one value.
  package var root: Value { Value(index: 0) }

  /// What a value is.
  package func kind(of value: Value) -> Kind { nodes[value.index].kind }

  /// The bytes of the document that spell a value; a string's with its quotes.
  package func range(of value: Value) -> Range<Int> {
    let node = nodes[value.index]
    return Int(node.start)..<Int(node.end)
  }

  /// The elements of an array, or the members of an object; none of any other value.
  package func children(of value: Value) -> Children {
    Children(outline: self, start: value.index + 1, end: Int(nodes[value.index].next))
  }

  /// The values directly within another, in the order of the document.
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
  /// The member of an object with a name; nil where there is none, or the value is no object.
  package func member(_ name: String, of object: Value, in bytes: Span<UInt8>) -> Value? {
    guard kind(of: object) == .object else { return nil }
    let wanted = Array(name.utf8)
    return children(of: object).first { JSONText.decode(nameRange(of: $0), in: bytes) == wanted }
  }

  /// The name of a member; empty for what is no member.
  package func name(of value: Value, in bytes: Span<UInt8>) -> String {
    String(decoding: JSONText.decode(nameRange(of: value), in: bytes), as: UTF8.self)
  }

  /// The text of a string; nil for any other value.
  package func string(_ value: Value, in bytes: Span<UInt8>) -> String? {
    guard kind(of: value) == .string else { return nil }
    return String(decoding: JSONText.decode(range(of: value), in: bytes), as: UTF8.self)
  }

  /// The digits of a number as the document has them; nil for any other value.
  package func number(_ value: Value, in bytes: Span<UInt8>) -> String? {
    kind(of: value) == .number ? source(of: value, in: bytes) : nil
  }

  /// Whether a value is `true`; nil for what is neither that nor `false`.
  package func boolean(_ value: Value, in bytes: Span<UInt8>) -> Bool? {
    kind(of: value) == .boolean ? bytes[range(of: value).lowerBound] == UInt8(ascii: "t") : nil
  }

  /// The text of the document that spells a value.
  package func source(of value: Value, in bytes: Span<UInt8>) -> String {
    String(decoding: bytes.extracting(range(of: value)).copied(), as: UTF8.self)
  }

  private func nameRange(of value: Value) -> Range<Int> {
    let node = nodes[value.index]
    return Int(node.nameStart)..<Int(node.nameEnd)
  }
}

extension Span<UInt8> {
  /// The bytes in an array of their own.
  package func copied() -> [UInt8] {
    var copy: [UInt8] = []
    copy.append(copying: self)
    return copy
  }
}
