import FuekiSystem
import TestSupport
import Testing

/// The page of `status` as a browser draws it.
struct StatusPrintTests {
  private static let canRead = Chromium.isThere && Installed.runs("/usr/bin/pdftotext", ["-v"])

  @Test(.enabled(if: canRead, "this machine has no chromium or poppler-utils"))
  func `at 400 pixels the words of the table of archives are whole`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    try machine.run(
      ["status", "--target", machine.target, "--html", machine.path("page.html"), "--keep-daily", "7"],
      status: 0)
    // A sheet that is as wide as a phone's screen.
    let page = try machine.text(of: "page.html").replacing(
      "@media print {", with: "@page { size: 400px 2000px; margin: 0; }\n@media print {")
    try machine.write(page, to: "narrow.html")
    try Chromium.run(
      machine, "narrow.html", ["--print-to-pdf=\(machine.path("page.pdf"))", "--no-pdf-header-footer"])
    let read = try BuiltBinary.run(program: "/usr/bin/pdftotext", ["-layout", machine.path("page.pdf"), "-"])
    let words = Set(read.text.split(whereSeparator: \.isWhitespace).map(String.init))
    for word in ["Number", "Made", "Size", "State", "rules", "complete", "KiB", "kept:"] {
      #expect(words.contains(word), "\(word): \(read.text)")
    }
  }

  /// Searches for two words, then sorts by the first column in both directions.
  private static let driver = """
    <script>addEventListener("load", () => {
      const find = document.getElementById("find"), lines = [];
      const note = () => lines.push([...document.querySelectorAll("#vaults tbody tr")]
        .filter(row => !row.hidden).map(row => row.cells[0].textContent.split(" ")[0]).join(" "));
      const search = text => { find.value = text; find.dispatchEvent(new Event("input")); note(); };
      search("ANN desk");
      lines.push(document.getElementById("found").textContent);
      search("");
      for (let turn = 0; turn < 2; turn++) { document.querySelector("#vaults thead button").click(); note(); }
      document.title = lines.join(" | ");
    });</script></body>
    """

  @Test(.enabled(if: Chromium.isThere, "this machine has no chromium"))
  func `the table of expected vaults is searched and sorted by the one script that the page allows`() throws {
    let machine = try Machine()
    let vaults = [("ann10", "Desk"), ("ann9", "Desk"), ("ann8", "Bob"), ("cat1", "Desk")]
    let list = vaults.enumerated().map { number, vault in
      let id = String(repeating: "a\(number)", count: 16)
      return "[[vault]]\nid = \"\(id)\"\nlabel = \"\(vault.0)\"\nowner = \"\(vault.1)\"\n"
    }
    try machine.write(list.joined(), to: "list.toml")
    try machine.run(
      ["status", "--target", machine.target, "--expected", machine.path("list.toml"), "--html"]
        + [machine.path("page.html")], status: 60)
    let shown = try Chromium.run(machine, "page.html", ["--dump-dom"])
    #expect(
      shown.text.contains("<th scope=\"col\"><button type=\"button\">Vault</button></th>"), "\(shown.text)")

    let page = try machine.text(of: "page.html")
    let planted = page.replacing("</body>", with: Self.driver)
    try machine.write(planted, to: "planted.html")
    let refused = try Chromium.run(machine, "planted.html", ["--dump-dom"])
    #expect(refused.text.contains("<title>Backups of "), "\(refused.text)")
    try machine.write(
      planted.replacing(/script-src 'sha256-[^']*'/, with: "script-src 'unsafe-inline'"), to: "driven.html")
    let driven = try Chromium.run(machine, "driven.html", ["--dump-dom"])
    let title = driven.text.firstMatch(of: /<title>(.*?)<\/title>/).map { String($0.output.1) }
    // The vault of the target itself is not in the list.
    #expect(
      title == "ann10 ann9 | 2 of 5 | ann10 ann8 ann9 cat1 wallet | ann8 ann9 ann10 cat1 wallet"
        + " | wallet cat1 ann10 ann9 ann8", "\(title ?? "none")")
  }
}
