import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// The administrator's policy of `[policy]`, and what it may not do without the owner.
struct PolicyTests {
  @Test func `a new recipient waits for the owner's consent, once, and never replaces the passphrase`() throws
  {
    let machine = try Machine.following("recipients = [\"\(PolicyRecipient.first)\"]")
    let first = try machine.createByPolicy()
    #expect(
      first.status == 3 && first.errors.contains(PolicyRecipient.first), "\(first.status) \(first.errors)")
    #expect(first.errors.contains("--accept recipients=\(PolicyRecipient.first)"))
    #expect(try machine.archives().count == 2 && machine.slotCount() == 1)

    let agreed = try machine.createByPolicy(["--accept", "recipients=\(PolicyRecipient.first)"])
    #expect(agreed.status == 0 && !agreed.errors.contains("warning"), "\(agreed.status) \(agreed.errors)")
    #expect(try machine.slotCount() == 2)
    let next = try machine.createByPolicy()
    #expect(try next.status == 0 && machine.slotCount() == 2, "\(next.errors)")
    // The owner's passphrase still opens it.
    let newest = try #require(try machine.archives().last)
    let opened = try machine.run(
      ["verify", machine.path(newest), "--depth", "contents"] + machine.archiveSecret)
    #expect(opened.status == 0, "\(opened.errors)")

