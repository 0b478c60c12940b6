import FuekiSystem
import TestSupport
import Testing

/// What a machine remembers of the last archive's contents.
struct ContentsTests {
  private func change(_ machine: Machine, _ statement: String) throws {
    let run = try BuiltBinary.run(
      program: "/usr/bin/python3",
      [
        "-c",
        "import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute('PRAGMA foreign_keys = ON'); d.execute(sys.argv[2]); d.commit()",
        "\(machine.data)/wallet.sqlite", statement,
      ])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test(arguments: [
    "DELETE FROM contacts", "DELETE FROM transactions WHERE rowid % 5 <> 0", "DELETE FROM transactions",
  ])
  func `an archive that has lost much is not made unless that is accepted`(_ statement: String) throws {
    let machine = try Machine()
    try change(machine, statement)
    let before = try machine.snapshot(of: "target")
    let run = try machine.create(["--json"])
    #expect(run.status == 60, "\(run.errors)")
    let message = try run.json()["message"]?.text ?? ""
    #expect(message.contains(statement.contains("contacts") ? "contacts has 0 of" : "transactions has "))
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try machine.create(["--exclude", "contacts,transactions,receipts"]).status == 0)
    // That some were not asked for is not forgotten to be a loss.
    #expect(try machine.create().status == 60)
    #expect(try machine.create(["--accept-loss"]).status == 0)
    #expect(try machine.create().status == 0)
  }

  @Test func `a few records less are no loss`() throws {
    let machine = try Machine()
    try change(machine, "DELETE FROM transactions WHERE rowid % 5 = 0")
    #expect(try machine.create().status == 0)
  }

  @Test func `a change of keys forgets nothing that an archive of a part does not have`() throws {
    let machine = try Machine()
    #expect(try machine.create(["--only", "contacts"]).status == 0)
    try machine.write("another passphrase, and a long one", to: "new")
    let changed = try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--new-passphrase-file", machine.path("new")]
        + machine.archiveSecret + Machine.quick)
    #expect(changed.status == 0, "\(changed.errors)")
    try change(machine, "DELETE FROM transactions")
    #expect(try machine.create().status == 60)
  }

  @Test func `on change, an archive is made only where something differs`() throws {
    let machine = try Machine()
    func make(_ more: [String] = []) throws -> JSONValue {
      let run = try machine.create(["--on-change", "--json"] + more)
      #expect(run.status == 0, "\(run.errors)")
      return try run.json()
    }
    #expect(try make()["sequence"] == .number(2))
    let again = try make()
    #expect(again["unchanged"] == .bool(true) && again["sequence"] == .number(2))
    #expect(try machine.create(["--on-change"]).text.contains("nothing changed"))
    #expect(try machine.archives().count == 2)
    try change(machine, "DELETE FROM contacts WHERE rowid = (SELECT min(rowid) FROM contacts)")
    #expect(try make()["sequence"] == .number(3))
    #expect(try make()["unchanged"] == .bool(true))
    #expect(try make(["--label", "other"])["sequence"] == .number(4))
    // A target that lacks the archive gets one.
    let newest = try #require(
      machine.archives().max { $0.split(separator: "-")[2] < $1.split(separator: "-")[2] })
    try machine.remove(newest)
    #expect(try make(["--label", "other"])["sequence"] == .number(5))
  }
}
