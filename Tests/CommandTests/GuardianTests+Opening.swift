import FuekiSystem
import TestSupport
import Testing

/// Archives and identities that guardians open.
extension GuardianTests {
  @Test func `two of three open an archive, and one says how many more are needed`() throws {
    let machine = try Machine()
    #expect(try split(machine, 2, of: 3).status == 0)
    try machine.run(
      ["create", "--target", machine.target, "--guardians", machine.path("guardians/guardians.txt")]
        + machine.keychainSecret + Machine.quick, status: 0)
    let archive = machine.path(try #require(machine.archives().last))
    let sheets = [3, 1].map { machine.path("guardians/guardian-\($0).txt") }
    try machine.run(
      ["restore", archive, "--datadir", machine.path("restored")] + machine.keychainSecret + Machine.quick
        + ["--guardian-shares"] + sheets, status: 0)
    let contents = ["verify", archive, "--depth", "contents"]
    try machine.run(contents + ["--guardian-shares", sheets[0]], status: 12)
    try machine.run(contents + ["--guardian-shares", sheets[0], sheets[0]], status: 12)
  }

  @Test func `guardians stay until they are removed`() throws {
    let machine = try Machine()
    #expect(try split(machine, 2, of: 3).status == 0)
    let file = machine.path("guardians/guardians.txt")
    func slots() throws -> [String] {
      let newest = machine.path(try #require(machine.archives().last))
      let list = try machine.run(["key", "list", newest, "--json"]).json()
      return list["slots"]?.elements.compactMap { $0["type"]?.text } ?? []
    }
    #expect(try machine.create(["--guardians", file]).status == 0)
    #expect(try slots() == ["passphrase", "hybrid-guardians"])
    // No option, and no file: the machine remembers them, and the passphrase is asked for as before.
    try machine.remove("guardians")
    let next = try machine.create()
    #expect(
      next.status == 0 && next.text.contains("2 of 3 guardians can open it"), "\(next.text)\(next.errors)")
    #expect(try slots() == ["passphrase", "hybrid-guardians"])
    let planned = try machine.run(["key", "list"]).text
    #expect(planned.contains("2 of 3 guardians (as in the last archive)"), "\(planned)")
    #expect(planned.contains("passphrase  asked for"), "\(planned)")
    // Removed.
    try machine.create(["--guardians", "none"], status: 0)
    #expect(try slots() == ["passphrase"])
    #expect(try machine.create().status == 0)
    #expect(try slots() == ["passphrase"])
  }

  @Test func `guardians who are unknown to a machine are missed by name`() throws {
    let machine = try Machine()
    #expect(try split(machine, 2, of: 3).status == 0)
    let file = machine.path("guardians/guardians.txt")
    #expect(try machine.create(["--guardians", file]).status == 0)
    // As after a restore: the state knows the archive, and not its guardians.
    for name in try machine.names(in: "state") where name.hasPrefix("vault-") {
      let text = try machine.text("state/\(name)")
      let lines = text.split(separator: "\n").filter { !$0.contains("\"guardians\"") }
      try machine.write(lines.joined(separator: "\n"), to: "state/\(name)")
    }
    let missed = try machine.create(status: 3)
    #expect(missed.errors.contains("opens with 2 of 3 guardians, and this one does not"), "\(missed.errors)")
    let again = try machine.create(["--guardians", file])
    #expect(again.status == 0 && !again.errors.contains("guardians, and this one"), "\(again.errors)")
  }

  @Test func `a share for an archive without guardians is answered with what opens it`() throws {
    let machine = try Machine()
    #expect(try split(machine, 2, of: 2).status == 0)
    let sheets = [1, 2].map { machine.path("guardians/guardian-\($0).txt") }
    let run = try machine.run(
      ["restore", machine.path(machine.archives()[0]), "--datadir", machine.path("restored")]
        + machine.keychainSecret + Machine.quick + ["--guardian-shares"] + sheets)
    #expect(run.status == 12 && run.errors.contains("hint: it opens with a passphrase."), "\(run.errors)")
  }

  @Test func `combine writes an identity that only its owner can read, once`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 3, ["--vault-id", Self.vault]).status == 0)
    let combine = { (names: [String]) in
      try machine.run(
        ["guardians", "combine"] + names.map { machine.path("guardians/guardian-\($0).txt") }
          + ["--guardians", machine.path("guardians/guardians.txt"), "--output", machine.path("identity")])
    }
    let few = try combine(["2"])
    #expect(few.status == 12 && few.errors.contains("1 of 2 shares are here: 1 more is needed"))
    let doubled = try combine(["2", "2"])
    #expect(doubled.status == 12 && doubled.errors.contains("same guardian"))
    #expect(!machine.exists("identity"))
    #expect(try combine(["3", "1"]).status == 0)
    #expect(try File.open(machine.path("identity")).permissions() == 0o600)
    let identity = try machine.text("identity")
    #expect(identity.contains("\nAGE-SECRET-KEY-PQ-1") && !identity.contains("AGE-SECRET-KEY-1"))
    let recipient = try #require(
      try machine.text("guardians/guardians.txt").split(separator: " ").first { $0.hasPrefix("age1") })
    #expect(identity.hasPrefix("# public key: \(recipient)\n"))
    #expect(try combine(["1", "2"]).status == 40)
    #expect(try machine.text("identity") == identity)
  }

  @Test func `shares from pipes, too, are combined`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 3, ["--vault-id", Self.vault]).status == 0)
    let pipes = ["one", "two"].map(machine.path)
    let sheets = [1, 3].map { machine.path("guardians/guardian-\($0).txt") }
    let writes = zip(sheets, pipes).map { "(cat '\($0)'; echo) >'\($1)' & " }.joined()
    try machine.run(
      ["guardians", "combine"] + pipes + [
        "--guardians", machine.path("guardians/guardians.txt"), "--output", machine.path("identity"),
      ],
      through: ["/bin/sh", "-c", "mkfifo -m 600 '\(pipes[0])' '\(pipes[1])'; \(writes) exec \"$@\"", "sh"],
      status: 0)
    #expect(try machine.text("identity").contains("\nAGE-SECRET-KEY-PQ-1"))
  }

  @Test(.enabled(if: InstalledProgram.path("age") != nil, "no age on this machine"))
  func `age itself opens what was sealed to the guardians' key`() throws {
    let machine = try Machine(isPrepared: false)
    // Debian's age is older than hybrid keys.
    #expect(try split(machine, 2, of: 3, ["--vault-id", Self.vault, "--classical"]).status == 0)
    let recipient = try #require(
      try machine.text("guardians/guardians.txt").split(separator: " ").first { $0.hasPrefix("age1") })
    #expect(!recipient.hasPrefix("age1pq1"))
    let sheets = [1, 2].map { machine.path("guardians/guardian-\($0).txt") }
    let known = ["--guardians", machine.path("guardians/guardians.txt")]
    let combine = ["guardians", "combine"] + sheets + ["--output"]
    #expect(try machine.run(combine + [machine.path("identity")] + known).status == 0)
    // The words alone do not determine the kind of their key.
    #expect(try machine.run(combine + [machine.path("both")]).status == 0)
    let both = try machine.text("both").split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(both.count == 2 && both[0].hasPrefix("AGE-SECRET-KEY-PQ-1"))
    #expect(try machine.text("identity").split(separator: "\n").last == both[1])
    let age = try #require(InstalledProgram.path("age"))
    let sealed = try BuiltBinary.run(program: age, ["-r", String(recipient)], stdin: Array("hello".utf8))
    let opened = try BuiltBinary.run(
      program: age, ["-d", "-i", machine.path("identity")], stdin: sealed.output)
    #expect(opened.text == "hello")
  }
}
