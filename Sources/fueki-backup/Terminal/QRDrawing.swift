internal import FuekiCodes

/// A QR code as people see it.
enum QRDrawing {
  /// The light modules around a code, without which no reader finds it.
  private static let quiet = 4

  /// The characters that draw a block.
  enum Ink {
    /// Light on dark, as most terminals are.
    case light
    /// Dark on paper.
    case dark
  }

  /// Half blocks, two rows of modules a line.
  static func text(_ code: QRCode, _ ink: Ink = .light) -> String {
    var lines: [String] = []
    for row in stride(from: -quiet, to: code.width + quiet, by: 2) {
      lines.append(
        String(
          (-quiet..<code.width + quiet).map { column -> Character in
            switch (code[row, column] == (ink == .dark), code[row + 1, column] == (ink == .dark)) {
            case (true, true): "█"
            case (true, false): "▀"
            case (false, true): "▄"
            case (false, false): " "
            }
          }))
    }
    return lines.joined(separator: "\n")
  }

  /// A picture for paper, in a file of its own.
  static func svg(_ code: QRCode, title: String) -> String {
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + element(code, title: title, side: "80mm") + "\n"
  }

  /// A picture for paper, dark on white, one path for all modules.
  static func element(_ code: QRCode, title: String, side: String?) -> String {
    let size = code.width + 2 * quiet
    var path = ""
    for row in 0..<code.width {
      var column = 0
      while column < code.width {
        guard code[row, column] else {
          column += 1
          continue
        }
        let start = column
        while code[row, column] { column += 1 }
        path += "M\(start + quiet) \(row + quiet)h\(column - start)v1h-\(column - start)z"
      }
    }
    let sides = side.map { "width=\"\($0)\" height=\"\($0)\" " } ?? ""
    return """
      <svg xmlns="http://www.w3.org/2000/svg" \(sides)viewBox="0 0 \(size) \(size)" \
      shape-rendering="crispEdges">
      <title>\(XMLText.escaped(title))</title>
      <rect width="\(size)" height="\(size)" fill="#fff"/>
      <path d="\(path)" fill="#000"/>
      </svg>
      """
  }
}
