internal import FuekiCrypto

/// A file with the words of one guardian's share: a printed sheet's own file, or words that were typed or copied.
///
/// In a sheet the words are on the line that begins with `words:`, and all else is for people. A file without such a
/// line is words alone, on one line or several or in the sheet's table, as ``WrittenWord`` reads them; lines that begin
/// with `#` are passed over.
enum GuardianShareFile {
  /// The beginning of the line with the words.
  static let marker = "words:"

  /// Returns the words in lower case with single spaces, without checking that they are a share.
  static func words(inFile path: String) throws -> SharedSecret {
    let text = SharedSecret(try PrivateText.read(path, as: "a share's words"))
    let places = try text.bytes.withBytes { text in try Self.places(in: text, path) }
    let words = places.flatMap { WrittenWord.all(in: text, $0) }
    guard !words.isEmpty else { throw CommandError.secretUnreadable(source: path, reason: "it has no words") }
    return try WrittenWord.joined(words)
  }

  /// Returns the words of a file that the user gave as a guardian's sheet.
  ///
  /// - Throws: a ``Failure`` if most of its words are not in the word list, because it is another file.
  static func sheet(inFile path: String) throws -> SharedSecret {
    let words = try words(inFile: path)
    let written = WrittenWord.all(in: words)
    let known = try written.count { try $0.isInList() }
    guard known * 2 >= written.count else {
      throw Failure(
        .wrongSecret,
        "\(GivenWord.shown(path)) is not a guardian's sheet: \(known) of its \(written.count) words are in the list",
        meaning: "it was not tried, so this says nothing about the archive or the other shares",
        hint:
          "name the files of the sheets, each with the words of one share. \"fueki-backup guardians check FILE\" tests a sheet"
      )
    }
    return words
  }

  /// Returns the places of the words.
  private static func places(in text: Span<UInt8>, _ path: String) throws -> [Range<Int>] {
    var bare: [Range<Int>] = []
    var marked: [Range<Int>] = []
    var start = 0
    while start < text.count {
      var end = start
      while end < text.count, text[end] != UInt8(ascii: "\n"), text[end] != UInt8(ascii: "\r") { end += 1 }
      while start < end, isSpace(text[start]) { start += 1 }
      if begins(text.extracting(start..<end), with: marker) {
        marked.append(start + marker.utf8.count..<end)
      } else if start < end, text[start] != UInt8(ascii: "#") {
        bare.append(start..<end)
      }
      start = end + 1
    }
    guard marked.count <= 1 else {
      throw CommandError.secretUnreadable(
        source: path, reason: "it has several shares. Write each into a file of its own")
    }
    return marked.isEmpty ? bare : marked
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  private static func begins(_ line: Span<UInt8>, with marker: String) -> Bool {
    let marker = Array(marker.utf8)
    return line.count >= marker.count
      && marker.indices.allSatisfy { index in
        (0x41...0x5A ~= line[index] ? line[index] | 0x20 : line[index]) == marker[index]
      }
  }
}
