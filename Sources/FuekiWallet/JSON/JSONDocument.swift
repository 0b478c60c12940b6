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
