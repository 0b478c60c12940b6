internal import FuekiSystem

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
    add("<footer>\(XMLText.escaped(page.footer))</footer>\n</body>\n</html>\n")
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
