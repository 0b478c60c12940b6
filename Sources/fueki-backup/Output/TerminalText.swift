/// Text as a terminal may be given it.
///
/// Names, paths and notes come from archives, from files and from servers: whoever chose them must not be able to move
/// the cursor, to turn the reading direction of an address, or to begin a line that looks like this program's own.
enum TerminalText {
  /// A text of one line, in which whatever could do so is spelt out, as in `\u{1b}`.
  static func line(_ text: String) -> String { spelt(text) { steers($0) } }

  /// A text of this program's own with several lines.
  static func page(_ text: String) -> String {
    spelt(text) { steers($0) && !["\n", "\t", "\u{0C}"].contains($0) }
  }

  private static func spelt(_ text: String, where isSpelt: (Unicode.Scalar) -> Bool) -> String {
    guard text.unicodeScalars.contains(where: isSpelt) else { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isSpelt(scalar) {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
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
