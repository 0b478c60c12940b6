internal import FuekiArchive
internal import FuekiWallet

/// Checks a message in one pass, including the messages nested in it.
///
/// It accepts the bytes that ``WireReader`` reads to the end, in which each text is UTF-8 and each nested message passes
/// the same check. Fields may have any order. A field of another wire type is unknown to the schema.
struct MessageScan: Sendable {
  /// The condition for the content of a length-delimited field.
  private enum Rule {
    static let none: UInt16 = 0
    static let text: UInt16 = 1
    /// The rule for the first type of message; the next ones follow.
    static let firstMessage: UInt16 = 2
  }

  /// The numbers below this have a table, which is faster than a dictionary.
  private static let nearNumbers = 32

  /// The rules of the near fields, type by type.
  private var near: [UInt16] = []
  /// The rules of the other fields, by type and number.
  private var far: [UInt64: UInt16] = [:]

  /// Prepares for a record, whose field 15 is `extra`.
  init(record fields: [RecordField]) { _ = add(fields, hasExtra: true) }

  /// Adds a type of message.
  ///
  /// - Returns: its number.
  private mutating func add(_ fields: [RecordField], hasExtra: Bool) -> UInt16 {
    let type = UInt16(near.count / Self.nearNumbers)
    near += repeatElement(Rule.none, count: Self.nearNumbers)
    for field in fields {
      switch field.value {
      case .text: set(Rule.text, field.number, of: type)
      case .message(let inner): set(rule(for: inner.fields), field.number, of: type)
      default: continue
      }
    }
    if hasExtra { set(rule(for: RecordMessage.extra.fields), RecordKind.extraNumber, of: type) }
    return type
  }

  private mutating func rule(for fields: [RecordField]) -> UInt16 {
    Rule.firstMessage + add(fields, hasExtra: false)
  }

  private mutating func set(_ rule: UInt16, _ number: UInt32, of type: UInt16) {
    if number < Self.nearNumbers {
      near[Int(type) * Self.nearNumbers + Int(number)] = rule
    } else {
      far[Self.farKey(type, number)] = rule
    }
  }

  private static func farKey(_ type: UInt16, _ number: UInt32) -> UInt64 {
    UInt64(type) << 32 | UInt64(number)
  }

  /// Returns whether the message passes.
  func accepts(_ message: Span<UInt8>) -> Bool { accepts(message, 0..<message.count, near.span, of: 0) }

  private func accepts(
    _ bytes: Span<UInt8>, _ message: Range<Int>, _ near: Span<UInt16>, of type: UInt16
  ) -> Bool {
    let end = message.upperBound
    var position = message.lowerBound
    while position < end {
      guard let tag = Varint.read(bytes, at: &position, end: end), let key = UInt32(exactly: tag), key >= 8
      else { return false }
      switch WireType(rawValue: UInt8(key & 7)) {
      case .varint: guard Varint.read(bytes, at: &position, end: end) != nil else { return false }
      case .fixed64: position += 8
      case .fixed32: position += 4
      case .lengthDelimited:
        guard let length = Varint.read(bytes, at: &position, end: end), length <= UInt64(end - position)
        else { return false }
        let content = position..<position + Int(length)
        position = content.upperBound
        let number = key >> 3
        let rule =
          number < Self.nearNumbers
          ? near[Int(type) * Self.nearNumbers + Int(number)]
          : far[Self.farKey(type, number)] ?? Rule.none
        switch rule {
        case Rule.none: continue
        case Rule.text: guard Self.isUTF8(bytes, content) else { return false }
        default:
          guard accepts(bytes, content, near, of: rule - Rule.firstMessage) else { return false }
        }
      case nil: return false
      }
    }
    // A number of fixed width may have ended beyond the message.
    return position == end
  }

  @inline(__always)
  private static func isUTF8(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var all: UInt8 = 0
    for place in range { all |= bytes[place] }
    return all < 0x80 || (try? UTF8Span(validating: bytes.extracting(range))) != nil
  }
}
