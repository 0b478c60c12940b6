import FuekiSystem
import TestSupport
import Testing

/// `create --full`, `create --differential` and `full_every`, and what other commands make of their archives.
struct DifferentialTests {
  private func machine() throws -> Machine {
    let machine = try Machine()
    try machine.enlargeHistory()
    return machine
  }

  private func document(_ run: RunResult) throws -> JSONValue {
    #expect(run.status == 0, "\(run.errors)")
    return try run.json()
  }

  @Test func `what differs from the last full archive is written, and nothing of the rest`() throws {
    let machine = try machine()
    let plain = try document(machine.create(["--json"]))
    #expect(plain["differential"] == .bool(false) && plain["full_reason"] == nil && plain["base"] == nil)
    let none = try machine.create(["--differential"])
    #expect(none.status == 1 && none.errors.contains("no full archive yet"), "\(none.errors)")
    let full = try document(machine.create(["--full", "--json"]))
    #expect(full["full_reason"] == .string("asked") && full["differential"] == .bool(false))
    try machine.change(
      """
      DELETE FROM messages WHERE row_id = (SELECT max(row_id) FROM messages);
      UPDATE messages SET text = 'another text' WHERE row_id = (SELECT min(row_id) FROM messages);
      INSERT INTO messages (thread_row, id, text) SELECT min(row_id), x'0401020304', 'new' FROM threads;
      """)
    let made = try document(machine.create(["--differential", "--json"]))
    #expect(made["differential"] == .bool(true) && made["base"]?["id"] == full["id"])
    #expect(made["base"]?["sequence"] == full["sequence"] && made["sections"] == full["sections"])
    let (small, large) = (made["bytes"]?.number ?? .infinity, full["bytes"]?.number ?? 0)
    #expect(small * 4 <= large, "\(small) of \(large) bytes")
    #expect(try machine.create(["--full", "--differential"]).status == 64)
    let text = try machine.create(["--differential"])
    #expect(text.text.contains("a restore needs both"))
    // Another passphrase requires a full archive.
    try machine.write("quite another passphrase, and a long one", to: "passphrase")
    let other = try machine.create(["--differential", "--accept=new-passphrase"])
    #expect(
      other.status == 1 && other.errors.contains("does not open with the same secrets"), "\(other.errors)")
  }

  @Test func `the configuration says how often an archive holds everything`() throws {
    let machine = try machine()
    let path = machine.path("config.toml")
    try machine.write("[[vault]]\nfull_every = \"30d\"\n", to: "config.toml")
    let first = try document(machine.create(["--config", path, "--json"]))
    #expect(first["full_reason"] == .string("no-table"))
    let second = try document(machine.create(["--config", path, "--json"]))
    #expect(second["differential"] == .bool(true) && second["full_reason"] == nil)
    // The next night nothing differs.
    #expect(
      try document(machine.create(["--config", path, "--json", "--on-change"]))["sequence"] == .number(4))
    let same = try document(machine.create(["--config", path, "--json", "--on-change"]))
    #expect(same["unchanged"] == .bool(true))
    for wrong in ["soon", "0d"] {
      try machine.write("[[vault]]\nfull_every = \"\(wrong)\"\n", to: "config.toml")
      let check = try machine.run(["config", "validate", "--config", path])
      #expect(check.status == 64 && check.errors.contains("is not a duration"), "\(wrong): \(check.errors)")
    }
  }

  @Test func `a base that is gone is told, and kept by prune and named by the kit while it is there`() throws
  {
    let machine = try machine()
    let full = try document(machine.create(["--full", "--json"]))
    for _ in 0..<2 { _ = try document(machine.create(["--differential", "--json"])) }
    let kit = try machine.run(["kit", "print", "--target", machine.target])
    #expect(kit.status == 0 && kit.text.contains("its base"), "\(kit.errors)")
    let pruned = try machine.run(["prune", "--target", machine.target, "--keep-last", "1"])
    #expect(
      pruned.status == 0 && pruned.text.contains("a kept archive needs it"), "\(pruned.text)\(pruned.errors)")
    #expect(try machine.archives().count == 2)
    let well = try machine.run(["doctor", "-v", "--target", machine.target])
    #expect(well.text.contains("differential archives have their base"), "\(well.text)")
    let name = try #require(full["archive"]?.text?.split(separator: "/").last)
    try machine.remove("target/\(name)")
    let doctor = try machine.run(["doctor", "-v", "--target", machine.target])
    #expect(doctor.text.contains("lack their base"), "\(doctor.text)")
    try machine.write("[[vault]]\nfull_every = \"30d\"\n", to: "config.toml")
    let next = try machine.create(["--config", machine.path("config.toml"), "--json"])
    #expect(try document(next)["full_reason"] == .string("base-missing"))
    #expect(next.errors.contains("does not have the last full archive"), "\(next.errors)")
  }

  @Test func `what is sealed for the long term is both files, and unknown where one is not here`() throws {
    let machine = try machine()
    let full = try document(machine.create(["--full", "--json"]))
    let made = try document(machine.create(["--differential", "--json"]))["long_term"]
    #expect(made?["sealed"] == .bool(true) && made?["base_weak_slots"]?.elements.isEmpty == true)
    func says(_ sentence: String, _ doctor: String, _ note: Comment) throws {
      let shown = try machine.run(["show", machine.path(#require(machine.archives().last))])
      #expect(shown.text.contains("\nsealed for the long term: \(sentence)"), "\(note) \(shown.text)")
      let checked = try machine.run(["doctor", "-v", "--target", machine.target])
      #expect(checked.text.contains(doctor), "\(note) \(checked.text)")
    }
    try says("yes\n", "ok: long-term \(machine.target): the newest archive and its base", "both")
    let kit = ["kit", "print", "--target", machine.target]
    #expect(try machine.run(kit).text.contains("(ALSO AGAINST QUANTUM COMPUTERS: YES)"))
    let name = try #require(full["archive"]?.text?.split(separator: "/").last)
    try machine.remove("target/\(name)")
    let unknown = "its base is not here: archive "
    try says("unknown: \(unknown)", "is sealed for the long term: \(unknown)", "no base")
    let newest = try machine.path(#require(machine.archives().last))
    let json = try document(machine.run(["show", newest, "--json"]))["header"]?["long_term"]
    #expect(json?["sealed"] == .bool(false) && json?["unknown"]?.text?.contains(unknown) == true)
    #expect(json?["base_weak_slots"] == nil)
    let page = try machine.run(["kit", "print", newest, "--target", machine.target])
    #expect(page.text.contains("UNKNOWN OF ITS BASE") && page.text.contains("NOT HERE"), "\(page.text)")
    #expect(page.errors.contains("its base is not here"), "\(page.errors)")
    // Both have a slot that undoes it.
    let recipient = "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"
    _ = try document(machine.create(["--full", "--recipient", recipient, "--json"]))
    let weak = try document(machine.create(["--differential", "--recipient", recipient, "--json"]))[
      "long_term"]
    #expect(weak?["base_weak_slots"]?[0] == .number(2) && weak?["weak_slots"]?[0] == .number(2))
    let reason = "slot 2 is not; slot 2 of its base is not"
    try says("no: \(reason)\n", "the newest archive is not sealed for the long term: \(reason)", "weak")
  }
}

extension Machine {
  /// Adds so much to the history that what differs later is little of it.
  func enlargeHistory() throws {
    try change(
      """
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 150)
      INSERT INTO messages (thread_row, id, author_id, text, created_at)
      SELECT (SELECT min(row_id) FROM threads), CAST(x'04' || randomblob(16) AS BLOB),
        (SELECT id FROM users LIMIT 1), hex(randomblob(16000)), 1700000000000000 + i FROM n
      """)
  }

  /// Runs a statement on the store.
  fileprivate func change(_ statement: String) throws {
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let run = try BuiltBinary.run(
      program: "/usr/bin/python3", ["-c", script, "\(data)/wallet.sqlite", statement])
    #expect(run.status == 0, "\(run.errors)")
  }
}
