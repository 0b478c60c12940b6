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
    let run = try machine.run(
      ["status", "--target", machine.target, "--html", machine.path("page.html"), "--keep-daily", "7"])
    #expect(run.status == 0, "\(run.errors)")
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
}
