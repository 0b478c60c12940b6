package import FuekiWallet
internal import SwiftProtobuf

/// Judges whether a message is a record of its section, down to the messages within it.
///
/// One rule for all that verify, restore and make archives: a record that one takes and another refuses would stop every
/// later backup. The rule is SwiftProtobuf's, which reads any valid encoding, or that of the secrets' own decoders; what
/// is spelled as our writers spell it is judged without making a message of it.
package struct RecordCheck: Sendable {
  private let section: Section
  private let shape: MessageShape?

  /// The rule for a section's records.
  package init(_ section: Section) {
    self.section = section
    shape = RecordFields.shape(of: section).map { MessageShape($0, hasExtra: true) }
  }

  /// Whether the bytes are one of the section's records, or some fields of one.
  ///
  /// Of secrets nothing is made that would not be wiped.
  ///
  /// - Throws: ``SecretRecordError/outOfMemory``.
  package func accepts(_ message: Span<UInt8>) throws(SecretRecordError) -> Bool {
    switch section {
    case .privateKeys:
      return try Self.isDecoded { () throws(SecretRecordError) in _ = try PrivateKeyRecord(decoding: message)
      }
    case .secretFiles:
      return try Self.isDecoded { () throws(SecretRecordError) in _ = try SecretFilePart(decoding: message) }
    case .keyShares:
      return (try? KeyShare(serializedBytes: message.copied()))?.id.count == PrivateKeyRecord.idByteCount
    default:
      if isStrict(message) { return true }
      guard let messageType, let record = try? messageType.init(serializedBytes: message.copied()),
        let respelled: [UInt8] = try? record.serializedBytes()
      else { return false }
      return (try? WireReader.walk(respelled.span)) != nil
    }
  }

  /// Whether the bytes are one of the section's records as our writers spell it, which is not one of secrets.
  package func isStrict(_ message: Span<UInt8>) -> Bool { shape?.isStrict(message) ?? false }

  private static func isDecoded(
    _ decode: () throws(SecretRecordError) -> Void
  ) throws(SecretRecordError) -> Bool {
    do {
      try decode()
      return true
    } catch {
      guard error != .outOfMemory else { throw error }
      return false
    }
  }

  private var messageType: (any SwiftProtobuf.Message.Type)? {
    switch section {
    case .manifest: Manifest.self
    case .wallets: Wallet.self
    case .assets: Asset.self
    case .contacts: Contact.self
    case .settings: Setting.self
    case .keyShareDescriptors: KeyShareDescriptor.self
    case .credentials: Credential.self
    case .files: FilePart.self
    case .transactions: Transaction.self
    case .receipts: Receipt.self
    case .credentialSharing: CredentialSharing.self
    case .idTokenSharing: IdTokenSharing.self
    case .users: ChatUser.self
    case .threads: ChatThread.self
    case .messages: ChatMessage.self
    case .keyShares, .privateKeys, .secretFiles: nil
    }
  }
}

/// What SwiftProtobuf looks at in a message of one type: its texts, and the messages in it.
private final class MessageShape: Sendable {
  private enum Part {
    case text
    case message(MessageShape)
  }

  private static let extra = MessageShape(.extra, hasExtra: false)
  private static let extraNumber = 15

  /// By the fields' numbers.
  private let parts: [Part?]

  init(_ shape: RecordShape, hasExtra: Bool) {
    let highest = max(shape.fields.map(\.number).max().map(Int.init) ?? 0, Self.extraNumber)
    var parts = [Part?](repeating: nil, count: highest + 1)
    for field in shape.fields {
      switch field.kind {
      case .text: parts[Int(field.number)] = .text
      case .message(let inner): parts[Int(field.number)] = .message(MessageShape(inner, hasExtra: false))
      default: break
      }
    }
    if hasExtra { parts[Self.extraNumber] = .message(Self.extra) }
    self.parts = parts
  }

  /// Whether the message is one that SwiftProtobuf reads, in the spelling that it writes; fields may have any order.
  func isStrict(_ message: Span<UInt8>) -> Bool {
    var reader = WireReader()
    do {
      while let field = try reader.next(in: message) {
        // A field of another wire type is one that the schema does not know.
        guard field.number < parts.count, let part = parts[Int(field.number)],
          case .content(let range) = field.value
        else { continue }
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
