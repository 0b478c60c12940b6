import TestSupport
import Testing

/// The page that `status --html` writes.
struct StatusPageTests {
  @Test func `it has each archive and what is wrong, no script, and nothing from elsewhere`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    try machine.run(
      ["status", "--target", machine.target, "--html", machine.path("page.html")], status: 0)
    let page = try machine.text("page.html")
    #expect(page.contains("All is well.") && page.contains("2 archives, from"))
    #expect(page.split(separator: "<circle").count == 3)
    for number in [1, 2] { #expect(page.contains("<th scope=\"row\">\(number)</th>")) }
    #expect(page.contains("Last drill") && page.contains("No rules were given"))
    // The archives' label, where the configuration has no name for the vault.
    #expect(page.contains("<h3>wallet <small>vault "))
    // A screen reader's way through the page.
    for landmark in ["<header>", "<main>", "<footer>", "aria-labelledby=\"target-1\"", "<caption>Archives"] {
      #expect(page.contains(landmark), "\(landmark)")
    }
    for forbidden in ["<script", "http://", "https://", "src=", "url(", "@import", Machine.passphrase] {
      #expect(!page.contains(forbidden), "\(forbidden)")
    }
    for part in [
      "name=\"viewport\"", "prefers-color-scheme: dark", "@media print", "aria-label", "lang=\"en\"",
    ] {
      #expect(page.contains(part), "\(part)")
    }
    // Its shape is a document's: every element that is opened is closed.
    let parsed = try BuiltBinary.run(
      program: "/usr/bin/python3",
      [
        "-c",
        """
        import sys, html.parser
        class Parser(html.parser.HTMLParser):
            stack = []
            def handle_starttag(self, tag, attrs):
                if tag != "meta": self.stack.append(tag)
            def handle_endtag(self, tag): assert self.stack.pop() == tag, tag
            def handle_startendtag(self, tag, attrs): pass
        parser = Parser(); parser.feed(open(sys.argv[1]).read()); assert not parser.stack
        """, machine.path("page.html"),
      ])
    #expect(parsed.status == 0, "\(parsed.errors)")
  }

  @Test func `it says of each wallet what its backup is worth, and which archives rules would keep`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "wallet")
    let sources = ["--from", "electrum:wallet", "--accept=synced-keys"]
    for _ in 1...2 {
      try machine.run(
        ["create", "--target", machine.target] + sources + machine.archiveSecret + Machine.quick, status: 0)
    }
    let status = ["status", "--target", machine.target]
    try machine.run(status + ["--html", machine.path("page.html"), "--keep-last", "1"], status: 0)
    let page = try machine.text("page.html")
    #expect(
      page.contains("electrum “wallet”") && page.contains("class=\"well\">whole and proved: "), "\(page)")
    #expect(page.contains("<td>kept: last, the newest</td>") && page.contains("<td>would be removed</td>"))
    #expect(try machine.archives().count == 2)
    #expect(try machine.run(status + ["--keep-last", "1"]).status == 64)
  }

  @Test func `a problem is said in words, and names are only text`() throws {
    let machine = try Machine()
    try machine.copy("target", to: "<b>disk")
    let archives = try machine.archives()
    for archive in archives { try machine.remove(archive) }
    try machine.run(
      [
        "status", "--target", machine.target, "--target", machine.path("<b>disk"), "--html",
        machine.path("page.html"),
      ], status: 60)
    let page = try machine.text("page.html")
    #expect(page.contains("Something needs you") && page.contains("<b>Problem:</b>"))
    #expect(page.contains("&lt;b&gt;disk") && !page.contains("/<b>disk"))
  }
}
