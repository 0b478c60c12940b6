/// The words that shares are written with, as a person types them one by one.
public enum ShareWord {
  /// The longest word.
  public static let letterCountLimit = SLIP39WordList.letterCountLimit

  /// The first letters that tell a word from all others.
  private static let tellingCount = 4

  /// How many words a share of a secret has: two for its numbers, two for its place, the value, three to check it.
  public static func count(secretByteCount: Int) -> Int { 4 + (8 * secretByteCount + 9) / 10 + 3 }

  /// Writes the word that was typed, whole or by its first four letters or more.
  ///
  /// - Parameters:
  ///   - typed: letters, small or not.
  ///   - text: where the word goes.
  ///   - start: its place there.
  /// - Returns: where the word ends; nil where no word begins like that.
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

  /// The words of the list that are nearest to what was typed, at most three; none where none is near.
  public static func suggestions(for typed: Span<UInt8>) -> [String] {
    guard 2...(2 * letterCountLimit) ~= typed.count else { return [] }
    let letters = typed.indices.map { Bech32Code.small(typed[$0]) }
    let ranked = SLIP39WordList.words.map { (word: $0, distance: distance(letters, Array($0.utf8))) }
    return ranked.filter { $0.distance <= 2 }.sorted { ($0.distance, $0.word) < ($1.distance, $1.word) }
      .prefix(3).map(\.word)
  }

  /// How many letters have to be put in, left out, changed or swapped with the next.
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
