import FuekiSystem
import TestSupport
import Testing

/// The recovery kit: what the page says, that it is one page, and that its codes read back.
struct KitTests {
  private static let canScan =
    Installed.runs("/usr/bin/zbarimg", ["--version"]) && Installed.runs("/usr/bin/rsvg-convert")
  private static let canPrint = canScan && Chromium.isThere && Installed.runs("/usr/bin/pdfinfo", ["-v"])

  private struct Kit {
    let machine: Machine
    let configuration: [String]
    let vault: String
    let signer: String
    let digest: String
  }

  /// A machine with a signed archive, slots that have names, and a target that is hard to write down.
  private func kit() throws -> Kit {
    let machine = try SigningTests.machine(isSealed: false)
    try machine.write(
      """
      [[target]]
      path = "target"
      kind = "local"
      [[target]]
      path = "a <b> & \\"c\\" folder"
      [[vault]]
      label = "family <wallet>"
      sign_key = "keys/signing.key"
      slot_names = ["paper <1>"]
      """, to: "config.toml")
    try Directory.makePrivateDirectories(machine.path("a <b> & \"c\" folder"))
    let configuration = ["--config", machine.path("config.toml")]
    let made = try machine.run(["create", "--json"] + machine.secrets + configuration)
    try #require(made.status == 0, "\(made.errors)")
    let shown = try machine.run(["show", "latest", "--json"] + configuration).json()["header"]
    return Kit(
      machine: machine, configuration: configuration, vault: try #require(shown?["vault"]?.text),
      signer: try #require(shown?["signer"]?.text), digest: try #require(shown?["id"]?.text))
  }

  private func run(_ kit: Kit, _ arguments: [String]) throws -> RunResult {
    try kit.machine.run(["kit"] + arguments + kit.configuration)
  }

  private func checkpoint(_ kit: Kit) throws -> String {
    let run = try kit.machine.run(
      ["checkpoint", "export", "--target", kit.machine.target] + kit.configuration)
    try #require(run.status == 0, "\(run.errors)")
    return run.text.uppercased()
  }

  private func places(_ kit: Kit) -> String {
    "\(kit.machine.target)\n\(kit.machine.path("a <b> & \"c\" folder"))\n"
  }

  /// What `zbarimg` finds in a picture: these codes, in an order of its own.
  private func scan(_ kit: Kit, _ name: String, for codes: Set<String>) throws -> Set<String> {
    // Its XML breaks letters that are not ASCII.
    let scan = try BuiltBinary.run(program: "/usr/bin/zbarimg", ["-q", "--raw", kit.machine.path(name)])
    var rest = scan.text
    var found: Set<String> = []
    while let code = codes.first(where: { !$0.isEmpty && rest.hasPrefix($0) }) {
      found.insert(code)
      rest.removeFirst(code.count)
    }
    return rest.isEmpty ? found : found.union([rest])
  }

  private func read(_ machine: Machine, _ name: String) throws -> String {
    String(decoding: try machine.read(name), as: UTF8.self)
  }

  @Test func `the page says what a stranger needs, and no secret`() throws {
    let kit = try kit()
    let text = try run(kit, ["print", "--source", "https://example.org/fueki-backup"])
    #expect(text.status == 0, "\(text.errors)")
    let page = try #require(text.text.split(separator: "\u{0C}").first)
    #expect(
      page.contains("RECOVERY KIT: FAMILY <WALLET>") && page.contains("https://example.org/fueki-backup"))
    #expect(page.contains("slot 1 (paper <1>): a passphrase, opens everything"), "\(page)")
    let digits = page.filter { $0.isHexDigit }
    for number in [kit.vault, kit.signer, kit.digest] { #expect(digits.contains(number)) }
    for name in ["fueki-archive(5)", "XChaCha20-Poly1305", "Argon2id", "zstd", "SLIP-39", "kit test", "____"]
    {
      #expect(page.contains(name), "\(name)")
    }
    let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 66, "\(lines.count)")
    let html = try run(kit, ["print", "--format", "html"])
    #expect(html.status == 0)
    #expect(
      html.text.contains("family &lt;wallet&gt;")
        && html.text.contains("a &lt;b&gt; &amp; &quot;c&quot; folder"))
    #expect(!html.text.contains("<b> &") && !html.text.contains("<script"))
    for reference in ["src=", "href=", "url(", "@import", "http://"] {
      let others = html.text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!others.contains(reference), "\(reference)")
    }
    for text in [text.text, html.text] { #expect(!text.contains(Machine.passphrase)) }
    let json = try run(kit, ["print", "--json"]).json()
    #expect(json["vault"]?.text == kit.vault && json["signer"]?.text == kit.signer)
    #expect(json["archive"]?["id"]?.text == kit.digest && json["slots"]?[0]?["name"]?.text == "paper <1>")
    #expect(json["targets"]?.elements.count == 2 && json["includes_passphrase"] == .bool(false))
  }

  @Test func `the commands on the page are this program's`() throws {
    let kit = try kit()
    let machine = kit.machine
    try machine.write(try checkpoint(kit), to: "code-1")
    let html = try run(kit, ["print", "--format", "html"]).text
    let commands = html.split(separator: "\n").filter { $0.contains("fueki-backup ") && $0.contains("DIR") }
      .map { line in
        line.replacing("<pre>", with: "").replacing("</pre>", with: "").replacing("&apos;", with: "'")
      }
    #expect(commands.count == 3)
    for command in commands {
      let words = command.split(separator: " ").dropFirst().map { word in
        switch word {
        case "DIR": machine.target
        case "SIGNER": kit.signer
        case "NEWEST": machine.path("code-1")
        default: String(word)
        }
      }
      let more = words.contains("restore") ? machine.secrets + ["--datadir", machine.path("new")] : []
      let run = try machine.run(words + more, environment: ["FUEKI_STATE": machine.path("no-state")])
      #expect(run.status == 0, "\(words) \(run.errors)")
    }
    #expect(machine.exists("new/wallet.sqlite"))
    // The code of a kit that is not signed is what --known takes.
    try machine.write("[[target]]\npath = \"target\"\n", to: "config.toml")
    let known = "\(kit.vault):2:\(kit.digest)".uppercased()
    let verified = try machine.run(["verify", machine.target, "--known", known])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(try run(kit, ["print", "--json"]).json()["checkpoint"] == nil)
  }

  @Test(.enabled(if: canScan, "this machine has no zbar-tools or librsvg2-bin"))
  func `the codes of both forms read back`() throws {
    let kit = try kit()
    let machine = kit.machine
    let expected: Set<String> = [try checkpoint(kit), places(kit)]
    let html = try run(kit, ["print", "--format", "html"]).text
    var found: Set<String> = []
    for (index, part) in html.split(separator: "<svg").dropFirst().enumerated() {
      let end = try #require(part.firstRange(of: "</svg>"))
      try machine.write("<svg width=\"600\" height=\"600\"" + part[..<end.upperBound], to: "\(index).svg")
      let drawn = try BuiltBinary.run(
        program: "/usr/bin/rsvg-convert",
        ["-w", "600", machine.path("\(index).svg"), "-o", machine.path("\(index).png")])
      #expect(drawn.status == 0, "\(drawn.errors)")
      found.formUnion(try scan(kit, "\(index).png", for: expected))
    }
    #expect(found == expected)
    let sheets = try run(kit, ["print"]).text.split(separator: "\u{0C}").dropFirst()
    #expect(sheets.count == 2)
    found = []
    for sheet in sheets {
      let lines = sheet.split(separator: "\n").dropFirst().map(String.init)
      try machine.write(CheckpointTests.picture(lines, isDark: true), to: "sheet.pgm")
      found.formUnion(try scan(kit, "sheet.pgm", for: expected))
    }
    #expect(found == expected)
  }

  /// Prints a page as a browser does, on each paper, and reads it back.
  private func expectOneSheet(_ kit: Kit, _ name: String, hasPassphrase: Bool, codes: Set<String>) throws {
    let machine = kit.machine
    let html = try read(machine, "\(name).html")
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
      #expect(try scan(kit, "page.png", for: codes) == codes, "\(name) \(size)")
      let words = try BuiltBinary.run(
        program: "/usr/bin/pdftotext", ["-layout", machine.path("page.pdf"), "-"]
      ).text.split(whereSeparator: \.isWhitespace)
      let text = words.joined(separator: " ")
      #expect(text.contains(Machine.passphrase) == hasPassphrase)
      #expect(text.contains("kit test"))
    }
  }

  @Test(.enabled(if: canPrint, "this machine has no chromium, poppler-utils, zbar-tools or librsvg2-bin"))
  func `it is one sheet, of A4 and of Letter, and its codes read back from the print`() throws {
    let kit = try kit()
    let machine = kit.machine
    for (name, more) in [("public", []), ("secret", ["--include-passphrase"] + machine.archiveSecret)] {
      let page = machine.path("\(name).html")
      let printed = try run(kit, ["print", "--format", "html", "--output", page] + more)
      #expect(printed.status == 0, "\(printed.errors)")
      try expectOneSheet(
        kit, name, hasPassphrase: name == "secret", codes: [try checkpoint(kit), places(kit)])
    }
    try Chromium.run(
      machine, "public.html",
      ["--screenshot=\(machine.path("page.png"))", "--window-size=794,1123", "--force-device-scale-factor=2"])
    let codes: Set<String> = [try checkpoint(kit), places(kit)]
    #expect(try scan(kit, "page.png", for: codes) == codes)
    // For a person to look at.
    if let kept = Environment.get("FUEKI_KEEP_KIT") {
      for name in ["public.html", "secret.html", "page.png"] {
        _ = try BuiltBinary.run(program: "/bin/cp", [machine.path(name), kept])
      }
    }
  }

  @Test(
    .enabled(if: canPrint && Installed.runs("/usr/bin/age-keygen"), "this machine has no chromium or age"))
  func `much to say still is one sheet`() throws {
    let kit = try kit()
    let machine = kit.machine
    let recipients = try (1...4).map { number in
      let key = machine.path("age-\(number)")
      _ = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", key])
      let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", key])
      return shown.text.filter { !$0.isWhitespace } + "=history,profile"
    }
    let split = try machine.run(
      ["guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("sheets")])
    #expect(split.status == 0, "\(split.errors)")
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
    let made = try machine.run(["create"] + machine.secrets + kit.configuration)
    #expect(made.status == 3, "\(made.errors)")
    let printed = try run(
      kit,
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
      codes: [try checkpoint(kit), fitting + "\n"])
  }

  @Test func `a passphrase is put on the page only once it has opened the archive`() throws {
    let kit = try kit()
    let machine = kit.machine
    let page = machine.path("kit.html")
    let print = ["print", "--format", "html", "--include-passphrase"]
    #expect(try run(kit, print + machine.archiveSecret).status == 64)
    try machine.write("not the passphrase", to: "wrong")
    let wrong = try run(kit, print + ["--output", page, "--passphrase-file", machine.path("wrong")])
    #expect(wrong.status == 12 && !machine.exists("kit.html"))
    for format in ["html", "text"] {
      let run = try run(
        kit, print + ["--format", format, "--output", page, "--json"] + machine.archiveSecret)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("warning: \(page) holds the passphrase"))
      #expect(!(run.text + run.errors).contains(Machine.passphrase))
      #expect(try run.json()["includes_passphrase"] == .bool(true))
      let text = try read(machine, "kit.html")
      #expect(text.split(separator: Machine.passphrase, omittingEmptySubsequences: false).count == 2)
      #expect(text.contains("THIS PAGE OPENS THE BACKUPS"))
      #expect(try Directory.open(machine.root).status(of: "kit.html").permissions & 0o777 == 0o600)
    }
  }

  @Test func `a passphrase with marks of HTML stays what it is`() throws {
    let machine = try Machine()
    let passphrase = "a  <b>&amp; \"q\" 'é' canary"
    try machine.write(passphrase, to: "passphrase")
    try Directory.makePrivateDirectories(machine.path("other"))
    let made = try machine.run(["create", "--target", machine.path("other")] + machine.secrets)
    #expect(made.status == 0, "\(made.errors)")
    let run = try machine.run(
      ["kit", "print", "--format", "html", "--target", machine.path("other"), "--include-passphrase"]
        + ["--output", machine.path("kit.html")] + machine.archiveSecret)
    #expect(run.status == 0, "\(run.errors)")
    #expect(
      try read(machine, "kit.html").contains(
        "<code>a  &lt;b&gt;&amp;amp; &quot;q&quot; &apos;é&apos; canary</code>"))
  }

  @Test func `the paper is compared with what there is`() throws {
    let kit = try kit()
    let machine = kit.machine
    var answers = [
      "--vault-digits": String(kit.vault.suffix(8)), "--signer-digits": kit.signer, "--archive-number": "2",
      "--archive-digits": String(kit.digest.suffix(8)),
    ]
    func test(_ more: [String]? = nil) throws -> RunResult {
      try run(kit, ["test"] + answers.flatMap { [$0.key, $0.value] } + (more ?? machine.archiveSecret))
    }
    let right = try test()
    #expect(right.status == 0, "\(right.text) \(right.errors)")
    #expect(right.text.contains("secret: right: it opens slot 1 (paper <1>)"))
    let status = try machine.run(["status", "--json"] + kit.configuration).json()
    #expect(status["targets"]?[0]?["vaults"]?[0]?["kit"]?.text?.hasPrefix("20") == true)
    let untried = try test([])
    #expect(untried.status == 3 && untried.text.contains("secret: NOT TRIED"))
    try machine.write("not the passphrase", to: "wrong")
    let wrong = try test(["--passphrase-file", machine.path("wrong")])
    #expect(wrong.status == 60 && wrong.text.contains("secret: WRONG"))
    let typed = answers
    for (option, value, sentence) in [
      ("--vault-digits", "0000 0000", "vault: WRONG"), ("--vault-digits", "0", "vault: WRONG"),
      ("--signer-digits", "none", "signer: WRONG"), ("--signer-digits", "0123 4567", "signer: WRONG"),
      ("--archive-number", "9", "newest archive: WRONG: the paper knows archive 9"),
      ("--archive-number", "1", "newest archive: WRONG"),
      ("--archive-digits", "0123 4567", "newest archive: WRONG"),
    ] {
      answers = typed
      answers[option] = value
      let run = try test()
      #expect(run.status == 60 && run.text.contains(sentence), "\(option) \(run.text)")
    }
    // The same typed as the paper has it, and after another archive; then the old one is gone.
    answers = typed
    answers["--vault-digits"] = "\(kit.vault.suffix(8).prefix(4).uppercased()) \(kit.vault.suffix(4))"
    #expect(try machine.run(["create"] + machine.secrets + kit.configuration).status == 0)
    let later = try test()
    #expect(later.status == 0 && later.text.contains("1 newer since the page was printed"), "\(later.text)")
    for folder in ["target", "a <b> & \"c\" folder"] {
      for name in try machine.names(in: folder) where name.contains("-000002-") {
        try machine.remove("\(folder)/\(name)")
      }
    }
    let gone = try test()
    #expect(gone.status == 0 && gone.text.contains("newest archive: cannot be compared"), "\(gone.text)")
    #expect(try run(kit, ["test"]).status == 64)
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `archives on a remote have a kit too`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let made = try remote.create(["--json"])
    #expect(made.status == 0, "\(made.errors)")
    let printed = try remote.run(["kit", "print", "--target", remote.target])
    #expect(printed.status == 0 && printed.text.contains("rclone     \(remote.target)"), "\(printed.errors)")
    let facts = try remote.run(["kit", "print", "--json", "--target", remote.target]).json()
    let answers = [
      "--vault-digits", try #require(facts["vault"]?.text), "--signer-digits", "none", "--archive-number",
      "2",
      "--archive-digits", try #require(facts["archive"]?["id"]?.text),
    ]
    let test = try remote.run(["kit", "test", "--target", remote.target] + answers + machine.archiveSecret)
    #expect(test.status == 0, "\(test.text) \(test.errors)")
    let status = try remote.run(["status", "--target", remote.target, "--json"]).json()
    #expect(status["targets"]?[0]?["vaults"]?[0]?["kit"]?.text?.hasPrefix("20") == true)
  }

  @Test func `a disk that is not there does not keep the page from being made`() throws {
    let kit = try kit()
    try kit.machine.remove("a <b> & \"c\" folder")
    let run = try run(kit, ["print"])
    #expect(run.status == 0 && run.errors.contains("was not looked at"))
    #expect(run.text.contains("folder"))
    // What this machine knows to be old is not printed as the newest.
    let archives = try kit.machine.archives()
    try kit.machine.remove(try #require(archives.last { $0.contains("-000002-") }))
    #expect(try self.run(kit, ["print"]).status == 24)
    #expect(try kit.machine.run(["kit", "print", "--target", kit.machine.path("home")]).status == 10)
  }
}

/// Debian's browser, which prints as a person's does.
enum Chromium {
  private static let program = "/usr/bin/chromium"

  static let isThere = Installed.runs(program, ["--version"])

  static func run(_ machine: Machine, _ page: String, _ arguments: [String]) throws {
    let run = try BuiltBinary.run(
      program: program,
      ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--disable-dev-shm-usage"]
        + ["--user-data-dir=\(machine.path("tmp/browser"))"] + arguments + ["file://\(machine.path(page))"],
      environment: ["HOME": machine.path("home"), "TMPDIR": machine.path("tmp")], timeout: 240)
    try #require(run.status == 0, "\(run.errors)")
  }
}
