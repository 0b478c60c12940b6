internal import FuekiCrypto
package import FoundationEssentials

/// Lower-case hexadecimal without allocation.
package enum LowerHex {
  /// Appends two digits for each byte.
  package static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
    output.append(addingCapacity: bytes.count * 2) { digits in
      for i in bytes.indices {
        digits.append(digit(bytes[i] >> 4))
        digits.append(digit(bytes[i] & 15))
      }
    }
  }

  /// Decodes an even number of digits in either case, and appends the bytes.
  package static func decode(_ digits: Span<UInt8>, to output: inout [UInt8]) {
    output.append(addingCapacity: digits.count / 2) { bytes in
      for i in 0..<(digits.count / 2) {
        bytes.append(value(digits[2 * i]) << 4 | value(digits[2 * i + 1]))
      }
    }
  }

  /// Whether all characters are lower-case hexadecimal digits.
  static func isLower(_ digits: Span<UInt8>) -> Bool {
    for i in digits.indices {
      let digit = digits[i]
      guard 0x30...0x39 ~= digit || 0x61...0x66 ~= digit else { return false }
    }
    return true
  }

  /// Whether all characters are hexadecimal digits in either case.
  package static func isHex(_ digits: Span<UInt8>) -> Bool {
    for i in digits.indices {
      let digit = digits[i]
      guard 0x30...0x39 ~= digit || 0x61...0x66 ~= digit || 0x41...0x46 ~= digit else { return false }
    }
    return true
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  private static func value(_ digit: UInt8) -> UInt8 {
    // 'A' and 'a' both end in the four bits of 1. Decimal digits lack the bit 0x40.
    digit & 0x40 == 0 ? digit & 15 : (digit & 15) + 9
  }
}

/// A transaction hash independent of its spelling: programs write hexadecimal digits in either case.
///
/// A hash in another encoding, such as Solana's, is case-sensitive and has only its own spelling.
package struct HashSpelling: Hashable, Sendable {
  private static let digitCount = 64

  /// The packed hash with lower-case digits, the same for all spellings.
  package let small: Data

  /// Normalises a packed hash.
  package init(_ packed: Data) {
    small = Self.digits(of: packed).map { PackedText.pack($0.prefix + $0.digits) } ?? packed
  }

  /// Returns the spellings that a store may have: lower case, upper case, and as given.
  package static func all(of packed: Data) -> [Data] {
    guard let (prefix, digits) = digits(of: packed) else { return [packed] }
    var spellings: [Data] = []
    for text in [prefix + digits, prefix + digits.uppercased()] {
      let spelling = PackedText.pack(text)
      if !spellings.contains(spelling) { spellings.append(spelling) }
    }
    return spellings.contains(packed) ? spellings : spellings + [packed]
  }

  /// Returns the prefix and the lower-case digits; nil unless it is a hexadecimal hash of 32 bytes.
  private static func digits(of packed: Data) -> (prefix: String, digits: String)? {
    guard let text = PackedText.text(packed)?.lowercased() else { return nil }
    let prefix = text.hasPrefix("0x") ? "0x" : ""
    let digits = String(text.dropFirst(prefix.count))
    guard digits.utf8.count == digitCount, Hex.decode(digits) != nil else { return nil }
    return (prefix, digits)
  }
}
