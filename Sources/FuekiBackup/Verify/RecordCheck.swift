package import FuekiWallet

/// Judges whether a message is a record of its section, down to the messages within it.
///
/// One rule for all that verify, restore and make archives: a record that one takes and another refuses would stop every
/// later backup. The rule is SwiftProtobuf's, which reads any valid encoding, or that of the secrets' own decoders; what
/// is spelled as our writers spell it is judged without making a message of it.
package struct RecordCheck: Sendable {
  private let kind: RecordKind
  private let isWellFormedSecret: (@Sendable (Span<UInt8>) throws(SecretRecordError) -> Bool)?
  /// Nil for secrets.
  private let scan: MessageScan?

  /// The rule for a section's records.
  package init(_ section: Section) { self.init(kind: section.kind) }

  /// The rule for a kind's records.
  package init(kind: RecordKind) {
    self.kind = kind
    if case .secret(let isWellFormed) = kind.form {
      (isWellFormedSecret, scan) = (isWellFormed, nil)
    } else {
      (isWellFormedSecret, scan) = (nil, MessageScan(record: kind.fields))
    }
  }

  /// Returns whether the bytes are one of the section's records, or some fields of one.
  ///
  /// Every copy of a secret will be wiped.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``.
  package func accepts(_ message: Span<UInt8>) throws(SecretRecordError) -> Bool {
    if let isWellFormedSecret { return try isWellFormedSecret(message) }
    if isStrict(message) { return true }
    guard let respelled = try? kind.respelled(message.copied()) else { return false }
    return (try? WireReader.walk(respelled.span)) != nil
  }

  /// Whether the bytes are one of the section's records as our writers spell it, which is not one of secrets.
  package func isStrict(_ message: Span<UInt8>) -> Bool { scan?.accepts(message) ?? false }
}
