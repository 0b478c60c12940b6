/// A JSON document that holds no secret in the clear, with its bytes.
package struct JSONDocument: Sendable {
  package let bytes: [UInt8]
  package let outline: JSONOutline

  /// Scans a whole document; see ``JSONOutline/init(_:limit:)``.
  package init(_ bytes: [UInt8], limit: Int) throws(JSONError) {
    outline = try JSONOutline(bytes.span, limit: limit)
    self.bytes = bytes
  }

  /// The document's one value.
  package var root: JSONValue { JSONValue(document: self, value: outline.root) }
}

/// A value of a document that holds no secret in the clear.
package struct JSONValue: Sendable {
  let document: JSONDocument
  let value: JSONOutline.Value

  package var kind: JSONOutline.Kind { document.outline.kind(of: value) }
  /// The text of the document that spells the value.
  package var source: String { document.outline.source(of: value, in: document.bytes.span) }
  /// The bytes of the document that spell the value.
  package var sourceBytes: ArraySlice<UInt8> { document.bytes[document.outline.range(of: value)] }
  /// The text of a string; nil for any other value.
  package var string: String? { document.outline.string(value, in: document.bytes.span) }
  /// The digits of a number as the document has them; nil for any other value.
  package var number: String? { document.outline.number(value, in: document.bytes.span) }
  /// Whether the value is `true`; nil for what is neither that nor `false`.
  package var boolean: Bool? { document.outline.boolean(value, in: document.bytes.span) }
  /// A member's name; empty for what is no member.
  package var name: String { document.outline.name(of: value, in: document.bytes.span) }

  /// The elements of an array, or the members of an object; none of any other value.
  package var children: some Sequence<JSONValue> {
    document.outline.children(of: value).lazy.map { JSONValue(document: document, value: $0) }
  }

  /// The member of an object with a name; nil where there is none, or the value is no object.
  package func member(_ name: String) -> JSONValue? {
    document.outline.member(name, of: value, in: document.bytes.span).map {
      JSONValue(document: document, value: $0)
    }
  }
}
