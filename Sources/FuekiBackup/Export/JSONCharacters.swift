extension [UInt8] {
  /// Appends the bytes of a span.
  mutating func append(copying bytes: Span<UInt8>) {
    append(addingCapacity: bytes.count) { output in
      for i in bytes.indices { output.append(bytes[i]) }
    }
  }

  /// Appends UTF-8, escaped for a JSON string (RFC 8259 section 7).
  mutating func appendEscaped(_ text: Span<UInt8>) {
    var start = 0
    for i in text.indices {
      let byte = text[i]
      guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") else { continue }
      append(copying: text.extracting(start..<i))
      appendEscape(of: byte)
      start = i + 1
    }
    append(copying: text.extracting(start...))
  }

  private mutating func appendEscape(of byte: UInt8) {
    append(UInt8(ascii: "\\"))
    switch byte {
    case UInt8(ascii: "\n"): append(UInt8(ascii: "n"))
    case UInt8(ascii: "\r"): append(UInt8(ascii: "r"))
    case UInt8(ascii: "\t"): append(UInt8(ascii: "t"))
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): append(byte)
    default:
      append(contentsOf: "u00".utf8)
      append(Self.digit(byte >> 4))
      append(Self.digit(byte & 15))
    }
  }

  private static func digit(_ nibble: UInt8) -> UInt8 { nibble < 10 ? 0x30 + nibble : 0x57 + nibble }

  /// Appends a number's digits.
  mutating func append(decimal value: UInt64) {
    let start = count
    var rest = value
    repeat {
      append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    self[start...].reverse()
  }

  /// Appends bytes in base64, with padding (RFC 4648 section 4).
  mutating func append(base64 bytes: Span<UInt8>) {
    append(addingCapacity: (bytes.count + 2) / 3 * 4) { output in
      for start in stride(from: 0, to: bytes.count, by: 3) {
        let count = Swift.min(3, bytes.count - start)
        let group =
          UInt32(bytes[start]) << 16 | (count > 1 ? UInt32(bytes[start + 1]) << 8 : 0)
          | (count > 2 ? UInt32(bytes[start + 2]) : 0)
        output.append(Self.base64Digit(group >> 18))
        output.append(Self.base64Digit(group >> 12 & 63))
        output.append(count > 1 ? Self.base64Digit(group >> 6 & 63) : UInt8(ascii: "="))
        output.append(count > 2 ? Self.base64Digit(group & 63) : UInt8(ascii: "="))
      }
    }
  }

  private static func base64Digit(_ value: UInt32) -> UInt8 {
    switch value {
    case ..<26: UInt8(ascii: "A") + UInt8(truncatingIfNeeded: value)
    case ..<52: UInt8(ascii: "a") + UInt8(truncatingIfNeeded: value - 26)
    case ..<62: UInt8(ascii: "0") + UInt8(truncatingIfNeeded: value - 52)
    case 62: UInt8(ascii: "+")
    default: UInt8(ascii: "/")
    }
  }
}

extension Span<UInt8> {
  /// Whether no byte is beyond 127, so that the bytes are UTF-8 in any case.
  var isASCII: Bool {
    var union: UInt8 = 0
    for i in indices { union |= self[i] }
    return union < 0x80
  }
}
