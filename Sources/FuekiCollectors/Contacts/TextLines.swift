/// Text files as other programs write them.
enum TextLines {
  static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The text of a file without the mark that some programs begin with.
  ///
  /// - Throws: ``ForeignFileError/notThisFormat(reason:)`` for what is not UTF-8.
  static func text(_ bytes: [UInt8]) throws(ForeignFileError) -> [UInt8] {
    let text = bytes.starts(with: byteOrderMark) ? Array(bytes.dropFirst(3)) : bytes
    guard (try? UTF8Span(validating: text.span)) != nil else {
      throw .notThisFormat(
        reason: bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
          ? "it is UTF-16: save it as UTF-8" : "it is not UTF-8")
    }
    return text
  }
}
