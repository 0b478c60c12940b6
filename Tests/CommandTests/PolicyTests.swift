import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// The administrator's policy of `[policy]`, and what it may not do without the owner.
struct PolicyTests {
  /// The public key of a pair whose private key no one has.
  private static let recipient = "age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p"

  /// A machine that follows the policy of the signer `admin`, with its usual target.
  private func machine(_ rules: String = "", number: Int = 1) throws -> Machine {
    let machine = try Machine()
    for name in ["admin", "other"] {
      let made = try machine.run([
        "key", "new-signer", "--no-passphrase", "--output", machine.path("\(name).key"),
      ])
      try #require(made.status == 0, "\(made.errors)")
    }
    let line = String(decoding: try machine.read("admin.pub"), as: UTF8.self)
    let key = try #require(line.split(separator: " ").dropFirst().first)
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n"
        + "[policy]\nfile = \"\(machine.path("policy.toml"))\"\nsigners = [\"\(key)\"]\n", to: "config.toml")
    try issue(rules, number: number, to: machine)
    return machine
  }

  private func issue(
    _ rules: String, number: Int, signedBy key: String = "admin", to machine: Machine
  ) throws {
    try machine.write(
      "# fueki/1 policy\n[policy]\nnumber = \(number)\nadministrator = \"Example Ltd\"\n\(rules)\n",
      to: "policy.toml")
    let signed = try machine.run(
      ["key", "sign", machine.path("policy.toml"), "--sign-key", machine.path("\(key).key")])
    try #require(signed.status == 0, "\(signed.errors)")
  }

  private func run(_ machine: Machine, _ arguments: [String]) throws -> RunResult {
    try machine.run(arguments, environment: ["FUEKI_CONFIG": machine.path("config.toml")])
  }

  private func create(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try run(machine, ["create"] + machine.secrets + more)
  }

  private func slots(_ machine: Machine) throws -> Int {
    let newest = try #require(try machine.archives().last)
    let list = try run(machine, ["key", "list", machine.path(newest), "--json"])
    return try list.json()["slots"]?.elements.count ?? 0
  }

  @Test func `a new recipient waits for the owner's consent, once, and never replaces the passphrase`() throws
  {
    let machine = try machine("recipients = [\"\(Self.recipient)\"]")
    let first = try create(machine)
    #expect(first.status == 3 && first.errors.contains(Self.recipient), "\(first.status) \(first.errors)")
    #expect(first.errors.contains("--accept recipients=\(Self.recipient)"))
    #expect(try machine.archives().count == 2 && slots(machine) == 1)

    let agreed = try create(machine, ["--accept", "recipients=\(Self.recipient)"])
    #expect(agreed.status == 0 && !agreed.errors.contains("warning"), "\(agreed.status) \(agreed.errors)")
    #expect(try slots(machine) == 2)
    let next = try create(machine)
    #expect(try next.status == 0 && slots(machine) == 2, "\(next.errors)")
    // The owner's passphrase still opens it.
    let newest = try #require(try machine.archives().last)
    let opened = try run(
      machine, ["verify", machine.path(newest), "--depth", "contents"] + machine.archiveSecret)
    #expect(opened.status == 0, "\(opened.errors)")

    // A recipient that the policy drops and adds again is new.
    try issue("", number: 2, to: machine)
    #expect(try create(machine).status == 0)
    #expect(try slots(machine) == 1)
    try issue("recipients = [\"\(Self.recipient)\"]", number: 3, to: machine)
    let again = try create(machine)
    #expect(try again.status == 3 && slots(machine) == 1, "\(again.errors)")
  }

  @Test(arguments: ["missing", "unsigned", "changed", "other signer", "older", "same number", "garbage"])
  func `a policy that is refused never stops a backup, and the last one accepted applies`(
    _ fault: String
  ) throws {
    let machine = try machine(number: 5)
    let first = try create(machine)
    #expect(first.status == 0 && first.errors.contains("policy number 5 of Example Ltd"), "\(first.errors)")
    let words: String
    switch fault {
    case "missing":
      try machine.remove("policy.toml")
      words = "cannot be read"
    case "unsigned":
      try machine.remove("policy.toml.minisig")
      words = "has no signature"
    case "changed":
      try machine.write(try machine.read("policy.toml") + Array("keep_last = 1\n".utf8), to: "policy.toml")
      words = "changed since"
    case "other signer":
      try issue("", number: 6, signedBy: "other", to: machine)
      words = "is not signed by a key"
    case "older":
      try issue("", number: 4, to: machine)
      words = "already accepted number 5"
    case "same number":
      try issue("keep_last = 1", number: 5, to: machine)
      words = "is not the one with number 5"
    default:
      try machine.write([0xFF, 0x00, 0x0A], to: "policy.toml")
      words = "is not signed"
    }
    let run = try create(machine)
    #expect(run.status == 3 && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(run.errors.contains("Number 5, the last one accepted, still applies"), "\(run.errors)")
    #expect(try machine.archives().count == 3)
    let status = try self.run(machine, ["status", "--json"])
    #expect(status.status == 60 && status.text.contains(words), "\(status.status) \(status.text)")
    let pruned = try self.run(machine, ["prune", "--keep-last", "9", "--yes"])
    #expect(pruned.status == 3 && pruned.errors.contains(words), "\(pruned.status) \(pruned.errors)")
    #expect(try machine.archives().count == 3)
    let shown = try self.run(machine, ["config", "show"])
    #expect(
      shown.status == 0 && shown.text.contains("number = 5    # policy number 5, the last one accepted"))
    #expect(try self.run(machine, ["config", "validate"]).status == 10)

    // The next version is followed again.
    try issue("", number: 6, to: machine)
    #expect(try create(machine).status == 0)
  }

  @Test func `without any accepted version a backup is made, and nothing is pruned`() throws {
    let machine = try machine()
    try machine.remove("policy.toml.minisig")
    let run = try create(machine)
    #expect(run.status == 3 && run.errors.contains("No policy applies"), "\(run.errors)")
    #expect(try machine.archives().count == 2)
    let pruned = try self.run(machine, ["prune", "--keep-last", "1", "--yes"])
    #expect(try pruned.status == 23 && machine.archives().count == 2, "\(pruned.status) \(pruned.errors)")
  }

  @Test func `the stricter of the owner's and the policy's limits applies`() throws {
    let machine = try machine(
      "keep_last = 2\nmax_drill_age = \"1d\"\nkdf_memory = 65\nkdf_passes = 2\nparity = \"5%\"")
    let config = String(decoding: try machine.read("config.toml"), as: UTF8.self)
    try machine.write(config + "[[vault]]\nparity = \"1%\"\nkdf_passes = 4\n", to: "config.toml")
    let shown = try run(machine, ["config", "show"])
    #expect(shown.text.contains("parity = \"5%\"    # policy number 1"), "\(shown.text)")
    #expect(shown.text.contains("kdf_passes = 4    # \(machine.path("config.toml"))"), "\(shown.text)")
    // The options ask for 64 MiB and 2 passes.
    let made = try create(machine, ["--parity", "0%"])
    #expect(made.errors.contains("kdf_memory stays at 256: the policy's 65 is weaker"), "\(made.errors)")
    let newest = try #require(try machine.archives().last)
    let facts = try run(machine, ["key", "list", machine.path(newest)]).text
    #expect(facts.contains("65 MiB"), "\(facts)")
    #expect(try run(machine, ["create"] + machine.secrets).errors.contains("stays at") == false)
    let status = try run(machine, ["status", "--max-age", "9d"])
    // There was no drill.
    #expect(status.status == 60, "\(status.text)")
    // One more than the options keep.
    #expect(try machine.archives().count == 3)
    let pruned = try run(machine, ["prune", "--keep-last", "1", "--yes"])
    #expect(try pruned.status == 0 && machine.archives().count == 2, "\(pruned.errors)")
    #expect(pruned.errors.contains("the policy keeps more"), "\(pruned.errors)")
  }

  @Test func `targets of a policy get the archive, and its {host} is this machine`() throws {
    let machine = try machine()
    try Directory.makePrivateDirectories(machine.path("company"))
    try issue("[[target]]\npath = \"\(machine.path("company"))\"", number: 2, to: machine)
    let run = try create(machine)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try machine.names(in: "company").contains { $0.hasSuffix(".fueki") }, "\(run.errors)")
    // With the company's target, others could see the keys, so that they would stay out of the owner's archives, too.
    let withKeys = try create(machine, ["--include-private-keys"])
    #expect(withKeys.status == 3 && withKeys.errors.contains("was left out"), "\(withKeys.errors)")
    #expect(try machine.archives().count == 3 && machine.names(in: "company").count == 1)
    try issue("[[target]]\npath = \"/nowhere/{host}\"", number: 3, to: machine)
    #expect(try !self.run(machine, ["config", "show"]).text.contains("{host}"))
    let away = try create(machine)
    #expect(try away.status == 3 && machine.archives().count == 4, "\(away.errors)")
  }

  /// The policy in the example for cloud-init.
  private func example() throws -> String {
    let text = String(
      decoding: try TestVectors.file("../.ci/packaging/fleet/cloud-init.yml"), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let content = lines.drop { $0 != "    content: |" }.dropFirst().prefix { $0.hasPrefix("      ") }
    return content.map { $0.dropFirst(6) + "\n" }.joined()
  }

  @Test func `three machines follow the policy of the example, and refuse it after a change`() throws {
    let administrator = try machine()
    try administrator.write(try example(), to: "policy.toml")
    let signed = try administrator.run(
      ["key", "sign", administrator.path("policy.toml"), "--sign-key", administrator.path("admin.key")])
    try #require(signed.status == 0, "\(signed.errors)")
    let own = String(decoding: try administrator.read("config.toml"), as: UTF8.self)
    for _ in 1...3 {
      let machine = try Machine()
      try machine.write(own.replacing(administrator.root, with: machine.root), to: "config.toml")
      for name in ["policy.toml", "policy.toml.minisig"] {
        try machine.write(try administrator.read(name), to: name)
      }
      let made = try create(machine)
      #expect(made.status == 0 && made.errors.contains("policy number 1 of Example Ltd"), "\(made.errors)")
      let text = String(decoding: try machine.read("policy.toml"), as: UTF8.self)
      try machine.write(text.replacing("keep_daily = 14", with: "keep_daily = 1"), to: "policy.toml")
      let changed = try create(machine)
      #expect(changed.status == 3 && changed.errors.contains("changed since"), "\(changed.errors)")
      #expect(try machine.archives().count == 3)
    }
  }

  @Test(arguments: [
    ("recipients = [\"age1nothing\"]", "is not an age recipient"), ("keep_last = 0", "keep_last"),
    ("parity = \"much\"", "a percentage"), ("max_age = \"soon\"", "a duration"), ("hooks = \"sh\"", "hooks"),
    ("[[target]]\npath = \"backups\"", "must begin with"), ("[hooks]\nbefore = \"sh\"", "hooks"),
    ("[[target]]\npath = \"rclone::sftp,ssh=sh:x\"", "configured remote"),
    ("[[target]]\npath = \"/a\"\nkind = \"local\"", "kind"),
  ])
  func `a policy with a fault is not signed, so that no machine gets it`(
    _ rules: String, _ words: String
  ) throws {
    let machine = try machine()
    try machine.write("# fueki/1 policy\n[policy]\nnumber = 2\n\(rules)\n", to: "faulty.toml")
    let run = try machine.run([
      "key", "sign", machine.path("faulty.toml"), "--sign-key", machine.path("admin.key"),
    ])
    #expect(run.status == 64 && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(!machine.exists("faulty.toml.minisig"))
  }

  @Test(arguments: ["file = \"p\"\n", "signers = [\"ab\"]\n", "file = \"p\"\nsigners = [\"ab\"]\n"])
  func `a [policy] without a file or a key is an error`(_ table: String) throws {
    let machine = try Machine()
    try machine.write("[policy]\n\(table)", to: "config.toml")
    let run = try run(machine, ["config", "show"])
    #expect(run.status == 64 && run.errors.contains("config.toml"), "\(run.errors)")
  }
}
