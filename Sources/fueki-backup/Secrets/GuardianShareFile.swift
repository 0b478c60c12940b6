internal import FuekiCrypto
internal import FuekiSystem

/// A file with the words of one guardian's share: a printed sheet's own file, or words that somebody typed.
///
/// In a sheet the words are on the line that begins with `words:`, and all else is for people. A file without such a
/// line is words alone, on one line or several, numbered or not; lines that begin with `#` are passed over.
enum GuardianShareFile {
  /// What the line with the words begins with.
  static let marker = "words:"

  private static let mostBytes = 1 << 16

  /// The words in small letters with single spaces; whether they are a share is not looked at.
  static func words(inFile path: String) throws -> SharedSecret {
    let file = try SecretSource.privateFile(path)
    let size = try file.size()
    guard let count = Int(exactly: size), count <= mostBytes else {
      throw CommandError.secretUnreadable(source: path, reason: "it is too long for a share's words")
    }
    let text = try SecretBytes(count: count) { buffer in _ = try file.pread(into: &buffer, at: 0) }
    let places: [Range<Int>] = try text.withBytes { text in try Self.places(in: text, path) }
    var words = try SecretBytes(count: count + 1)
    let end = words.withMutableBytes { (words: inout MutableSpan<UInt8>) -> Int in
      text.withBytes { text in
        var end = 0
        for place in places { end = copy(text.extracting(place), to: &words, end: end) }
        return end
      }
    }
    guard end > 0 else { throw CommandError.secretUnreadable(source: path, reason: "it has no words") }
    return SharedSecret(try words.copy(0..<end))
  }

  /// Where words stand.
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
        source: path, reason: "it has several shares; give each its own file")
    }
    return marked.isEmpty ? bare : marked
  }

  /// Copies the words of a line behind those that are there, and leaves out numbers and punctuation around them.
  private static func copy(_ line: Span<UInt8>, to words: inout MutableSpan<UInt8>, end: Int) -> Int {
    var end = end
    var position = 0
    while position < line.count {
      var start = position
      while position < line.count, !isSpace(line[position]) { position += 1 }
      var last = position
      while start < last, isNumbering(line[start]) { start += 1 }
      while last > start, isNumbering(line[last - 1]) { last -= 1 }
      position += 1
      guard start < last else { continue }
      if end > 0 {
        words[end] = UInt8(ascii: " ")
        end += 1
      }
      for index in start..<last {
        words[end] = small(line[index])
        end += 1
      }
    }
    return end
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || 0x09...0x0d ~= byte }

  private static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5a ~= byte ? byte | 0x20 : byte }

  private static func isNumbering(_ byte: UInt8) -> Bool {
    0x30...0x39 ~= byte || ".,;:)(-".utf8.contains(byte)
  }

  private static func begins(_ line: Span<UInt8>, with marker: String) -> Bool {
    let marker = Array(marker.utf8)
    return line.count >= marker.count && marker.indices.allSatisfy { small(line[$0]) == marker[$0] }
  }
}
