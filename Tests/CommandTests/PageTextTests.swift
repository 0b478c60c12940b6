import FuekiSystem
import TestSupport
import Testing

/// Pages for people: names in them come from files and archives, and cannot turn the reading direction.
struct PageTextTests {
  private static let marks: [Unicode.Scalar] = [
    "\u{202A}", "\u{202B}", "\u{202D}", "\u{202E}", "\u{2066}", "\u{2067}", "\u{2068}", "\u{200F}",
    "\u{061C}",
  ]

  @Test func `marks that turn the direction of text are spelt out on a page of the status`() throws {
    let machine = try Machine()
    let name = "disk" + Self.marks.map(String.init).joined(separator: "x")
    try Directory.makePrivateDirectories(machine.path(name))
    let run = try machine.run([
      "status", "--target", machine.path(name), "--html", machine.path("page.html"),
    ])
    #expect(run.status != 64, "\(run.errors)")
    let page = try machine.text("page.html")
    for mark in Self.marks {
      #expect(!page.unicodeScalars.contains(mark))
      #expect(page.contains("\\u{\(String(mark.value, radix: 16))}"), "\(String(mark.value, radix: 16))")
    }
  }

  @Test func `the page beside a held file spells them out, too`() throws {
    let machine = try Machine(isPrepared: false)
    let name = "keystore-m_12381_\u{202E}nosj"
    try Directory.makePrivateDirectories(machine.path("new-home"))
    try machine.write("{}", to: "home/keys/\(name)")
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys", "--from", "file:~/keys"]
        + machine.archiveSecret + Machine.quick, status: 0)
    try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret,
      environment: ["HOME": machine.path("new-home")], status: 0)
    let page = try machine.text("new-home/keys/\(name).fueki-hold.txt")
    #expect(!page.unicodeScalars.contains("\u{202E}") && page.contains("\\u{202e}"), "\(page)")
  }
}
