/// Text inside XML.
enum XMLText {
  /// The five characters with a meaning are escaped; those that XML 1.0 cannot hold are replaced, and those that turn the
  /// reading direction or steer a reader's eye are spelt out, as on a terminal.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\"": escaped += "&quot;"
      case "'": escaped += "&apos;"
      case "\t", "\n", "\r": escaped += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF:
        escaped.unicodeScalars.append("\u{FFFD}")
      default:
        if let spelling = TerminalText.spelling(of: scalar) {
          escaped += spelling
        } else {
          escaped.unicodeScalars.append(scalar)
        }
      }
    }
    return escaped
  }
}
