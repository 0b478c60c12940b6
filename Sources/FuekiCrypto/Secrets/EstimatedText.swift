/// Text in zxcvbn's form: one byte per character.
///
/// zxcvbn counts each byte of a UTF-8 character as one to guess, and knows no accented words. It knows no
/// other alphabets, so their letters are mapped to Latin ones: they count for no more, and adjacent letters
/// stay adjacent.
enum EstimatedText {
  /// The most words compared, and the length of each in bytes.
  private static let wordLimit = 1000
  private static let wordBytes = 3...100
  private static let marks: ClosedRange<UInt32> = 0x300...0x36F

  /// The letters from U+00C0 to U+017F without their marks.
  private static let plainLetters: StaticString = """
    AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTsaaaaaaaceeeeiiiidnooooo/ouuuuyty\
    AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL\
    lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs
    """
  private static let plain = plainLetters.withUTF8Buffer { unsafe [UInt8]($0) }

  /// Converts a UTF-8 passphrase, in memory that is wiped.
  static func of(_ bytes: borrowing SecretBytes) throws(CryptoError) -> SecretBytes {
    var text = try SecretBytes(count: bytes.count)
    var count = 0
    text.withMutableBytes { text in
      bytes.withBytes { bytes in
        var index = 0
        while index < bytes.count {
          let (scalar, length) = Self.scalar(in: bytes, at: index)
          text[count] = byte(of: scalar)
          count += 1
          index += length
        }
      }
    }
    return try text.copy(0..<count)
  }

  /// Returns each name whole, without separators, and in parts; guessing starts with the first.
  static func words(of names: [String]) -> [[UInt8]] {
    var seen: Set<[UInt8]> = []
    var words: [[UInt8]] = []
    for name in names {
      // A passphrase is composed, so the combining marks of a decomposed name never match.
      let text = name.unicodeScalars.map(\.value).filter { $0 != 0 && !marks.contains($0) }.map(byte)
      let parts = text.split { !isLetterOrDigit($0) }.map(Array.init)
      for word in [text, parts.flatMap(\.self)] + parts where wordBytes.contains(word.count) {
        guard words.count < wordLimit else { return words }
        if seen.insert(word).inserted { words.append(word) }
      }
    }
    return words
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...:
      true
    default: false
    }
  }

  /// ASCII unchanged, Latin letters without marks, other letters as one of 26, anything else as one of 128.
  private static func byte(of scalar: UInt32) -> UInt8 {
    switch scalar {
    case ..<0x80: UInt8(scalar)
    case 0xC0..<0x180: plain[Int(scalar) - 0xC0]
    default: letter(Unicode.Scalar(scalar)) ?? 0x80 | UInt8(scalar & 0x7F)
    }
  }

  private static func letter(_ scalar: Unicode.Scalar?) -> UInt8? {
    guard let scalar, scalar.properties.isAlphabetic else { return nil }
    let small = scalar.properties.lowercaseMapping.unicodeScalars.first ?? scalar
    return UInt8(small.value % 26) + (small == scalar ? UInt8(ascii: "a") : UInt8(ascii: "A"))
  }

  /// The character at an index of UTF-8, which normalisation has validated, and its length in bytes.
  private static func scalar(in bytes: Span<UInt8>, at index: Int) -> (scalar: UInt32, length: Int) {
    let first = bytes[index]
    let (bits, length): (UInt8, Int) =
      switch first {
      case ..<0x80: (first, 1)
      case ..<0xE0: (first & 0x1F, 2)
      case ..<0xF0: (first & 0x0F, 3)
      default: (first & 0x07, 4)
      }
    var scalar = UInt32(bits)
    for next in index + 1..<max(index + 1, min(index + length, bytes.count)) {
      scalar = scalar << 6 | UInt32(bytes[next] & 0x3F)
    }
    return (scalar, length)
  }
}
