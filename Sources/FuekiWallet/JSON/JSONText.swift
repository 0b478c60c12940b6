/// The strings of JSON documents: escapes, surrogate pairs, strict UTF-8.
package enum JSONText {
  private static let quote = UInt8(ascii: "\"")
  private static let backslash = UInt8(ascii: "\\")

  /// Validates the string whose opening quote is at `start`, and returns the offset after its closing quote.
  static func end(ofStringAt start: Int, in bytes: Span<UInt8>) throws(JSONError) -> Int {
    var position = start + 1
    while position < bytes.count {
      switch bytes[position] {
      case quote: return position + 1
      case backslash: position += try escape(at: position, in: bytes).byteCount
      case 0..<0x20: throw .unexpected(offset: position)
      case 0..<0x80: position += 1
      default: position += try sequenceByteCount(at: position, in: bytes)
      }
    }
    throw .truncated(offset: bytes.count)
  }

  /// Decodes a validated string, given with its quotes, to UTF-8; empty for an empty range.
  static func decode(_ range: Range<Int>, in bytes: Span<UInt8>) -> [UInt8] {
    guard range.count > 2 else { return [] }
    var text: [UInt8] = []
    text.reserveCapacity(range.count - 2)
    var position = range.lowerBound + 1
    while position < range.upperBound - 1 {
      guard bytes[position] == backslash else {
        text.append(bytes[position])
        position += 1
        continue
      }
      guard let escape = try? escape(at: position, in: bytes) else { return [] }
      text.append(contentsOf: Unicode.UTF8.encode(escape.scalar) ?? .init())
      position += escape.byteCount
    }
    return text
  }

  /// Decodes a validated string, given with its quotes, to UTF-8 in the caller's memory.
  package static func decode(
    _ range: Range<Int>, in bytes: Span<UInt8>, into output: inout MutableSpan<UInt8>
  ) -> Int {
    guard range.count > 2 else { return 0 }
    var position = range.lowerBound + 1
    var count = 0
    while position < range.upperBound - 1, count < output.count {
      guard bytes[position] == backslash else {
        output[count] = bytes[position]
        count += 1
        position += 1
        continue
      }
      guard let escape = try? escape(at: position, in: bytes) else { return 0 }
      for unit in Unicode.UTF8.encode(escape.scalar) ?? .init() where count < output.count {
        output[count] = unit
        count += 1
      }
      position += escape.byteCount
    }
    return count
  }

  /// Returns a text as a JSON string, with its quotes.
  package static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": quoted += "\\\""
      case "\\": quoted += "\\\\"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }

  private static func escape(
    at start: Int, in bytes: Span<UInt8>
  ) throws(JSONError) -> (scalar: Unicode.Scalar, byteCount: Int) {
    guard start + 1 < bytes.count else { throw .truncated(offset: bytes.count) }
    switch bytes[start + 1] {
    case quote: return ("\"", 2)
    case backslash: return ("\\", 2)
    case UInt8(ascii: "/"): return ("/", 2)
    case UInt8(ascii: "b"): return ("\u{8}", 2)
    case UInt8(ascii: "f"): return ("\u{c}", 2)
    case UInt8(ascii: "n"): return ("\n", 2)
    case UInt8(ascii: "r"): return ("\r", 2)
    case UInt8(ascii: "t"): return ("\t", 2)
    case UInt8(ascii: "u"): break
    default: throw .invalidText(offset: start)
    }
    let unit = try codeUnit(at: start, in: bytes)
    if let scalar = Unicode.Scalar(unit) { return (scalar, 6) }
    // The first half of a surrogate pair. The second must follow.
    guard unit < 0xDC00 else { throw .invalidText(offset: start) }
    guard start + 6 < bytes.count else { throw .truncated(offset: bytes.count) }
    guard bytes[start + 6] == backslash else { throw .invalidText(offset: start) }
    guard start + 7 < bytes.count else { throw .truncated(offset: bytes.count) }
    guard bytes[start + 7] == UInt8(ascii: "u") else { throw .invalidText(offset: start) }
    let second = try codeUnit(at: start + 6, in: bytes)
    guard (0xDC00...0xDFFF).contains(second),
      let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (second - 0xDC00))
    else { throw .invalidText(offset: start) }
    return (scalar, 12)
  }

  /// Reads the number after a backslash and a "u".
  private static func codeUnit(at start: Int, in bytes: Span<UInt8>) throws(JSONError) -> UInt32 {
    guard start + 6 <= bytes.count else { throw .truncated(offset: bytes.count) }
    var unit: UInt32 = 0
    for position in start + 2..<start + 6 {
      let digit =
        switch bytes[position] {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): bytes[position] - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): bytes[position] - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): bytes[position] - UInt8(ascii: "A") + 10
        default: throw JSONError.invalidText(offset: start)
        }
      unit = unit << 4 | UInt32(digit)
    }
    return unit
  }

  /// Returns the length of a multi-byte UTF-8 sequence; see table 3-7 of the Unicode standard.
  private static func sequenceByteCount(at start: Int, in bytes: Span<UInt8>) throws(JSONError) -> Int {
    let (count, second): (Int, ClosedRange<UInt8>)
    switch bytes[start] {
    case 0xC2...0xDF: (count, second) = (2, 0x80...0xBF)
    case 0xE0: (count, second) = (3, 0xA0...0xBF)
    case 0xED: (count, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: (count, second) = (3, 0x80...0xBF)
    case 0xF0: (count, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: (count, second) = (4, 0x80...0xBF)
    case 0xF4: (count, second) = (4, 0x80...0x8F)
    default: throw .invalidText(offset: start)
    }
    guard start + count <= bytes.count else { throw .truncated(offset: bytes.count) }
    guard second.contains(bytes[start + 1]) else { throw .invalidText(offset: start) }
    for position in start + 2..<start + count {
      guard (0x80...0xBF).contains(bytes[position]) else { throw .invalidText(offset: start) }
    }
    return count
  }
}
