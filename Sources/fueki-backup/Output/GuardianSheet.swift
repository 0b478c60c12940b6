internal import FuekiArchive
internal import FuekiCrypto

/// The sheet that one guardian prints and keeps.
struct GuardianSheet {
  /// Which guardian, from 1.
  let member: Int
  let count: Int
  let threshold: Int
  let identifier: UInt16
  let vaultID: VaultID
  /// The day the words were made, such as 2026-11-21.
  let day: String
  let words: SharedSecret

  /// The file's name.
  var name: String { "guardian-\(member).txt" }

  /// The sheet as text, at most 80 columns wide but for the line that programs read.
  func text() throws(CryptoError) -> SecretBytes {
    var text = try SecretText(capacity: 8192)
    text.append(beginning)
    words.bytes.withBytes { Self.appendTable(of: $0, to: &text) }
    text.append(advice)
    text.append("\(GuardianShareFile.marker) ")
    words.bytes.withBytes { text.append($0) }
    text.append("\n")
    return try text.finish()
  }

  private var beginning: String {
    """
    FUEKI GUARDIAN SHEET \(member) of \(count)

    The words below are one of \(count) shares of a key that opens the backups of a
    wallet. Any \(threshold) of the \(count) shares open them together. Fewer tell nothing.

      guardian   \(member) of \(count)
      needed     \(threshold) shares
      vault      \(vaultID.hex)
      set        \(identifier)
      made       \(day)


    """
  }

  private var advice: String {
    """

    Keep it safe
      Print this sheet, or copy the words by hand, and check them (below).
      Then delete the file. Keep the paper dry, out of sight, and where you or
      your heirs find it in ten years.
      Tell the words only to the wallet's owner or heirs, and only when you
      are sure that it is they who ask.
      If the sheet is lost or seen by others, tell the owner: new shares can
      be made for the backups to come.

    Do not
      Photograph or mail it, type it into a web site, or keep it in one place
      with another guardian's sheet.
      The words are not a wallet's seed phrase. No wallet can use them, and
      no honest person will ask you to try.

    How to check that your share is intact, without the others
      fueki-backup guardians check FILE
      FILE is this file, or another with the words.

    How \(threshold) shares bring the wallet back
      fueki-backup restore ARCHIVE --guardian-shares FILE FILE ...

    The same words on one line, for programs:

    """
  }

  /// The words, numbered down three columns.
  private static func appendTable(of words: Span<UInt8>, to text: inout SecretText) {
    let count = words.indices.count { words[$0] == UInt8(ascii: " ") } + 1
    let rows = (count + 2) / 3
    for row in 0..<rows {
      for place in stride(from: row, to: count, by: rows) {
        let number = "\(place + 1)"
        let word = wordRange(place, in: words)
        text.append(String(repeating: " ", count: 6 - number.utf8.count) + "\(number). ")
        text.append(words.extracting(word))
        guard place + rows < count else { continue }
        text.append(String(repeating: " ", count: 12 - word.count))
      }
      text.append("\n")
    }
  }

  /// Returns the range of a word among words that are separated by single spaces.
  private static func wordRange(_ place: Int, in words: Span<UInt8>) -> Range<Int> {
    var start = 0
    for _ in 0..<place {
      while words[start] != UInt8(ascii: " ") { start += 1 }
      start += 1
    }
    var end = start
    while end < words.count, words[end] != UInt8(ascii: " ") { end += 1 }
    return start..<end
  }
}
