/// Single AES rounds, which CryptoNight uses outside the cipher.
///
/// See FIPS 197 section 5.1.
///
/// A block is two little-endian words, bytes 0 to 7 and 8 to 15. The tables hold 32-bit values in whole words
/// and the arithmetic wraps, which avoids conversions: one hash takes three million rounds.
enum AESRounds {
  /// The word count of the ten round keys used, out of AES-256's fifteen.
  static let keyWordCount = 20

  /// The substitution of bytes, FIPS 197 section 5.1.1: the inverse in GF(2^8), then an affine map.
  static let substitution: [UInt8] = {
    var box = [UInt8](repeating: 0x63, count: 256)
    var value: UInt8 = 1
    var inverse: UInt8 = 1
    repeat {
      // 3 generates the field's multiplicative group, and 0xF6 is its inverse.
      value = value ^ doubled(value)
      inverse = multiplied(inverse, 0xF6)
      let turned = (1...4).reduce(inverse) { $0 ^ (inverse << $1 | inverse >> (8 - $1)) }
      box[Int(value)] = turned ^ 0x63
    } while value != 1
    return box
  }()

  /// Combined substitution and mixing tables, 256 words for each of the four rows.
  static let tables: [UInt] = (0..<4).flatMap { row in
    substitution.map { byte in
      let column = [doubled(byte), byte, byte, doubled(byte) ^ byte]
      return (0..<4).reduce(UInt(0)) { $0 | UInt(column[($1 + 4 - row) % 4]) << UInt(8 * $1) }
    }
  }

  /// The product of two elements of GF(2^8).
  static func multiplied(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var product: UInt8 = 0
    var power = a
    for bit in 0..<8 {
      if b >> bit & 1 == 1 { product ^= power }
      power = doubled(power)
    }
    return product
  }

  static func doubled(_ value: UInt8) -> UInt8 { value << 1 ^ (value >> 7) * 0x1B }

  /// Substitutes, shifts rows, mixes columns and adds a round key.
  @inline(__always)
  static func round(
    _ low: inout UInt, _ high: inout UInt, _ keyLow: UInt, _ keyHigh: UInt, _ tables: UnsafePointer<UInt>
  ) {
    let second = unsafe tables + 256
    let third = unsafe tables + 512
    let fourth = unsafe tables + 768
    let c0 =
      unsafe tables[byte(low)] ^ second[byte(low &>> 40)] ^ third[byte(high &>> 16)]
      ^ fourth[byte(high &>> 56)]
    let c1 =
      unsafe tables[byte(low &>> 32)] ^ second[byte(high &>> 8)] ^ third[byte(high &>> 48)]
      ^ fourth[byte(low &>> 24)]
    let c2 =
      unsafe tables[byte(high)] ^ second[byte(high &>> 40)] ^ third[byte(low &>> 16)]
      ^ fourth[byte(low &>> 56)]
    let c3 =
      unsafe tables[byte(high &>> 32)] ^ second[byte(low &>> 8)] ^ third[byte(low &>> 48)]
      ^ fourth[byte(high &>> 24)]
    low = (c0 | c1 &<< 32) ^ keyLow
    high = (c2 | c3 &<< 32) ^ keyHigh
  }

  @inline(__always)
  private static func byte(_ word: UInt) -> Int { Int(bitPattern: word & 0xFF) }

  /// The first ten round keys of AES-256, two words each; see FIPS 197 section 5.2.
  static func keys(of key: [UInt]) -> [UInt] {
    var words: [UInt32] = []
    words.reserveCapacity(2 * keyWordCount)
    defer { words.wipe() }
    for word in key {
      words.append(UInt32(truncatingIfNeeded: word))
      words.append(UInt32(word >> 32))
    }
    var constant: UInt32 = 1
    while words.count < 2 * keyWordCount {
      var word = words[words.count - 1]
      if words.count % 8 == 0 {
        word = substituted(word >> 8 | word << 24) ^ constant
        constant <<= 1
      } else if words.count % 8 == 4 {
        word = substituted(word)
      }
      words.append(words[words.count - 8] ^ word)
    }
    return (0..<keyWordCount).map { UInt(words[2 * $0]) | UInt(words[2 * $0 + 1]) << 32 }
  }

  private static func substituted(_ word: UInt32) -> UInt32 {
    (0..<4).reduce(0) { $0 | UInt32(substitution[Int(word >> (8 * $1) & 0xFF)]) << (8 * $1) }
  }
}
