/// Scans the words of a share, which white space separates.
struct WordScanner {
  private var position = 0
  private var place = 0

  /// The number of words.
  static func count(_ text: Span<UInt8>) -> Int {
    var count = 0
    for index in text.indices where !isSpace(text[index]) && (index == 0 || isSpace(text[index - 1])) {
      count += 1
    }
    return count
  }

  /// Returns the next word's place in the list.
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

/// Writes words in sequence, followed by their checksum.
package struct WordWriter {
  private var end = 0
  private var checksum: RS1024

  package init(isExtendable: Bool) {
    checksum = RS1024(isExtendable: isExtendable)
  }

  /// Writes a number as words of ten bits each, highest first.
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

  /// Writes the checksum, and returns the end of the text.
  package mutating func finish(_ text: inout MutableSpan<UInt8>) -> Int {
    let check = checksum
    write(check.finish(), wordCount: RS1024.symbolCount, to: &text)
    return end
  }
}

/// The words of shares as people type them, one by one.
public enum ShareWord {
  /// The longest word.
  public static let letterCountLimit = SLIP39WordList.letterCountLimit

  /// The number of leading letters that identify a word.
  private static let tellingCount = 4

  /// The number of words in a share: two for identifiers, two for indices, the value, and three for the
  /// checksum.
  public static func count(secretByteCount: Int) -> Int { 4 + (8 * secretByteCount + 9) / 10 + 3 }

  /// Writes the word for typed letters: the whole word, or at least its first four letters.
  ///
  /// - Parameters:
  ///   - typed: letters in either case.
  ///   - text: the buffer to write to.
  ///   - start: the offset in the buffer.
  /// - Returns: the end of the word; nil if no word has that prefix.
  public static func complete(
    _ typed: Span<UInt8>, into text: inout MutableSpan<UInt8>, at start: Int
  ) -> Int? {
    guard tellingCount...letterCountLimit ~= typed.count else { return nil }
    var letters: UInt64 = 0
    for index in typed.indices { letters = letters << 8 | UInt64(Bech32Code.small(typed[index])) }
    letters <<= UInt64(8 * (letterCountLimit - typed.count))
    let word = SLIP39WordList.word(beginningWith: letters, count: typed.count)
    guard word != 0 else { return nil }
    var end = start
    for shift in stride(from: UInt64(56), through: 0, by: -8) {
      let letter = UInt8(truncatingIfNeeded: word >> shift)
      guard letter != 0 else { break }
      text[end] = letter
      end += 1
    }
    return end
  }

  /// Returns up to three words of the list close to the typed text; empty if none is close.
  public static func suggestions(for typed: Span<UInt8>) -> [String] {
    guard 2...(2 * letterCountLimit) ~= typed.count else { return [] }
    let letters = typed.indices.map { Bech32Code.small(typed[$0]) }
    let ranked = SLIP39WordList.words.map { (word: $0, distance: distance(letters, Array($0.utf8))) }
    return ranked.filter { $0.distance <= 2 }.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
      .prefix(3).map(\.word)
  }

  /// Counts the letters to insert, remove, replace or swap with the next.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var row = Array(0...b.count)
    for i in a.indices {
      var next = [i + 1]
      for j in b.indices {
        var best = min(row[j] + (a[i] == b[j] ? 0 : 1), row[j + 1] + 1, next[j] + 1)
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        next.append(best)
      }
      (before, row) = (row, next)
    }
    return row[b.count]
  }
}

/// The single wrong word that invalidates a share's checksum.
public struct WrongWord: Sendable {
  /// The word's place, from 1.
  public let place: Int
  /// The word of the list that makes the checksum valid.
  public let word: String

  /// Finds the only wrong word of a share.
  ///
  /// - Parameter words: words that are all in the list.
  /// - Returns: nil if the checksum is valid, or if no single replacement or more than one makes it valid.
  /// - Throws: ``SLIP39Error/unknownWord(place:)``, ``SLIP39Error/wordCount(_:)`` or ``SLIP39Error/crypto(_:)``.
  public static func find(in words: borrowing SecretBytes) throws(SLIP39Error) -> WrongWord? {
    try words.withBytes { (text) throws(SLIP39Error) in try find(text) }
  }

  /// Replaces the wrong word.
  ///
  /// - Parameter words: the words, with single spaces.
  /// - Returns: the words of the share.
  /// - Throws: The errors of ``SecretBytes/init(count:)``.
  public func corrected(_ words: borrowing SecretBytes) throws(CryptoError) -> SharedSecret {
    var text = try SecretBytes(count: words.count + word.utf8.count)
    let count = text.withMutableBytes { text in
      words.withBytes { words in
        var (end, place) = (0, 1)
        for index in words.indices {
          let byte = words[index]
          let isSpace = byte == UInt8(ascii: " ")
          if place == self.place, !isSpace { continue }
          if isSpace, place == self.place { Self.write(word, to: &text, at: &end) }
          if isSpace { place += 1 }
          text[end] = byte
          end += 1
        }
        if place == self.place { Self.write(word, to: &text, at: &end) }
        return end
      }
    }
    return SharedSecret(try text.copy(0..<count))
  }

  private static func write(_ word: String, to text: inout MutableSpan<UInt8>, at end: inout Int) {
    for letter in word.utf8 {
      text[end] = letter
      end += 1
    }
  }

  /// The place of the second word, which has the flag that selects the checksum's start.
  private static let flagPlace = 1

  private static func find(_ text: Span<UInt8>) throws(SLIP39Error) -> WrongWord? {
    let count = WordScanner.count(text)
    guard count > flagPlace + RS1024.symbolCount else { throw .wordCount(count) }
    var flags = WordScanner()
    _ = try flags.next(text)
    let isExtendable = try flags.next(text) >> 4 & 1 == 1
    var checksum = RS1024(isExtendable: isExtendable)
    var scanner = WordScanner()
    for _ in 0..<count { checksum.take(try scanner.next(text)) }
    guard !checksum.holds else { return nil }
    var (place, change, found) = (0, UInt16(0), 0)
    for other in 0..<count where other != flagPlace {
      guard let right = checksum.change(count - 1 - other) else { continue }
      (place, change, found) = (other, right, found + 1)
    }
    guard found == 1 else { return nil }
    var words = WordScanner()
    for _ in 0..<place { _ = try words.next(text) }
    let right = try words.next(text) ^ change
    return WrongWord(place: place + 1, word: SLIP39WordList.words[Int(right)])
  }
}

extension RS1024 {
  /// Finds the change to one symbol, `followingCount` before the end, that makes the checksum valid; nil if
  /// none does.
  ///
  /// The checksum is linear: a change's effect depends on nothing else.
  func change(_ followingCount: Int) -> UInt16? {
    let wanted = difference
    let effects = (0..<10).map { bit in Self.effect(of: 1 << UInt16(bit), followedBy: followingCount) }
    for change in UInt16(1)..<1024 {
      var effect: UInt32 = 0
      for bit in 0..<10 where change >> UInt16(bit) & 1 == 1 { effect ^= effects[bit] }
      if effect == wanted { return change }
    }
    return nil
  }
}
