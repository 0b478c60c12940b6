internal import FuekiBackup
internal import FuekiWallet

extension FuzzTarget {
  /// A section, and a message, which the fast check must accept exactly if the plain one does.
  static let recordCheck = FuzzTarget("record-check") { input in
    guard let first = input.first else { return }
    let kind = kinds[Int(first) % kinds.count]
    let message = input.span.extracting(1...)
    let accepted = kind.check.isStrict(message)
    precondition(accepted == kind.plain.accepts(message), "two checks of a message differ")
  }

  private static let kinds = Section.allCases.map(\.kind).filter { $0.messageType != nil }
    .flatMap { [$0, $0.withDistantFields] }
    .map { (check: RecordCheck(kind: $0), plain: PlainCheck(record: $0.fields)) }
}

extension RecordKind {
  /// The kind with fields as later versions may add them: a text, and the kind's own messages, with high numbers.
  fileprivate var withDistantFields: RecordKind {
    let distant = fields.enumerated().compactMap { place, field -> RecordField? in
      guard case .message = field.value else { return nil }
      return .always(40 + UInt32(place), "later_\(field.name)", field.value)
    }
    return listing(fields + [.always(31, "near", .text), .always(200, "distant", .text)] + distant)
  }
}

/// The rule of ``RecordCheck``, written plainly.
struct PlainCheck: Sendable {
  private enum Part {
    case text
    case message(PlainCheck)
  }

  private let parts: [UInt32: Part]

  init(record fields: [RecordField]) {
    self.init(fields, Part.message(PlainCheck(RecordMessage.extra.fields, nil)))
  }

  private init(_ fields: [RecordField], _ extra: Part?) {
    var parts: [UInt32: Part] = [:]
    for field in fields {
      switch field.value {
      case .text: parts[field.number] = .text
      case .message(let inner): parts[field.number] = .message(PlainCheck(inner.fields, nil))
      default: continue
      }
    }
    if let extra { parts[RecordKind.extraNumber] = extra }
    self.parts = parts
  }

  func accepts(_ message: Span<UInt8>) -> Bool {
    var reader = WireReader()
    do {
      while let field = try reader.next(in: message) {
        guard let part = parts[field.number], case .content(let range) = field.value else { continue }
        switch part {
        case .text: guard (try? field.text(in: message)) != nil else { return false }
        case .message(let check): guard check.accepts(message.extracting(range)) else { return false }
        }
      }
      return true
    } catch {
      return false
    }
  }
}
