/// A key's bytes in Bech32 behind a readable part, encoded in place because keys may be private.
enum AgeText {
  /// The length in characters of a key of `byteCount` bytes.
  static func length(of byteCount: Int, behind readablePart: [UInt8]) -> Int {
    readablePart.count + 1 + symbolCount(byteCount) + Bech32Code.checksumLength
  }

  private static func symbolCount(_ byteCount: Int) -> Int { (8 * byteCount + 4) / 5 }

  /// Decodes five bits from each character.
  ///
  /// Leftover bits must be zero.
  static func decode(
    _ text: Span<UInt8>, readableCount: Int, into key: inout MutableSpan<UInt8>
  ) throws(AgeKeyError.Problem) {
    let symbols = symbolCount(key.count)
    let length = readableCount + 1 + symbols + Bech32Code.checksumLength
    let place: (separator: Int, checksum: Bech32.Checksum)
    do throws(Bech32Error) {
      // age limits the length only by that of its keys.
      place = try Bech32Code.check(text, limit: max(length, Bech32.characterCountLimit))
    } catch {
      throw .encoding(error)
    }
    guard place.checksum == .bech32 else { throw .encoding(.wrongChecksum) }
    guard place.separator == readableCount, text.count == length else { throw .notOneKey }
    var (bits, bitCount, count): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in (readableCount + 1)..<(readableCount + 1 + symbols) {
      bits = bits << 5 & 0xfff | UInt32(Bech32Code.symbol(of: text[index]))
      bitCount += 5
      guard bitCount >= 8 else { continue }
      bitCount -= 8
      key[count] = UInt8(truncatingIfNeeded: bits >> bitCount)
      count += 1
    }
    guard bits & (1 << bitCount - 1) == 0 else { throw .notOneKey }
  }

  /// Encodes a key.
  ///
  /// `text` must have the length that ``length(of:behind:)`` returns.
  static func encode(_ key: Span<UInt8>, readablePart: Span<UInt8>, into text: inout MutableSpan<UInt8>) {
    var remainder = Bech32Code.Remainder()
    remainder.take(readablePart: readablePart)
    for index in readablePart.indices { text[index] = readablePart[index] }
    text[readablePart.count] = Bech32Code.separator
    let symbols = symbolCount(key.count)
    var (bits, bitCount, taken): (UInt32, UInt32, Int) = (0, 0, 0)
    for index in 0..<symbols {
      if bitCount < 5 {
        bits = bits << 8 & 0xfff | (taken < key.count ? UInt32(key[taken]) : 0)
        bitCount += 8
        taken += 1
      }
      bitCount -= 5
      let symbol = UInt8(truncatingIfNeeded: bits >> bitCount) & 31
      remainder.take(symbol)
      text[readablePart.count + 1 + index] = Bech32Code.character(of: symbol)
    }
    let check = remainder.finish(.bech32)
    for place in 0..<Bech32Code.checksumLength {
      text[readablePart.count + 1 + symbols + place] = Bech32Code.character(at: place, ofChecksum: check)
    }
  }

  static func begins(_ text: Span<UInt8>, with beginning: [UInt8]) -> Bool {
    guard text.count >= beginning.count else { return false }
    return beginning.indices.allSatisfy { text[$0] == beginning[$0] }
  }
}
