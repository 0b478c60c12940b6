import TestSupport
import Testing

/// The output of `diff` for two archives, and for an archive and its wallet.
struct DiffTests {
  /// Changes the wallet as the wallet's own program would.
  private func change(_ machine: Machine) throws {
    let statements = """
      PRAGMA foreign_keys = ON;
      UPDATE contacts SET name = 'somebody else' WHERE row_id = 3;
      DELETE FROM transactions WHERE row_id = 7;
      INSERT INTO settings (key, value) VALUES ('diff.test', 'canary value of a setting');
      """
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let run = try BuiltBinary.run(
      program: "/usr/bin/python3", ["-c", script, "\(machine.data)/wallet.sqlite", statements])
    #expect(run.status == 0, "\(run.errors)")
  }

  private func expectTheChanges(_ json: JSONValue) throws {
    #expect(json["schema"] == .string("fueki.diff/1"))
    #expect(json["equal"] == .bool(false))
    let sections = try #require(json["sections"])
    #expect(sections["contacts"]?["changed"]?.elements.count == 1)
    #expect(sections["contacts"]?["added"] == .array([]))
    #expect(sections["transactions"]?["removed"]?.elements.count == 1)
    #expect(sections["transactions"]?["changed"] == .array([]))
    #expect(sections["settings"]?["added"] == .array([.string("diff.test")]))
    for name in ["wallets", "key-shares", "key-share-descriptors", "messages"] {
      #expect(
        sections[name] == .object(["added": .array([]), "removed": .array([]), "changed": .array([])]),
        "\(name)")
    }
  }

  @Test func `two archives of the same wallet do not differ, though each seals its shares anew`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let archives = try machine.archives().map { machine.path($0) }
    let run = try machine.run(["diff"] + archives + ["--exit-code"] + machine.archiveSecret, status: 0)
    #expect(run.text == "nothing differs\n")
    let json = try machine.run(["diff"] + archives + ["--json"] + machine.archiveSecret).json()
    #expect(json["equal"] == .bool(true))
    #expect(json["sections"]?.keys.contains("key-shares") == true)
    #expect(json["older"]?["sequence"] == .number(1) && json["newer"]?["sequence"] == .number(2))
  }

  @Test func `what was added, removed and changed is named, between archives and since one`() throws {
    let machine = try Machine()
    try change(machine)
    let live = ["diff", "latest", "--live", "--target", machine.target] + machine.secretsToRead
    try expectTheChanges(machine.run(live + ["--json"]).json())
    #expect(try machine.create().status == 0)
    let archives = try machine.archives().map { machine.path($0) }
    try expectTheChanges(machine.run(["diff"] + archives + ["--json"] + machine.archiveSecret).json())
    // The other way round what was added is what is gone.
    let back = try machine.run(["diff"] + archives.reversed() + ["--json"] + machine.archiveSecret).json()
    #expect(back["sections"]?["settings"]?["removed"] == .array([.string("diff.test")]))
    #expect(back["sections"]?["transactions"]?["added"]?.elements.count == 1)

    let text = try machine.run(["diff"] + archives + ["--exit-code"] + machine.archiveSecret, status: 60)
    #expect(text.text.contains("transactions: 1 removed\n  - "))
    #expect(text.text.contains("settings: 1 added\n  + diff.test\n"))
    #expect(!text.text.contains("canary"))
    try machine.run(live + ["--exit-code"], status: 0)
  }

  @Test func `only the sections that are asked for are compared`() throws {
    let machine = try Machine()
    try change(machine)
    let arguments =
      ["diff", "latest", "--live", "--target", machine.target, "--only", "profile", "--exclude", "contacts"]
      + machine.archiveSecret
    // Without secrets nothing asks for what opens the keychain.
    let json = try machine.run(arguments + ["--json"]).json()
    #expect(json["sections"]?.keys.contains("settings") == true)
    #expect(json["sections"]?["settings"]?["added"] == .array([.string("diff.test")]))
    #expect(json["sections"]?["key-share-descriptors"]?["removed"] == .array([]))
    #expect(json["sections"]?.keys.isDisjoint(with: ["contacts", "transactions", "key-shares"]) == true)
  }

  @Test(arguments: [["diff"], ["diff", "a"], ["diff", "a", "b", "--live"], ["diff", "a", "b", "c"]])
  func `a comparison has two sides`(_ arguments: [String]) throws {
    #expect(try Machine().run(arguments).status == 64)
  }
}
