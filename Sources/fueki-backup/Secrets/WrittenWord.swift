internal import FuekiCrypto

/// One word of a guardian's share as it was typed or saved: whole or its first four letters, with its number or without.
///
/// The text stays in memory that is wiped; a word is a place in it.
struct WrittenWord {
  /// The number in front of it on a sheet.
  let number: Int?
  private let text: SharedSecret
  private let letters: Range<Int>

  /// A number is that of a word only up to here.
  private static let highestNumber = 999

  /// The words of a line, or of another part of a text.
  ///
  /// Blanks separate them, no-break spaces, commas and a table's rules too; other punctuation around them is passed over.
  static func all(in text: SharedSecret, _ part: Range<Int>? = nil) -> [WrittenWord] {
    let part = part ?? 0..<text.bytes.count
    return text.bytes.withBytes { bytes in
      var words: [WrittenWord] = []
      var number: Int?
      var position = part.lowerBound
      while position < part.upperBound {
        let start = position
        while position < part.upperBound, !isSeparator(bytes[position]) { position += 1 }
        let token = Token(bytes, start..<position)
        position += 1
        number = token.number ?? number
        guard !token.letters.isEmpty else { continue }
        words.append(WrittenWord(number: number, text: text, letters: token.letters))
        number = nil
      }
      return words
    }
  }

  /// Joins the words into one text with single spaces, in lower case.
  ///
  /// A table is read along its rows but numbered down its columns: if every word has its own number from 1, the numbers
  /// determine the order. An abbreviated word of the list is completed, and any other stays as it is.
  static func joined(_ words: [WrittenWord]) throws(CryptoError) -> SharedSecret {
    let room = words.reduce(0) { $0 + max($1.letters.count, ShareWord.letterCountLimit) + 1 }
    var text = try SecretBytes(count: room)
    let end = text.withMutableBytes { (text: inout MutableSpan<UInt8>) -> Int in
      var end = 0
      for word in inOrder(words) {
        if end > 0 {
          text[end] = UInt8(ascii: " ")
          end += 1
        }
        end = word.write(to: &text, at: end)
      }
      return end
    }
    return SharedSecret(try text.copy(0..<end))
  }

  /// Whether the list has a word that begins with these letters, at least four.
  func isInList() throws(CryptoError) -> Bool {
    var scratch = try SecretBytes(count: ShareWord.letterCountLimit)
    return scratch.withMutableBytes { scratch in complete(into: &scratch, at: 0) != nil }
  }

  /// Words of the list that are near to it.
  var suggestions: [String] {
    text.bytes.withBytes { ShareWord.suggestions(for: $0.extracting(letters)) }
  }

  private static func inOrder(_ words: [WrittenWord]) -> [WrittenWord] {
    let numbers = words.compactMap(\.number)
    guard numbers.count == words.count, numbers.sorted() == Array(1...max(1, words.count)) else {
      return words
    }
    return words.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
  }

  private func complete(into text: inout MutableSpan<UInt8>, at start: Int) -> Int? {
    self.text.bytes.withBytes { ShareWord.complete($0.extracting(letters), into: &text, at: start) }
  }

  private func write(to text: inout MutableSpan<UInt8>, at start: Int) -> Int {
    if let end = complete(into: &text, at: start) { return end }
    return self.text.bytes.withBytes { bytes in
      var end = start
      for place in letters {
        let letter = bytes[place]
        text[end] = 0x41...0x5A ~= letter ? letter | 0x20 : letter
        end += 1
      }
      return end
    }
  }

  /// No word has a byte beyond ASCII: such bytes are no-break spaces, rules of tables and invisible marks.
  private static func isSeparator(_ byte: UInt8) -> Bool {
    byte == 0x20 || 0x09...0x0D ~= byte || "|,;/".utf8.contains(byte) || byte >= 0x80
  }

  /// The text between two separators: a number, a word, or both, with punctuation.
  private struct Token {
    private(set) var number: Int?
    private(set) var letters: Range<Int>

    init(_ bytes: Span<UInt8>, _ part: Range<Int>) {
      var (start, end) = (part.lowerBound, part.upperBound)
      while start < end, Self.isNumbering(bytes[start]) {
        if let digit = Self.digit(bytes[start]) {
          number = min((number ?? 0) * 10 + digit, WrittenWord.highestNumber + 1)
        }
        start += 1
      }
      while end > start, Self.isNumbering(bytes[end - 1]) { end -= 1 }
      letters = start..<end
    }

    private static func digit(_ byte: UInt8) -> Int? { 0x30...0x39 ~= byte ? Int(byte) - 0x30 : nil }

    private static func isNumbering(_ byte: UInt8) -> Bool {
      digit(byte) != nil || ".,;:)(-[]\"'".utf8.contains(byte)
    }
  }
}
