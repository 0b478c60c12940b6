internal import FuekiCrypto
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
