internal import FuekiSystem

/// Text that is safe for a terminal.
///
/// Names, paths and notes come from archives, files and servers. Their authors must not be able to move the cursor, to
/// reverse the reading direction of an address, or to begin a line that looks like this program's own.
enum TerminalText {
  /// A text of one line, in which whatever could do so is spelt out, as in `\u{1b}`.
  static func line(_ text: String) -> String { spelt(text) { steers($0) } }

  /// A text of this program's own with several lines.
  static func page(_ text: String) -> String {
    spelt(text) { steers($0) && !["\n", "\t", "\u{0C}"].contains($0) }
  }

  /// A string of JSON, quotes and all, in which nothing steers a terminal.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where steers(scalar): result += escape(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Escapes a JSON document's terminal control characters.
  ///
  /// For programs the document is unchanged.
  ///
  /// Outside of strings, an encoder writes no such characters except line ends, which stay.
  static func document(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: { !$0.isASCII && steers($0) || $0 == "\u{7F}" }) else {
      return json
    }
    var result = ""
    for scalar in json.unicodeScalars {
      if steers(scalar), scalar != "\n" {
        result += escape(scalar)
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  /// A scalar as JSON spells it, one beyond the first plane as a pair of surrogates.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    String(scalar).utf16.map { unit in
      let digits = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
    }.joined()
  }

  /// How a scalar is spelt out that would steer a reader's eye, or is a byte that is not UTF-8; nil for any other.
  static func spelling(of scalar: Unicode.Scalar) -> String? {
    if let byte = PathText.escapedByte(scalar) { return "\\x\(String(byte, radix: 16))" }
    return steers(scalar) ? "\\u{\(String(scalar.value, radix: 16))}" : nil
  }

  private static func spelt(_ text: String, where isSpelt: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: { isSpelt($0) || PathText.escapedByte($0) != nil }) else {
      return text
    }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSpelt(scalar) || PathText.escapedByte(scalar) != nil, let spelling = spelling(of: scalar) {
        result.append(contentsOf: spelling.unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }

  private static func steers(_ scalar: Unicode.Scalar) -> Bool {
    // Nearly all text is ASCII, and its table is not needed for it.
    if scalar.isASCII { return scalar.value < 0x20 || scalar.value == 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator: return true
    // These two join letters, and pictures of people.
    case .format: return scalar != "\u{200C}" && scalar != "\u{200D}"
    default: return false
    }
  }
}

extension DefaultStringInterpolation {
  /// Stands before the standard library's own, which spells a value without a description as Swift does: people would
  /// read the names of cases and types.
  ///
  /// Deprecated and not unavailable, because of an unavailable one the compiler takes the library's.
  @available(*, deprecated, message: "say it in words: this shows people Swift's spelling")
  mutating func appendInterpolation<Value>(_ value: Value) { appendLiteral(String(describing: value)) }
}
