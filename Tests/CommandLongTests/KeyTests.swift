import TestSupport
import Testing

/// Recipients, key files, and changes of what opens an archive, by the program.
struct KeyTests {
  /// A key pair that age's own tool made.
  private func ageKey(_ machine: Machine, _ name: String) throws -> String {
    try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", machine.path(name)]).expect(0)
    let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", machine.path(name)])
    return shown.text.filter { !$0.isWhitespace }
  }

  private func create(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(
      ["create", "--target", machine.target] + machine.keychainSecret + Machine.quick + more)
  }

  private func newest(_ machine: Machine) throws -> String {
    machine.path(try #require(machine.archives().last))
  }

  @Test func `a machine without any secret of its archives makes an archive for age's identity`() throws {
    let machine = try Machine()
    let recipient = try ageKey(machine, "identity")
    #expect(try create(machine, ["--recipient", recipient]).status == 0)
    let archive = try newest(machine)
    let shown = try machine.run(["key", "list", archive, "--json"]).json()
    #expect(shown["slots"]?.elements.map { $0["type"] } == [.string("x25519")])
    #expect(try machine.run(["verify", archive]).status == 0)
    let contents = ["verify", archive, "--depth", "contents"]
    #expect(try machine.run(contents + ["--identity", machine.path("identity")]).status == 0)
    #expect(try machine.run(contents + machine.archiveSecret).status == 12)
    try machine.run(
      ["restore", archive, "--datadir", machine.path("restored"), "--identity", machine.path("identity")]
        + machine.keychainSecret + Machine.quick, status: 0)
  }

  @Test func `an accountant reads the history and nothing else`() throws {
    let machine = try Machine()
    let accountant = try ageKey(machine, "accountant")
    let owner = try ageKey(machine, "owner")
    try machine.write("# the family\n\n\(owner)\n", to: "recipients")
    let made = try create(
      machine,
      ["--recipient", "\(accountant)=history", "--recipients-file", machine.path("recipients")])
    #expect(made.status == 0, "\(made.errors)")
    let archive = try newest(machine)
    let shown = try machine.run(
      ["show", archive, "--json", "--identity", machine.path("accountant")]
    ).json()
    let names = shown["sections"]?.elements.compactMap { $0["name"]?.text } ?? []
    #expect(names.contains("transactions") && !names.contains("wallets") && !names.contains("key-shares"))
    #expect(shown["closed"]?.elements == [.string("profile"), .string("secrets")])
    try machine.run(
      ["export", archive, "--output", machine.path("out"), "--identity", machine.path("accountant")],
      status: 3)
    // Their key cannot change keys, and the program says why.
    let change = try machine.run(
      ["key", "add", archive, "--identity", machine.path("accountant"), "--recipient", accountant], status: 12
    )
    #expect(change.errors.contains("profile and secrets stay closed"))
    // An archive that only the accountant opens would be useless.
    try create(machine, ["--recipient", "\(accountant)=history"]).expect(64)
    #expect(try machine.archives().count == 2)
  }

  @Test func `a key file is needed beside the passphrase`() throws {
    let machine = try Machine()
    try machine.write([UInt8](repeating: 5, count: 32), to: "key")
    try machine.write([UInt8](repeating: 6, count: 32), to: "other")
    #expect(try create(machine, machine.archiveSecret + ["--key-file", machine.path("key")]).status == 0)
    let contents = ["verify", try newest(machine), "--depth", "contents"] + machine.archiveSecret
    #expect(try machine.run(contents + ["--key-file", machine.path("key")]).status == 0)
    #expect(try machine.run(contents + ["--key-file", machine.path("other")]).status == 12)
    #expect(try machine.run(contents).status == 12)
    try machine.write([UInt8](repeating: 5, count: 31), to: "short")
    #expect(try machine.run(contents + ["--key-file", machine.path("short")]).status == 12)
    try machine.write([UInt8](repeating: 5, count: 32), to: "open", permissions: 0o644)
    #expect(try machine.run(contents + ["--key-file", machine.path("open")]).status == 64)
  }

  @Test func `keys are added, removed and changed, and old copies keep the old ones`() throws {
    let machine = try Machine()
    let recipient = try ageKey(machine, "identity")
    try machine.write("another passphrase, and a long one", to: "new")
    let identity = ["--identity", machine.path("identity")]
    let first = try newest(machine)

    let added = try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--recipient", recipient] + machine.archiveSecret,
      status: 0)
    #expect(added.text.contains("old"))
    let second = try newest(machine)
    #expect(try machine.run(["verify", second, "--depth", "contents"] + identity).status == 0)

    // The recipient's slot stays closed to the passphrase, so its fate must be given.
    let change = ["key", "change-passphrase", second] + machine.archiveSecret
    let new = ["--new-passphrase-from", machine.place("new")] + Machine.quick
    #expect(try machine.run(change + new).status == 12)
    #expect(try machine.archives().count == 2)
    let changed = try machine.run(change + new + ["--keep", "2=\(recipient)", "--json"], status: 0)
    #expect(try changed.json()["sequence"] == .number(3))
    let third = try newest(machine)
    let contents = ["verify", third, "--depth", "contents"]
    #expect(try machine.run(contents + identity).status == 0)
    #expect(try machine.run(contents + ["-p", machine.path("new")]).status == 0)
    #expect(try machine.run(contents + machine.archiveSecret).status == 12)

    try machine.run(["key", "remove", third, "--slot", "1"] + identity, status: 0)
    let last = ["verify", try newest(machine), "--depth", "contents"]
    #expect(try machine.run(last + ["-p", machine.path("new")]).status == 12)
    #expect(try machine.run(last + identity).status == 0)
    // The first archive is as it was.
    #expect(try machine.run(["verify", first, "--depth", "contents"] + machine.archiveSecret).status == 0)
    #expect(try machine.run(["key", "remove", try newest(machine), "--slot", "1"] + identity).status == 64)
    // The next backup goes on from there.
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(5))
  }

  @Test func `what the next archives will open with is listed from the configuration`() throws {
    let machine = try Machine()
    let (owner, accountant) = (try ageKey(machine, "owner"), try ageKey(machine, "accountant"))
    let recipients = "recipients = [\"\(owner)\", \"\(accountant)=history\"]"
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\n[[vault]]\n\(recipients)\n", to: "config.toml")
    let configured = ["--config", machine.path("config.toml")]
    let slots = try machine.run(["key", "list", "--json"] + configured).json()["slots"]?.elements ?? []
    #expect(slots.map { $0["holder"] } == [.string(owner), .string(accountant)])
    #expect(slots.last?["opens"]?.elements == [.string("history")])
    #expect(try machine.run(["create"] + configured + machine.keychainSecret).status == 0)
    let made =
      try machine.run(["key", "list", try newest(machine), "--json"]).json()["slots"]?.elements ?? []
    #expect(made.map { $0["opens"] } == slots.map { $0["opens"] })
    #expect(try machine.run(["key", "list"]).text.hasPrefix("passphrase"))
  }

  @Test func `an older archive is not sealed anew`() throws {
    let machine = try Machine()
    let first = try newest(machine)
    #expect(try machine.create().status == 0)
    try machine.write("another passphrase, and a long one", to: "new")
    try machine.run(
      ["key", "add", first, "--new-passphrase-from", machine.place("new")] + machine.archiveSecret
        + Machine.quick, status: 24)
    #expect(try machine.archives().count == 2)
  }

  @Test(arguments: [
    "age1", "AGE-SECRET-KEY-1QQQQ", "ssh-ed25519 AAAA", "age1qqqq=history",
    "age1qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqq=all",
  ])
  func `what is no recipient is refused before anything is asked for`(_ text: String) throws {
    let machine = try Machine()
    try create(machine, ["--recipient", text]).expect(64)
    #expect(try machine.archives().count == 1)
  }
}

