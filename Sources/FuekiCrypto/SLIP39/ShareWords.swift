/// Walks over the words of a share, which white space separates.
struct WordScanner {
  private var position = 0
  private var place = 0

  /// How many words there are.
  static func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    for index in text.indices where !isSpace(text[index]) && (index == 0 || isSpace(text[index - 1])) {
      count += 1
    }
    return count
  }

  /// The next word's place in the list.
  ///
  /// - Throws: ``SLIP39Error/unknownWord(place:)``.
  mutating func next(_ text: Span<UInt8>) throws(SLIP39Error) -> UInt16 {
    while position < text.count, Self.isSpace(text[position]) { position += 1 }
    place += 1
    var (letters, letterCount): (UInt64, Int) = (0, 0)
    while position < text.count, !Self.isSpace(text[position]) {
      letters = letters << 8 | UInt64(Bech32Code.small(text[position]))
      letterCount += 1
      position += 1
    }
    guard 1...SLIP39WordList.letterCountLimit ~= letterCount else { throw .unknownWord(place: place) }
    letters <<= UInt64(8 * (SLIP39WordList.letterCountLimit - letterCount))
    guard let word = SLIP39WordList.place(of: letters) else { throw .unknownWord(place: place) }
    return word
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0d ~= byte
  }
}

/// Writes words one after the other, and their checksum after them.
package struct WordWriter {
  private var end = 0
  private var checksum: RS1024

  package init(isExtendable: Bool) {
    checksum = RS1024(isExtendable: isExtendable)
  }

  /// Writes the words of a number, ten bits each, the highest first.
  package mutating func write(_ number: UInt32, wordCount: Int, to text: inout MutableSpan<UInt8>) {
    for place in (0..<wordCount).reversed() {
      let symbol = UInt16(number >> UInt32(10 * place) & 1023)
      checksum.take(symbol)
      if end > 0 {
        text[end] = UInt8(ascii: " ")
        end += 1
      }
      let letters = SLIP39WordList.word(at: symbol)
      for shift in stride(from: UInt64(56), through: 0, by: -8) {
        let letter = UInt8(truncatingIfNeeded: letters >> shift)
        guard letter != 0 else { break }
        text[end] = letter
        end += 1
      }
    }
  }

  /// Writes the checksum, and says where the text ends.
  package mutating func finish(_ text: inout MutableSpan<UInt8>) -> Int {
    let check = checksum
    write(check.finish(), wordCount: RS1024.symbolCount, to: &text)
    return end
  }
}
