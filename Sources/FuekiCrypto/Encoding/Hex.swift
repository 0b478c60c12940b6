/// Bytes as pairs of hexadecimal digits.
public enum Hex {
  /// Encodes bytes in lower case.
  public static func encode(_ bytes: Span<UInt8>) -> String {
    var digits: [UInt8] = []
    digits.reserveCapacity(bytes.count * 2)
    for index in bytes.indices {
      digits.append(digit(bytes[index] >> 4))
      digits.append(digit(bytes[index] & 15))
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// Encodes bytes in lower case.
  public static func encode(_ bytes: [UInt8]) -> String { encode(bytes.span) }

  /// Decodes pairs of digits in either case, without prefix or separators; nil for any other text.
  public static func decode(_ text: some StringProtocol) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for index in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func digit(_ nibble: UInt8) -> UInt8 {
    nibble < 10 ? UInt8(ascii: "0") + nibble : UInt8(ascii: "a") + nibble - 10
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

/// Big-endian numbers of eight bytes, whose order is the order of their bytes.
extension Span<UInt8> {
  /// Reads eight bytes as a big-endian number.
  ///
  /// The caller ensures that they exist.
  package func word(at offset: Int) -> UInt64 {
    var word: UInt64 = 0
    for index in offset..<offset + 8 { word = word << 8 | UInt64(self[index]) }
    return word
  }
}

extension [UInt8] {
  /// Appends a number as eight bytes, big-endian.
  package mutating func append(word: UInt64) {
    for shift in stride(from: 56, through: 0, by: -8) { append(UInt8(truncatingIfNeeded: word >> shift)) }
  }
}
