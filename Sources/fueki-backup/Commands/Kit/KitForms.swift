internal import FuekiCodes
internal import FuekiCrypto

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

/// A recovery kit as one page of HTML that needs nothing else, for paper.
struct KitHTML {
  /// The text; a secret belongs between its parts.
  private(set) var parts = [""]

  init(_ page: KitPage, codes: [QRCode]) {
    add(HTMLHead(title: page.title, style: KitStyle.text).text)
    add(
      """
      <body>
      <header><h1>\(XMLText.escaped(page.title))</h1><p>\(XMLText.escaped(page.subtitle))</p></header>
      <main>
      <p class="notice\(page.hasSecret ? " secret" : "")">\(XMLText.escaped(page.notice))</p>
      <div class="top">
      <div class="facts">

      """)
    for section in page.sections where section.place == .beside { add(section) }
    add("</div>\n<div class=\"codes\">\n")
    for (code, drawing) in zip(page.codes, codes) {
      add(
        "<figure>\(QRDrawing.element(drawing, title: code.caption, side: nil))"
          + "<figcaption>\(XMLText.escaped(code.caption))</figcaption></figure>\n")
    }
    add("</div>\n</div>\n")
    for section in page.sections where section.place != .beside { add(section) }
    add("</main>\n<footer>\(XMLText.escaped(page.footer))</footer>\n</body>\n</html>\n")
  }

  private mutating func add(_ text: String) { parts[parts.count - 1] += text }

  private mutating func add(_ section: KitPage.Section) {
    add(
      "<section\(section.place == .fine ? " class=\"fine\"" : "")><h2>\(XMLText.escaped(section.title))</h2>\n"
    )
    var number = 0
    for item in section.items { add(item, &number) }
    add("</section>\n")
  }

  private mutating func add(_ commands: [String]) {
    add("<pre>\(commands.map(XMLText.escaped).joined(separator: "\n"))</pre>\n")
  }

  private mutating func add(_ item: KitPage.Item, _ number: inout Int) {
    switch item {
    case .prose(let text): add("<p>\(XMLText.escaped(text))</p>\n")
    case .fact(let name, let value, let check):
      let end = check.map { "<b>\(XMLText.escaped($0))</b>" } ?? ""
      add(
        "<p class=\"fact\"><span>\(XMLText.escaped(name))</span><code>\(XMLText.escaped(value))\(end)</code></p>\n"
      )
    case .line(let name, let text):
      add("<p class=\"line\"><span>\(XMLText.escaped(name)):</span> \(XMLText.escaped(text))</p>\n")
    case .step(let text, let commands):
      number += 1
      add("<p class=\"step\"><b>\(number)</b><span>\(XMLText.escaped(text))</span></p>\n")
      guard !commands.isEmpty else { return }
      add(commands)
    case .commands(let commands): add(commands)
    case .blank(let name): add("<p class=\"blank\"><span>\(XMLText.escaped(name))</span><i></i></p>\n")
    case .secret(let name):
      add("<p class=\"fact secret\"><span>\(XMLText.escaped(name))</span><code>")
      parts.append("</code></p>\n")
    }
  }
}

/// How a recovery kit looks: black on white, on one sheet of A4 or Letter.
enum KitStyle {
  static let text = """
    @page { margin: 9mm 13mm; }
    * { box-sizing: border-box; margin: 0; padding: 0; }
    html { background: #fff; color: #000; }
    body { font: 8.4pt/1.3 "Liberation Sans", "Helvetica Neue", Helvetica, Arial, sans-serif; max-width: 186mm; margin: 0 auto; }
    header { display: flex; align-items: baseline; gap: 4mm; border-bottom: 0.5mm solid #000; padding-bottom: 1mm; }
    header h1 { font-size: 15pt; flex: none; max-width: 110mm; overflow-wrap: anywhere; }
    header p { margin-left: auto; text-align: right; font-size: 7.6pt; }
    h2 { font-size: 9.6pt; margin: 1.3mm 0 0.5mm; }
    p { margin-bottom: 0.7mm; overflow-wrap: anywhere; }
    code, pre { font-family: "Liberation Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace; font-size: 8pt; }
    .notice { margin-top: 2mm; }
    .notice.secret { border: 0.7mm solid #000; padding: 1mm 2mm; font-weight: bold; font-size: 9.4pt; }
    .top { display: flex; gap: 6mm; }
    .facts { flex: 1; min-width: 0; }
    .codes { flex: none; width: 46mm; padding-top: 2.2mm; }
    figure { margin-bottom: 2mm; break-inside: avoid; }
    figure svg { display: block; width: 46mm; height: 46mm; }
    figcaption { font-size: 7.6pt; line-height: 1.2; padding: 0 2mm; }
    .fact, .blank { display: flex; gap: 2mm; align-items: baseline; }
    .fact span, .blank span { flex: none; min-width: 18mm; max-width: 42mm; }
    .fact code { min-width: 0; overflow-wrap: anywhere; }
    .fact b { border: 0.3mm solid #000; padding: 0 0.7mm; white-space: nowrap; }
    .fact.secret { padding-left: 3mm; }
    .fact.secret code { white-space: pre-wrap; font-size: 11pt; font-weight: bold; }
    .blank { padding-left: 3mm; height: 5mm; align-items: flex-end; }
    .blank i { flex: 1; border-bottom: 0.25mm solid #000; }
    .line span { font-weight: bold; }
    .step { display: flex; }
    .step b { flex: none; width: 5mm; }
    .step ~ p:not(.step) { margin-left: 5mm; }
    pre { margin: 0 0 0.9mm 8mm; white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.25; }
    .fine { font-size: 7pt; line-height: 1.22; }
    footer { border-top: 0.25mm solid #000; margin-top: 1.5mm; padding-top: 0.8mm; font-size: 7.6pt; }
    @media screen { body { padding: 11mm 4mm; max-width: 194mm; } }

    """
}

/// A page's bytes, in memory that is wiped, for a passphrase may be among them: it is never a String.
enum KitBytes {
  /// The page with the secret between its parts.
  ///
  /// - Throws: Exit status 64 where paper cannot show a character of the passphrase.
  static func of(_ parts: [String], secret: SharedSecret?, isHTML: Bool) throws -> SecretBytes {
    let room = parts.reduce(0) { $0 + $1.utf8.count }
    guard let secret, parts.count == 2 else {
      var text = try SecretText(capacity: room)
      for part in parts { text.append(part) }
      return try text.finish()
    }
    // No byte becomes more than six: &quot;
    var text = try SecretText(capacity: room + 6 * secret.bytes.count)
    text.append(parts[0])
    let isPrintable = secret.bytes.withBytes { bytes in
      for index in bytes.indices {
        guard bytes[index] >= 0x20, bytes[index] != 0x7F else { return false }
        if isHTML, let entity = entity(bytes[index]) {
          text.append(entity)
        } else {
          text.append(bytes.extracting(index..<index + 1))
        }
      }
      return true
    }
    guard isPrintable else {
      throw CommandError.usage("the passphrase has a character that paper cannot show, such as a tab")
    }
    text.append(parts[1])
    return try text.finish()
  }

  private static func entity(_ byte: UInt8) -> String? {
    switch byte {
    case UInt8(ascii: "&"): "&amp;"
    case UInt8(ascii: "<"): "&lt;"
    case UInt8(ascii: ">"): "&gt;"
    case UInt8(ascii: "\""): "&quot;"
    case UInt8(ascii: "'"): "&apos;"
    default: nil
    }
  }
}