/// The configuration's names for an archive's slots.
struct SlotNameTests {
  private func machine(_ names: String) throws -> (Machine, configuration: [String]) {
    let machine = try Machine()
    try machine.write(
      "[[target]]\npath = \"target\"\n[[vault]]\nslot_names = \(names)\n", to: "config.toml")
    return (machine, ["--config", machine.path("config.toml")])
  }

  @Test func `slots are shown by their names`() throws {
    let (machine, configuration) = try machine("[\"paper\"]")
    let list = try machine.run(["key", "list", "latest"] + configuration)
    #expect(list.text.hasPrefix("slot 1 (paper)  passphrase"), "\(list.text) \(list.errors)")
    let json = try machine.run(["key", "list", "latest", "--json"] + configuration).json()
    #expect(json["slots"]?[0]?["name"]?.text == "paper")
    #expect(try machine.run(["key", "list"] + configuration).text.hasPrefix("passphrase (paper)  "))
    #expect(
      try machine.run(["show", "latest"] + configuration).text.contains("slot 1    passphrase (paper)"))
    try machine.write("wrong", to: "wrong")
    for command in [
      "show", "key list", "restore --datadir \(machine.path("new"))",
      "restore --dry-run --datadir \(machine.path("new"))", "verify --depth contents",
    ] {
      let run = try machine.run(
        command.split(separator: " ").map(String.init)
          + ["latest", "-p", machine.path("wrong")] + configuration)
      #expect(
        run.status == 12 && (run.text + run.errors).contains("hint: slot 1 is called \"paper\""),
        "\(command): \(run.text) \(run.errors)")
    }
  }

  @Test func `an archive of another time has no names`() throws {
    let (machine, configuration) = try machine("[\"paper\", \"safe\"]")
    #expect(try machine.run(["key", "list", "latest"] + configuration).text.hasPrefix("slot 1  passphrase"))
    #expect(
      try machine.run(["key", "list", "latest", "--json"] + configuration).json()["slots"]?[0]?["name"] == nil
    )
  }
}
