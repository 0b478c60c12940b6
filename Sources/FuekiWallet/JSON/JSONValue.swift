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