    // A recipient that the policy drops and adds again is new.
    try machine.issue("", number: 2)
    #expect(try machine.createByPolicy().status == 0)
    #expect(try machine.slotCount() == 1)
    try machine.issue("recipients = [\"\(PolicyRecipient.first)\"]", number: 3)
    let again = try machine.createByPolicy()
    #expect(try again.status == 3 && machine.slotCount() == 1, "\(again.errors)")
  }

  @Test(arguments: ["missing", "unsigned", "changed", "other signer", "older", "same number", "garbage"])
  func `a policy that is refused never stops a backup, and the last one accepted applies`(
    _ fault: String
  ) throws {
    let machine = try Machine.following(number: 5)
    let first = try machine.createByPolicy()
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
      try machine.issue("", number: 6, signedBy: "other")
      words = "is not signed by a key"
    case "older":
      try machine.issue("", number: 4)
      words = "already accepted number 5"
    case "same number":
      try machine.issue("keep_last = 1", number: 5)
      words = "is not the one with number 5"
    default:
      try machine.write([0xFF, 0x00, 0x0A], to: "policy.toml")
      words = "is not signed"
    }
    let run = try machine.createByPolicy()
    #expect(run.status == 3 && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(run.errors.contains("Number 5, the last one accepted, still applies"), "\(run.errors)")
    #expect(try machine.archives().count == 3)
    let status = try machine.run(["status", "--json"])
    #expect(status.status == 60 && status.text.contains(words), "\(status.status) \(status.text)")
    let pruned = try machine.run(["prune", "--keep-last", "9", "--yes"])
    #expect(pruned.status == 3 && pruned.errors.contains(words), "\(pruned.status) \(pruned.errors)")
    #expect(try machine.archives().count == 3)
    let shown = try machine.run(["config", "show"])
    #expect(
      shown.status == 0 && shown.text.contains("number = 5    # policy number 5, the last one accepted"))
    #expect(try machine.run(["config", "validate"]).status == 10)

    // The next version is followed again.
    try machine.issue("", number: 6)
    #expect(try machine.createByPolicy().status == 0)
  }

  @Test func `without any accepted version a backup is made, and nothing is pruned`() throws {
    let machine = try Machine.following()
    try machine.remove("policy.toml.minisig")
    let run = try machine.createByPolicy()
    #expect(run.status == 3 && run.errors.contains("No policy applies"), "\(run.errors)")
    #expect(try machine.archives().count == 2)
    let pruned = try machine.run(["prune", "--keep-last", "1", "--yes"])
    #expect(try pruned.status == 23 && machine.archives().count == 2, "\(pruned.status) \(pruned.errors)")
  }

  @Test func `the stricter of the owner's and the policy's limits applies`() throws {
    let machine = try Machine.following(
      "keep_last = 2\nmax_drill_age = \"1d\"\nkdf_memory = 65\nkdf_passes = 2\nparity = \"5%\"",
      more: "[[vault]]\nparity = \"1%\"\nkdf_passes = 4\n")
    let shown = try machine.run(["config", "show"])
    #expect(shown.text.contains("parity = \"5%\"    # policy number 1"), "\(shown.text)")
    #expect(
      shown.text.contains("kdf_passes = 4    # \(machine.path(Machine.configuration))"), "\(shown.text)")
    // The options ask for 64 MiB and 2 passes.
    let made = try machine.createByPolicy(["--parity", "0%"])
    #expect(made.errors.contains("kdf_memory stays at 256: the policy's 65 is weaker"), "\(made.errors)")
    let newest = try #require(try machine.archives().last)
    let facts = try machine.run(["key", "list", machine.path(newest)]).text
    #expect(facts.contains("65 MiB"), "\(facts)")
    #expect(try machine.run(["create"] + machine.secrets).errors.contains("stays at") == false)
    let status = try machine.run(["status", "--max-age", "9d"])
    // There was no drill.
    #expect(status.status == 60, "\(status.text)")
    // One more than the options keep.
    #expect(try machine.archives().count == 3)
    let pruned = try machine.run(["prune", "--keep-last", "1", "--yes"])
    #expect(try pruned.status == 0 && machine.archives().count == 2, "\(pruned.errors)")
    #expect(pruned.errors.contains("the policy keeps more"), "\(pruned.errors)")
  }

  @Test func `targets of a policy get the archive, and its {host} is this machine`() throws {
    let machine = try Machine.following()
    try Directory.makePrivateDirectories(machine.path("company"))
    try machine.issue("[[target]]\npath = \"\(machine.path("company"))\"", number: 2)
    let run = try machine.createByPolicy()
    #expect(run.status == 0, "\(run.errors)")
    #expect(try machine.names(in: "company").contains { $0.hasSuffix(".fueki") }, "\(run.errors)")
    // With the company's target, others could see the keys, so that they would stay out of the owner's archives, too.
    let withKeys = try machine.createByPolicy(["--include-private-keys"])
    #expect(withKeys.status == 3 && withKeys.errors.contains("was left out"), "\(withKeys.errors)")
    #expect(try machine.archives().count == 3 && machine.names(in: "company").count == 1)
    try machine.issue("[[target]]\npath = \"/nowhere/{host}\"", number: 3)
    #expect(try !machine.run(["config", "show"]).text.contains("{host}"))
    let away = try machine.createByPolicy()
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
    let administrator = try Machine.following()
    try administrator.write(try example(), to: "policy.toml")
    try administrator.signPolicy()
    let own = String(decoding: try administrator.read(Machine.configuration), as: UTF8.self)
    for _ in 1...3 {
      let machine = try Machine()
      try machine.configure(own.replacing(administrator.root, with: machine.root))
      for name in ["policy.toml", "policy.toml.minisig"] {
        try machine.write(try administrator.read(name), to: name)
      }
      let made = try machine.createByPolicy()
      #expect(made.status == 0 && made.errors.contains("policy number 1 of Example Ltd"), "\(made.errors)")
      let text = String(decoding: try machine.read("policy.toml"), as: UTF8.self)
      try machine.write(text.replacing("keep_daily = 14", with: "keep_daily = 1"), to: "policy.toml")
      let changed = try machine.createByPolicy()
      #expect(changed.status == 3 && changed.errors.contains("changed since"), "\(changed.errors)")
      #expect(try machine.archives().count == 3)
    }
  }

  /// The machine that signs, or refuses to sign, each of the policies below.
  private static let administrator = Result { try Machine.following() }

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
    let machine = try Self.administrator.get()
    let name = "\(rules.utf8.reduce(0) { $0 &* 31 &+ Int($1) }).toml"
    try machine.write("# fueki/1 policy\n[policy]\nnumber = 2\n\(rules)\n", to: name)
    let run = try machine.run([
      "key", "sign", machine.path(name), "--sign-key", machine.path("admin.key"),
    ])
    #expect(run.status == 64 && run.errors.contains(words), "\(run.status) \(run.errors)")
    #expect(!machine.exists("\(name).minisig"))
  }

  @Test(arguments: ["file = \"p\"\n", "signers = [\"ab\"]\n", "file = \"p\"\nsigners = [\"ab\"]\n"])
  func `a [policy] without a file or a key is an error`(_ table: String) throws {
    let machine = try Machine()
    try machine.configure("[policy]\n\(table)")
    let run = try machine.run(["config", "show"])
    #expect(run.status == 64 && run.errors.contains("config.toml"), "\(run.errors)")
  }
}
