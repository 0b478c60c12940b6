import FuekiSystem
import TestSupport
import Testing

/// The recovery kit: what the page says, and what it does not.
struct KitTests {
  @Test func `the page says what a stranger needs, and no secret`() throws {
    let kit = try PrintedKit()
    let text = try kit.run(["print", "--source", "https://example.org/fueki-backup"]).expect(0)
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
    let html = try kit.run(["print", "--format", "html"]).expect(0)
    #expect(
      html.text.contains("family &lt;wallet&gt;")
        && html.text.contains("a &lt;b&gt; &amp; &quot;c&quot; folder"))
    #expect(!html.text.contains("<b> &") && !html.text.contains("<script"))
    for reference in ["src=", "href=", "url(", "@import", "http://"] {
      let others = html.text.replacing("http://www.w3.org/2000/svg", with: "")
      #expect(!others.contains(reference), "\(reference)")
    }
    for text in [text.text, html.text] { #expect(!text.contains(Machine.passphrase)) }
    let json = try kit.run(["print", "--json"]).json()
    #expect(json["vault"]?.text == kit.vault && json["signer"]?.text == kit.signer)
    #expect(json["archive"]?["id"]?.text == kit.digest && json["slots"]?[0]?["name"]?.text == "paper <1>")
    #expect(json["targets"]?.elements.count == 2 && json["includes_passphrase"] == .bool(false))
  }

  @Test func `with a base's line it is one page still`() throws {
    let kit = try PrintedKit()
    try kit.machine.enlargeHistory()
    for kind in ["--full", "--differential"] {
      try kit.machine.run(["create", kind] + kit.machine.secrets + kit.configuration, status: 0)
    }
    let json = try kit.run(["print", "--json"]).json()
    let base = try #require(json["archive"]?["base"])
    #expect(base["at_hand"] == .bool(true) && json["long_term"]?["sealed"] == .bool(true))
    let id = try #require(base["id"]?.text).prefix(12)
    func expectOnePage(_ places: [String], _ more: [String] = []) throws {
      try kit.machine.write(PrintedKit.configuration(of: places), to: "config.toml")
      let run = try kit.run(["print"] + more)
      #expect(run.status == 0 && !run.errors.contains("two pages"), "\(run.errors)")
      let page = try #require(run.text.split(separator: "\u{0C}").first)
      let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
      #expect(lines.contains { $0.contains("its base") && $0.hasSuffix("\(id): keep both files") }, "\(page)")
      #expect(lines.allSatisfy { $0.count <= 80 } && lines.count <= 66, "\(lines.count)\n\(page)")
      for name in ["fueki-archive(5)", "XChaCha20-Poly1305", "SLIP-39", "reader.py"] {
        #expect(page.contains(name), "\(name)")
      }
      // However long a path is, its beginning and its end are there.
      let letters = page.filter { !$0.isWhitespace }
      for place in places.prefix(3) {
        let path = kit.machine.path(place)
        for part in [path.prefix(20), path.suffix(20)] {
          #expect(letters.contains(part.filter { !$0.isWhitespace }), "\(part)\n\(page)")
        }
      }
    }
    try expectOnePage(["target", "other"])
    let fill = max(1, 160 - kit.machine.root.utf8.count)
    let words = String(repeating: "of a cloud ", count: fill / 11 + 1) + "folder"
    let deep = String(repeating: "deep/folders/", count: fill / 13 + 1) + "folder"
    for long in [String(repeating: "l", count: fill), deep, words] {
      for count in [1, 2, 5] { try expectOnePage(["target"] + (1...count).map { "\(long)-\($0)" }) }
    }
    try expectOnePage(
      ["target", deep], ["--source", "https://example.org/" + String(repeating: "path/", count: 16)])
  }

  @Test func `the commands on the page are this program's`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    try machine.write(try kit.checkpoint(), to: "code-1")
    let html = try kit.run(["print", "--format", "html"]).text
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
    try machine.run(["verify", machine.target, "--known", known], status: 0)
    #expect(try kit.run(["print", "--json"]).json()["checkpoint"] == nil)
  }

  @Test func `a passphrase is put on the page only once it has opened the archive`() throws {
    let kit = try PrintedKit()
    let machine = kit.machine
    let page = machine.path("kit.html")
    let print = ["print", "--include-passphrase"]
    let html = print + ["--format", "html"]
    #expect(try kit.run(html + machine.archiveSecret).status == 64)
    try machine.write("not the passphrase", to: "wrong")
    let wrong = try kit.run(html + ["--output", page, "-p", machine.path("wrong")])
    #expect(wrong.status == 12 && !machine.exists("kit.html"))
    for format in ["html", "text"] {
      let run = try kit.run(
        print + ["--format", format, "--output", page, "--json"] + machine.archiveSecret)
      #expect(run.status == 0, "\(run.errors)")
      #expect(run.errors.contains("warning: \(page) holds the passphrase"))
      #expect(!(run.text + run.errors).contains(Machine.passphrase))
      #expect(try run.json()["includes_passphrase"] == .bool(true))
      let text = try machine.text(of: "kit.html")
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
    try machine.run(["create", "--target", machine.path("other")] + machine.secrets, status: 0)
    try machine.run(
      ["kit", "print", "--format", "html", "--target", machine.path("other"), "--include-passphrase"]
        + ["--output", machine.path("kit.html")] + machine.archiveSecret, status: 0)
    #expect(
      try machine.text(of: "kit.html").contains(
        "<code>a  &lt;b&gt;&amp;amp; &quot;q&quot; &apos;é&apos; canary</code>"))
  }

  @Test func `a disk that is not there does not keep the page from being made`() throws {
    let kit = try PrintedKit()
    try kit.machine.remove("a <b> & \"c\" folder")
    let run = try kit.run(["print"])
    #expect(run.status == 0 && run.errors.contains("could not be checked"))
    #expect(run.text.contains("folder"))
    // An archive that this machine knows to be old is not printed as the newest.
    let archives = try kit.machine.archives()
    try kit.machine.remove(try #require(archives.last { $0.contains("-000002-") }))
    #expect(try kit.run(["print"]).status == 24)
    #expect(try kit.machine.run(["kit", "print", "--target", kit.machine.path("home")]).status == 10)
  }
}
