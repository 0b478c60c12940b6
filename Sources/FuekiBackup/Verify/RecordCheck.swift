package import FuekiWallet

/// Judges whether a message is a record of its section, down to the messages within it.
///
/// One rule for all that verify, restore and make archives: a record that one takes and another refuses would stop every
/// later backup. The rule is SwiftProtobuf's, which reads any valid encoding, or that of the secrets' own decoders; what
/// is spelled as our writers spell it is judged without making a message of it.
package struct RecordCheck: Sendable {
  private let kind: RecordKind
  private let shape: MessageShape?

  /// The rule for a section's records.
  package init(_ section: Section) { self.init(kind: section.kind) }

  /// The rule for a kind's records.
  package init(kind: RecordKind) {
    self.kind = kind
    shape = kind.messageType == nil ? nil : MessageShape(kind.fields, hasExtra: true)
  }

  /// Returns whether the bytes are one of the section's records, or some fields of one.
  ///
  /// Every copy of a secret will be wiped.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``.
  package func accepts(_ message: Span<UInt8>) throws(SecretRecordError) -> Bool {
    if case .secret(let isWellFormed) = kind.form { return try isWellFormed(message) }
    if isStrict(message) { return true }
    guard let respelled = try? kind.respelled(message.copied()) else { return false }
    return (try? WireReader.walk(respelled.span)) != nil
  }

  /// Whether the bytes are one of the section's records as our writers spell it, which is not one of secrets.
  package func isStrict(_ message: Span<UInt8>) -> Bool { shape?.isStrict(message) ?? false }
}

/// The parts of a message type that SwiftProtobuf validates: its texts, and the messages in it.
private final class MessageShape: Sendable {
  private enum Part {
    case text
    case message(MessageShape)
  }

  private static let extra = MessageShape(RecordMessage.extra.fields, hasExtra: false)
  /// The numbers below this have an array, which is faster than a dictionary.
  private static let nearNumbers: UInt32 = 32

  private let near: [Part?]
  private let far: [UInt32: Part]

  init(_ fields: [RecordField], hasExtra: Bool) {
    var near = [Part?](repeating: nil, count: Int(Self.nearNumbers))
    var far: [UInt32: Part] = [:]
    for field in fields {
      let part: Part
      switch field.value {
      case .text: part = .text
      case .message(let inner): part = .message(MessageShape(inner.fields, hasExtra: false))
      default: continue
      }
      if field.number < Self.nearNumbers { near[Int(field.number)] = part } else { far[field.number] = part }
    }
    if hasExtra { near[Int(RecordKind.extraNumber)] = .message(Self.extra) }
    (self.near, self.far) = (near, far)
  }

  /// Returns whether SwiftProtobuf reads the message, in its own spelling.
  ///
  /// Fields may have any order.
  func isStrict(_ message: Span<UInt8>) -> Bool {
    var reader = WireReader()
    do {
      while let field = try reader.next(in: message) {
        // A field of another wire type is unknown to the schema.
        let known = field.number < Self.nearNumbers ? near[Int(field.number)] : far[field.number]
        guard let part = known, case .content(let range) = field.value else { continue }
        let content = message.extracting(range)
        switch part {
        case .text: guard (try? UTF8Span(validating: content)) != nil else { return false }
        case .message(let shape): guard shape.isStrict(content) else { return false }
        }
      }
      return true
    } catch {
      return false
    }
  }
}
