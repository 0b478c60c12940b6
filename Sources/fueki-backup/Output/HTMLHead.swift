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
