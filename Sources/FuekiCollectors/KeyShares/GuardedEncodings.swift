internal import FuekiCrypto

/// Decodes encoded secrets from protected memory to protected memory.
enum GuardedEncodings {
  /// Decodes base64 with or without padding, ignoring white space.
  ///
  /// - Returns: nil for any other text, and for an empty result.
  static func base64(_ text: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    var decoded = try SecretBytes(count: text.count / 4 * 3 + 3)
    let count = decoded.withMutableBytes { base64(text, into: &$0) }
    guard let count, count > 0 else { return nil }
    return try decoded.copy(0..<count)
  }

  /// Decodes pairs of hexadecimal digits, ignoring white space.
  ///
  /// - Returns: As ``base64(_:)``.
  static func hex(_ text: Span<UInt8>) throws(CryptoError) -> SecretBytes? {
    var decoded = try SecretBytes(count: text.count / 2 + 1)
    let count = decoded.withMutableBytes { bytes -> Int? in
      var (count, high) = (0, UInt8?.none)
      for index in text.textStart..<text.count where !isSpace(text[index]) {
        guard let digit = digit(text[index]) else { return nil }
        if let first = high {
          bytes[count] = first << 4 | digit
          count += 1
          high = nil
        } else {
          high = digit
        }
      }
      return high == nil ? count : nil
    }
    guard let count, count > 0 else { return nil }
    return try decoded.copy(0..<count)
  }

  private static func base64(_ text: Span<UInt8>, into bytes: inout MutableSpan<UInt8>) -> Int? {
    var (count, group, bits, padding) = (0, UInt32(0), 0, 0)
    for index in text.textStart..<text.count where !isSpace(text[index]) {
      if text[index] == UInt8(ascii: "=") {
        padding += 1
        continue
      }
      guard padding == 0, let value = sextet(text[index]) else { return nil }
      group = group << 6 | UInt32(value)
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes[count] = UInt8(truncatingIfNeeded: group >> UInt32(bits))
      group &= (1 << UInt32(bits)) - 1
      count += 1
    }
    // Leftover bits must be zero. Six bits alone are not a byte.
    guard padding <= 2, bits < 6, group == 0 else { return nil }
    return count
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0D ~= byte }

  private static func sextet(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}

extension Span<UInt8> {
  /// Whether the bytes start with these.
  func starts(with bytes: [UInt8]) -> Bool {
    count >= bytes.count && bytes.indices.allSatisfy { self[$0] == bytes[$0] }
  }

  /// The first byte that is not white space.
  var firstVisible: UInt8? {
    for index in textStart..<count where self[index] != 0x20 && !(0x09...0x0D ~= self[index]) {
      return self[index]
    }
    return nil
  }

  /// The start of a text, after a byte order mark as written by Windows editors.
  var textStart: Int { count >= 3 && self[0] == 0xEF && self[1] == 0xBB && self[2] == 0xBF ? 3 : 0 }
}

extension SecretBytes {
  /// Returns the bytes in reverse order, converting little-endian to big-endian.
  borrowing func reversed() throws(CryptoError) -> SecretBytes {
    var other = try SecretBytes(count: count)
    withBytes { source in
      other.withMutableBytes { target in
        for index in source.indices { target[source.count - 1 - index] = source[index] }
      }
    }
    return other
  }

  /// Returns a big-endian number padded with leading zeros; nil if it is too long.
  borrowing func padded(to byteCount: Int) throws(CryptoError) -> SecretBytes? {
    let extra = withBytes { bytes in
      (0..<max(bytes.count - byteCount, 0)).allSatisfy { bytes[$0] == 0 }
        ? max(bytes.count - byteCount, 0) : -1
    }
    guard extra >= 0 else { return nil }
    var number = try SecretBytes(count: byteCount)
    withBytes { source in
      number.withMutableBytes { target in
        for index in extra..<source.count { target[byteCount - source.count + index] = source[index] }
      }
    }
    return number
  }
}
