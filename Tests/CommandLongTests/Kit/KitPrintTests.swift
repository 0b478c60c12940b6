import FuekiSystem
import TestSupport
import Testing

/// The recovery kit on paper: that it is one page, and that its codes read back.
struct KitPrintTests {
  @Test(.enabled(if: PrintedKit.canScan, "this machine has no zbar-tools or librsvg2-bin"))
  func `the codes of both forms read back`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let expected: Set<String> = [try kit.checkpoint(), kit.places]
    let html = try kit.run(["print", "--format", "html"]).text
    var found: Set<String> = []
    for (index, part) in html.split(separator: "<svg").dropFirst().enumerated() {
      let end = try #require(part.firstRange(of: "</svg>"))
      try machine.write("<svg width=\"600\" height=\"600\"" + part[..<end.upperBound], to: "\(index).svg")
      let drawn = try BuiltBinary.run(
        program: "/usr/bin/rsvg-convert",
        ["-w", "600", machine.path("\(index).svg"), "-o", machine.path("\(index).png")])
      #expect(drawn.status == 0, "\(drawn.errors)")
      found.formUnion(try kit.scan("\(index).png", for: expected))
    }
    #expect(found == expected)
    let sheets = try kit.run(["print"]).text.split(separator: "\u{0C}").dropFirst()
    #expect(sheets.count == 2)
    found = []
    for sheet in sheets {
      let lines = sheet.split(separator: "\n").dropFirst().map(String.init)
      try machine.write(CheckpointTests.picture(lines, isDark: true), to: "sheet.pgm")
      found.formUnion(try kit.scan("sheet.pgm", for: expected))
    }
    #expect(found == expected)
  }

  /// Prints a page as a browser does, on each paper, and reads it back.
  private func expectOneSheet(_ kit: PrintedKit, _ name: String, hasPassphrase: Bool, codes: Set<String>)
    throws
  {
    let machine = kit.machine
    let html = try machine.text(of: "\(name).html")
    for size in ["A4", "letter"] {
      try machine.write(
        html.replacing("@page { ", with: "@page { size: \(size); "), to: "\(name)-\(size).html")
      try Chromium.run(
        machine, "\(name)-\(size).html",
        ["--print-to-pdf=\(machine.path("page.pdf"))", "--no-pdf-header-footer"])
      let info = try BuiltBinary.run(program: "/usr/bin/pdfinfo", [machine.path("page.pdf")]).text
      let pages = info.split(separator: "\n").first { $0.hasPrefix("Pages:") }
      #expect(pages?.hasSuffix(" 1") == true, "\(name) \(size): \(info)")
      let drawn = try BuiltBinary.run(
        program: "/usr/bin/pdftoppm",
        ["-r", "300", "-png", "-singlefile", machine.path("page.pdf"), machine.path("page")])
      #expect(drawn.status == 0)
      #expect(try kit.scan("page.png", for: codes) == codes, "\(name) \(size)")
      let words = try BuiltBinary.run(
        program: "/usr/bin/pdftotext", ["-layout", machine.path("page.pdf"), "-"]
      ).text.split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ")
      #expect(text.contains(Machine.passphrase) == hasPassphrase)
      #expect(text.contains("kit test"))
    }
  }

  @Test(
    .enabled(
      if: PrintedKit.canPrint, "this machine has no chromium, poppler-utils, zbar-tools or librsvg2-bin"))
  func `it is one sheet, of A4 and of Letter, and its codes read back from the print`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    for (name, more) in [("public", []), ("secret", ["--include-passphrase"] + machine.archiveSecret)] {
      let page = machine.path("\(name).html")
      try kit.run(["print", "--format", "html", "--output", page] + more).expect(0)
      try expectOneSheet(
        kit, name, hasPassphrase: name == "secret", codes: [try kit.checkpoint(), kit.places])
    }
    try Chromium.run(
      machine, "public.html",
      ["--screenshot=\(machine.path("page.png"))", "--window-size=794,1323", "--force-device-scale-factor=3"])
    let codes: Set<String> = [try kit.checkpoint(), kit.places]
    #expect(try kit.scan("page.png", for: codes) == codes)
    // For a person to look at.
    if let kept = Environment.get("FUEKI_KEEP_KIT") {
      for name in ["public.html", "secret.html", "page.png"] {
        _ = try BuiltBinary.run(program: "/bin/cp", [machine.path(name), kept])
      }
    }
  }

  @Test(
    .enabled(
      if: PrintedKit.canPrint && Installed.runs("/usr/bin/age-keygen"), "this machine has no chromium or age")
  )
  func `much to say still is one sheet`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let recipients = try (1...4).map { number in
      let key = machine.path("age-\(number)")
      _ = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", key])
      let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", key])
      return shown.text.filter { !$0.isWhitespace } + "=history,profile"
    }
    try machine.run(
      ["guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("sheets")],
      status: 0)
    let long = "a long path of a folder in somebody’s cloud, and below it one more, and the backups"
    let targets = (1...6).map { "[[target]]\npath = \"\(long)/\($0)\"\n" }.joined()
    try machine.write(
      """
      [[target]]
      path = "target"
      \(targets)
      [[vault]]
      label = "the wallet of the whole family, and all that is in it and beside it"
      sign_key = "keys/signing.key"
      slot_names = ["in the safe at home, left", "mother and father", "the accountant", "a", "b", "cousins, all three"]
      recipients = [\(recipients.map { "\"\($0)\"" }.joined(separator: ", "))]
      guardians = "sheets/guardians.txt"
      """, to: "config.toml")
    try machine.run(["create"] + machine.secrets + kit.configuration, status: 3)
    let printed = try kit.run(
      ["print", "--format", "html", "--include-passphrase", "--output", machine.path("much.html")]
        + machine.archiveSecret)
    #expect(printed.status == 0, "\(printed.errors)")
    // As many as a phone can read.
    var fitting = machine.target
    for number in 1...6 {
      let place = machine.path("\(long)/\(number)")
      if fitting.utf8.count + place.utf8.count < 400 { fitting += "\n" + place }
    }
    try expectOneSheet(
      kit, "much", hasPassphrase: true,
      codes: [try kit.checkpoint(), fitting + "\n"])
  }
}
