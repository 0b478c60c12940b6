internal import FuekiWallet

/// Decodes other programs' text files.
enum TextLines {
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns a file's text as UTF-8, without a byte order mark.
  ///
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` unless it is UTF-8, or UTF-16 with a byte order
  ///   mark; ``ForeignFileError/overLimit(reason:)`` if it is not ``BoundedText``.
  static func text(_ bytes: [UInt8]) throws(ForeignFileError) -> [UInt8] {
    let text = try utf8(bytes)
    guard BoundedText.isBounded(text.span) else {
      throw .overLimit(reason: "a letter has more than \(BoundedText.markLimit) combining marks")
    }
    return text
  }

  private static func utf8(_ bytes: [UInt8]) throws(ForeignFileError) -> [UInt8] {
    if let text = try utf16(bytes) { return text }
    let text = withoutMark(bytes)
    guard (try? UTF8Span(validating: text.span)) != nil else {
      throw .notThisFormat(reason: "it is not UTF-8: save it as UTF-8 in the program that made it")
    }
    return text
  }

  /// Returns the bytes without a UTF-8 byte order mark.
  static func withoutMark(_ bytes: [UInt8]) -> [UInt8] {
    bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(byteOrderMark.count)) : bytes
  }

  /// Passes the lines of a text to `body`, one by one.
  ///
  /// They may end with CR, LF or both.
  static func forEachLine<E: Error>(
    of text: [UInt8], _ body: (ArraySlice<UInt8>) throws(E) -> Void
  ) throws(E) {
    var start = 0
    for place in text.indices where text[place] == 0x0A || text[place] == 0x0D {
      // The LF of CR LF does not end another line.
      if text[place] == 0x0A, place > 0, text[place - 1] == 0x0D {
        start = place + 1
        continue
      }
      try body(text[start..<place])
      start = place + 1
    }
    try body(text[start...])
  }

  /// Returns the first line of a text that is not empty.
  static func firstLine(of text: [UInt8]) -> ArraySlice<UInt8>? {
    text.split(maxSplits: 1) { $0 == 0x0A || $0 == 0x0D }.first
  }

  /// Converts UTF-16 to UTF-8; nil without a UTF-16 byte order mark.
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
