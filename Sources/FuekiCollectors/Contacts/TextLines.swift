/// Text files as other programs write them.
enum TextLines {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text of a file as UTF-8, without the mark that some programs begin with.
  ///
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` for what is neither UTF-8 nor, with its mark, UTF-16.
  static func text(_ bytes: [UInt8]) throws(ForeignFileError) -> [UInt8] {
    if let text = try utf16(bytes) { return text }
    let text = withoutMark(bytes)
    guard (try? UTF8Span(validating: text.span)) != nil else {
      throw .notThisFormat(reason: "it is not UTF-8: save it as UTF-8 in the program that made it")
    }
    return text
  }

  /// The bytes without the mark of UTF-8, which says nothing.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
  }

  /// Gives the lines of a text to a closure, one by one; they end in CR, LF or both.
  static func forEachLine<E: Error>(
    of text: [UInt8], _ body: (ArraySlice<UInt8>) throws(E) -> Void
  ) throws(E) {
    var start = 0
    for place in text.indices where text[place] == 0x0A || text[place] == 0x0D {
      // The second of both ends the line that the first has ended.
      if text[place] == 0x0A, place > 0, text[place - 1] == 0x0D {
        start = place + 1
        continue
      }
      try body(text[start..<place])
      start = place + 1
    }
    try body(text[start...])
  }

  /// The first line of a text that is not empty.
  static func firstLine(of text: [UInt8]) -> ArraySlice<UInt8>? {
    text.split(maxSplits: 1) { $0 == 0x0A || $0 == 0x0D }.first
  }

  /// The text of a file in UTF-16 as UTF-8; nil where it does not begin with such a mark.
  private static func utf16(_ bytes: [UInt8]) throws(ForeignFileError) -> [UInt8]? {
    let isLittle = bytes.starts(with: [0xFF, 0xFE])
    guard isLittle || bytes.starts(with: [0xFE, 0xFF]) else { return nil }
    var units: [UInt16] = []
    for place in stride(from: 2, to: bytes.count - 1, by: 2) {
      let unit = UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
      units.append(isLittle ? unit.byteSwapped : unit)
    }
    guard bytes.count.isMultiple(of: 2), let text = String(validating: units, as: UTF16.self) else {
      throw .notThisFormat(reason: "it is damaged UTF-16: save it as UTF-8 in the program that made it")
    }
    return Array(text.utf8)
  }
}
