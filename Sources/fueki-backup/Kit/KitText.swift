internal import FuekiCodes

/// A recovery kit as text: one page, and after a form feed the codes.
struct KitText {
  /// The text; a secret belongs between its parts.
  private(set) var parts = [""]

  private static let width = 80
  /// The lines of a printer's page, of which the last stays empty.
  private static let pageLines = 66
  private static let indent = "  "

  init(_ page: KitPage, codes: [QRCode], ink: QRDrawing.Ink) {
    add(page.title.uppercased())
    add(page.subtitle + "\n")
    wrap(page.notice, indent: "")
    for section in page.sections {
      add("\n" + section.title.uppercased())
      var step = 0
      for item in section.items { add(item, &step) }
    }
    add("")
    wrap(page.footer, indent: "")
    for (code, drawing) in zip(page.codes, codes) {
      add("\u{0C}" + code.caption + "\n")
      add(QRDrawing.text(drawing, ink))
    }
  }

  /// Whether a page takes no more than one page of paper, without its codes.
  static func isOnePage(_ page: KitPage) -> Bool {
    let text = KitText(page, codes: [], ink: .dark).parts.joined()
    return text.utf8.count { $0 == UInt8(ascii: "\n") } < pageLines
  }

  private mutating func add(_ line: String) { parts[parts.count - 1] += TerminalText.page(line) + "\n" }

  private mutating func add(_ item: KitPage.Item, _ step: inout Int) {
    switch item {
    case .prose(let text): wrap(text, indent: Self.indent)
    case .fact(let name, let value, let check):
      wrap(value + (check.map { "[\($0)]" } ?? ""), indent: "             ", first: Self.label(name))
    case .line(let name, let text): wrap("\(name): \(text)", indent: "    ", first: "  ")
    case .step(let text, let commands):
      step += 1
      wrap(text, indent: "     ", first: "  \(step). ")
      for command in commands { add(command: command) }
    case .commands(let commands):
      for command in commands { add(command: command) }
    case .blank(let name):
      let label = "    \(name): "
      add(label + String(repeating: "_", count: max(20, Self.width - label.count)))
    case .secret(let name):
      parts[parts.count - 1] += "    \(name): "
      parts.append("\n")
    }
  }

  private mutating func add(command: String) {
    let indent = "       "
    guard indent.count + command.count > Self.width, let last = command.ranges(of: " --").last else {
      return add(indent + command)
    }
    add("\(indent)\(command[..<last.lowerBound]) \\")
    add("\(indent) \(command[last.lowerBound...])")
  }

  private static func label(_ name: String) -> String {
    "  " + name + String(repeating: " ", count: max(1, 11 - name.count))
  }

  private mutating func wrap(_ text: String, indent: String, first: String? = nil) {
    let lines = LineBreaks.lines(of: text, width: Self.width, first: first ?? indent, indent: indent)
    for line in lines { for part in Self.parts(of: line, indent: indent) { add(part) } }
  }

  /// Cuts a line with a word that is wider than the page, such as a long path, where possible after a slash.
  private static func parts(of line: String, indent: String) -> [String] {
    var parts: [String] = []
    var rest = line
    while rest.count > width {
      let head = rest.prefix(width)
      let slash = head.dropFirst(width / 2).lastIndex(of: "/")
      let end = slash.map(head.index(after:)) ?? head.endIndex
      parts.append(String(head[..<end]))
      rest = indent + rest[end...]
    }
    return parts + [rest]
  }
}
