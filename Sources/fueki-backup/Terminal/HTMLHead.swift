/// The beginning of a page of HTML that needs nothing else and fetches nothing.
///
/// It runs nothing, except a script that the caller states.
struct HTMLHead {
  let title: String
  /// The whole style sheet, each rule on a line.
  let style: String
  /// How wide a screen shows it; nil for a page that is printed.
  var viewport: String?
  /// Whether to hide this page's address from linked pages.
  var hidesReferrer = true
  /// The SHA-256 digest, in base64, of the only script that may run; nil for none.
  var scriptDigest: String?

  /// The text before the body.
  var text: String {
    let script = scriptDigest.map { "'sha256-\($0)'" } ?? "'none'"
    let policy = ["default-src 'none'", "style-src 'unsafe-inline'", "script-src \(script)"]
      .joined(separator: "; ")
    let lines = [
      "<!DOCTYPE html>", "<html lang=\"en\">", "<head>", "<meta charset=\"utf-8\">",
      viewport.map { "<meta name=\"viewport\" content=\"\($0)\">" },
      "<meta http-equiv=\"Content-Security-Policy\" content=\"\(policy)\">",
      hidesReferrer ? "<meta name=\"referrer\" content=\"no-referrer\">" : nil,
      "<title>\(XMLText.escaped(title))</title>", "<style>",
    ]
    return lines.compactMap(\.self).joined(separator: "\n") + "\n" + style + "</style>\n</head>\n"
  }
}

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
