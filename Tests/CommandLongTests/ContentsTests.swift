import FuekiSystem
import TestSupport
import Testing

/// A machine's memory of the last archive's contents.
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

  private static let history = [
    "receipts", "unclaimed_receipts", "transactions", "message_citations", "messages", "thread_co_authors",
    "threads", "users", "credential_sharing", "id_token_sharing",
  ]

  private func emptyHistory(_ machine: Machine) throws {
    for table in Self.history { try change(machine, "DELETE FROM \(table)") }
  }

  @Test func `an archive with nothing left of a scope is not made unless that is accepted`() throws {
    let machine = try Machine()
    try emptyHistory(machine)
    let before = try machine.snapshot(of: "target")
    let run = try machine.create(["--json"], status: 60)
    let message = try run.json()["message"]?.text ?? ""
    #expect(message.contains("of the last archive in history and none now"), "\(message)")
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try machine.create(["--exclude", "history"]).status == 0)
    // That some were not asked for is not forgotten to be a loss.
    #expect(try machine.create().status == 60)
    #expect(try machine.create(["--accept=loss"]).status == 0)
    #expect(try machine.create().status == 0)
  }

  @Test(arguments: ["DELETE FROM contacts", "DELETE FROM transactions WHERE rowid % 5 <> 0"])
  func `however many records of a section are gone, the archive is made`(_ statement: String) throws {
    let machine = try Machine()
    try change(machine, statement)
    try machine.create(status: 0)
  }

  @Test func `a change of keys forgets nothing that an archive of a part does not have`() throws {
    let machine = try Machine()
    #expect(try machine.create(["--only", "contacts"]).status == 0)
    try machine.write("another passphrase, and a long one", to: "new")
    try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--new-passphrase-from", machine.place("new")]
        + machine.archiveSecret + Machine.quick, status: 0)
    try emptyHistory(machine)
    #expect(try machine.create().status == 60)
  }

  @Test func `on change, an archive is made only where something differs`() throws {
    let machine = try Machine()
    func make(_ more: [String] = []) throws -> JSONValue {
      let run = try machine.create(["--on-change", "--json"] + more, status: 0)
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

  @Test func `on change, who opens the archive counts, by what the files say`() throws {
    let machine = try Machine()
    let split = ["guardians", "split", "--threshold", "2", "--count", "3"]
    for name in ["one", "two"] {
      #expect(try machine.run(split + ["--output", machine.path(name)]).status == 0)
    }
    func take(_ name: String) throws -> String {
      let file = try machine.text("\(name)/guardians.txt")
      try machine.write(file, to: "guardians")
      let key = try #require(file.split(whereSeparator: \.isWhitespace).first { $0.hasPrefix("age1") })
      return String(key)
    }
    func sequence(_ options: [String]) throws -> JSONValue? {
      let run = try machine.create(["--on-change", "--json"] + options, status: 0)
      return try run.json()["sequence"]
    }
    let recipients = ["--recipients-file", machine.path("recipients")]
    try machine.write(take("one"), to: "recipients")
    #expect(try sequence(recipients) == .number(2))
    #expect(try sequence(recipients) == .number(2))
    try machine.write("# another\n" + take("two"), to: "recipients")
    #expect(try sequence(recipients) == .number(3))
    // A comment opens nothing.
    try machine.write(take("two"), to: "recipients")
    #expect(try sequence(recipients) == .number(3))

    // The same where the configuration names the files.
    try machine.write("[[vault]]\nguardians = \"guardians\"\n", to: "config.toml")
    let configured = ["--config", machine.path("config.toml")]
    #expect(try sequence(configured) == .number(4))
    #expect(try sequence(configured) == .number(4))
    _ = try take("one")
    #expect(try sequence(configured) == .number(5))
  }

  @Test func `on change, a target that is away gets a word, and no second archive beside it`() throws {
    let machine = try Machine()
    let away = machine.path("away")
    try Directory.makePrivateDirectories(away)
    let options = ["--target", away, "--on-change", "--json"]
    #expect(try machine.create(options).status == 0)
    try machine.remove("away")
    let run = try machine.create(options, status: 3)
    let json = try run.json()
    #expect(json["unchanged"] == .bool(true) && json["failed_targets"] == .array([.string(away)]))
    let text = try machine.create(["--target", away, "--on-change"])
    #expect(text.status == 3 && text.errors.contains("\(away) could not be checked: target not found"))
    #expect(try machine.archives().count == 2)
  }

  @Test func `on change, what is missing is told each night`() throws {
    let machine = try Machine()
    try machine.write("{", to: "keys/broken")
    let options = ["--on-change", "--from", "store", "--from", "keystore:\(machine.path("keys"))"]
    #expect(try machine.create(options).status == 3)
    let run = try machine.create(options)
    #expect(run.status == 3 && run.text.contains("MISSING: broken"), "\(run.text) \(run.errors)")
    #expect(run.text.contains("nothing changed"))
    let json = try machine.create(options + ["--json"]).json()
    #expect(json["unchanged"] == .bool(true))
    #expect(json["sources"]?.elements.contains { $0["complete"] == .bool(false) } == true)
    #expect(try machine.archives().count == 2)
  }

  @Test(.enabled(if: Fixtures.folder("tss-lib") != nil, "the fixtures are not here"))
  func `on change, shares that are not sound are told each night`() throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("shares"))
    for party in 0..<3 {
      var text = String(
        decoding: try Fixtures.file("tss-lib/keygen_data_\(party).json"), as: UTF8.self)
      if party == 1 {
        let place = try #require(text.firstRange(of: "\"Xi\": ")).upperBound
        text.replaceSubrange(place...place, with: text[place] == "1" ? "2" : "1")
      }
      try machine.write(text, to: "shares/keygen_data_\(party).json")
    }
    let options = ["create", "--from", "tss-lib:shares", "--target", machine.target, "--on-change"]
    for night in 1...2 {
      let run = try machine.run(options + machine.archiveSecret + Machine.quick)
      #expect(run.status == 60, "\(night): \(run.text) \(run.errors)")
      #expect(run.errors.contains("key shares (kept anyway)"))
    }
    #expect(try machine.archives().count == 1)
  }

  @Test func `on change, an archive of this machine's that its state has lost is gone on from`() throws {
    let machine = try Machine()
    #expect(try machine.create(["--on-change"]).status == 0)
    try machine.copy("state", to: "state-before")
    #expect(try machine.create().status == 0)
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    let run = try machine.create(["--on-change"])
    // Its signature says whose it is; a machine that was copied would have the same key.
    #expect(run.status == 3 && run.text.contains("number 4 of its vault"), "\(run.text) \(run.errors)")
  }

  @Test func `on change, a stranger's archive makes nothing new, and hides nothing`() throws {
    let machine = try Machine()
    #expect(try machine.create(["--on-change"]).status == 0)
    try machine.copy("state", to: "state-before")
    let passphrase = try machine.read("passphrase")
    try machine.write("the passphrase of a stranger, 38 bytes", to: "passphrase")
    #expect(try machine.create(["--unsigned", "--accept=new-passphrase"]).status == 0)
    try machine.write(passphrase, to: "passphrase")
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    let run = try machine.create(["--on-change"])
    #expect(run.status == 0 && run.text.contains("nothing changed"), "\(run.text) \(run.errors)")
  }

  @Test func `on change, a night on which nothing changed is no night without a backup`() throws {
    let machine = try Machine()
    #expect(try machine.create(["--on-change"]).status == 0)
    let status = ["status", "--target", machine.target, "--max-age", "2d"]
    // As if that had been long ago.
    let noted = try machine.text("state/activity.json")
    let old = noted.split(separator: "\n").map { line in
      line.contains("\"time\"") ? "\"time\" : 1700000000," : String(line)
    }
    try machine.write(old.joined(separator: "\n"), to: "state/activity.json")
    #expect(try machine.run(status).status == 60)
    #expect(try machine.create(["--on-change"]).text.contains("nothing changed"))
    try machine.run(status, status: 0)
  }
}
