import FuekiSystem
import TestSupport
import Testing

/// The configuration file, and what goes before it.
struct ConfigurationTests {
  /// A machine whose configuration is this text.
  private func machine(_ text: String) throws -> Machine {
    let machine = try Machine()
    try machine.write(text, to: "home/.config/fueki-backup/config.toml")
    return machine
  }

  @Test func `commands without a target use the configuration's`() throws {
    let machine = try machine("[[target]]\npath = \"../../../target\"\nkind = \"local\"\n")
    try machine.run(["create", "--json"] + machine.secrets, status: 0)
    #expect(try machine.run(["list", "--json"]).json()["archives"]?.elements.count == 2)
    #expect(try machine.run(["verify", "latest"]).status == 0)
    #expect(try machine.run(["show", "latest"]).status == 0)
    try machine.run(["restore", "latest", "--datadir", machine.path("new")] + machine.secrets, status: 0)
    try machine.run(
      ["export", "latest", "--output", machine.path("out")] + machine.archiveSecret, status: 0)
  }

  @Test func `an option goes before the file`() throws {
    let machine = try machine("[[target]]\npath = \"/nowhere\"\n[[vault]]\nlabel = \"filed\"\n")
    #expect(try machine.run(["list"]).status == 10)
    #expect(try machine.run(["list", "--target", machine.target]).status == 0)
    #expect(try machine.create().status == 0)
    #expect(try machine.archives().contains { $0.hasPrefix("target/filed-") })
    #expect(try machine.create(["--label", "said"]).status == 0)
    #expect(try machine.archives().contains { $0.hasPrefix("target/said-") })
  }

  @Test func `the environment goes between`() throws {
    let machine = try machine("[[vault]]\ndatadir = \"/nowhere\"\n")
    // FUEKI_DATADIR is the machine's.
    #expect(try machine.create().status == 0)
    let filed = try machine.run(
      ["create", "--target", machine.target] + machine.secrets, environment: ["FUEKI_DATADIR": ""])
    #expect(filed.status == 10 && filed.errors.contains("/nowhere"), "\(filed.errors)")
    try machine.write("[[vault]]\nlabel = \"other\"\n", to: "other.toml")
    let variable = try machine.run(
      ["config", "show"], environment: ["FUEKI_CONFIG": machine.path("other.toml")])
    #expect(variable.text.contains("label = \"other\"    # \(machine.path("other.toml")), line 2"))
    #expect(variable.text.contains("datadir = \"\(machine.data)\"    # environment, FUEKI_DATADIR"))
    #expect(variable.text.contains("kdf_memory = 256    # default"))
  }

  @Test func `a target declared local takes private keys`() throws {
    let machine = try machine("[[target]]\npath = \"../../../target\"\nkind = \"local\"\n")
    try Directory.makePrivateDirectories(machine.path("other"))
    let refused = try machine.run(
      ["create", "--target", machine.path("other"), "--include-private-keys"] + machine.secrets)
    #expect(refused.status == 64 && refused.errors.contains("--accept synced-keys"))
    try machine.run(["create", "--include-private-keys"] + machine.secrets, status: 0)
    // In any spelling of the path.
    #expect(try machine.create(["--include-private-keys"]).status == 0)
  }

  @Test(arguments: [
    ("[[vault]]\n\n# a comment\nlable = \"x\"\n", "line 4", "did you mean \"label\"?"),
    ("note = \"\"\"\n[[vault]]\nlabel = 1\n\"\"\"\n", "line 1", "target, vault"),
    ("[[valt]]\n", "line 1", "did you mean \"vault\"?"),
    ("[[vault]]\nfrom = [\n  \"store\", # = [\n]\nkdf_memory = \"64\"\n", "line 5", "64 to 1024"),
    ("[[vault]]\nname = \"a\"\n[[vault]]\nname = \"b\"\nfrom = \"store\"\n", "line 5", "a list of texts"),
    ("[[vault]]\nkdf_passes = 17\n", "line 2", "2 to 16"),
    ("[[target]]\npath = \"/a\"\nkind = \"lokal\"\n", "line 3", "\"local\", \"synced\""),
    ("[[target]]\nkind = \"local\"\n", "line 1", "needs a path"),
    ("[[vault]]\nid = \"00\"\n", "line 2", "32 hex digits"),
    ("[[target]]\nname = \"disk\"\npath = \"/a\"\n[[vault]]\ntargets = [\"disc\"]\n", "line 5", "\"disk\""),
    ("[[vault]]\nlabel = \"x\n", "line 2", "fueki-backup-config(5)"),
    ("vault = 3\n", "line 1", "[[vault]]"),
    ("[[vault]]\nlabel = \"\"\n", "line 2", "a text"),
    ("[hooks]\nbefor = \"x\"\n", "line 2", "did you mean \"before\"?"),
    ("[[hooks]]\nafter = \"x\"\n[[hooks]]\nafter = \"y\"\n", "line 3", "more than one [hooks]"),
    ("[hooks]\nafter = [\"x\"]\n", "line 2", "[hooks] must be a text"),
    ("[[endpoint]]\nkind = \"blockscout\"\nurl = \"https://b\"\n", "line 1", "needs \"chain\""),
    ("[[endpoint]]\nkind = \"etherscan\"\nurl = \"https://b/api\"\n", "line 1", "needs \"chain\""),
    ("[[endpoint]]\nkind = \"bark\"\n", "line 2", "\"esplora\""),
    ("[health]\nurl = \"hc-ping.com/1\"\n", "line 2", "https://"),
    ("[health]\nurl = \"https://me:pass@hc-ping.com/1\"\n", "line 2", "with no user in it"),
    ("[health]\ncommands = [\"create\"]\n", "line 1", "needs a url"),
    ("[health]\nurl = \"https://a\"\ncommands = [\"make\"]\n", "line 3", "\"create\", \"prune\""),
    ("[health]\nurl = \"https://a\"\nvaults = [\"mine\"]\n", "line 3", "\"mine\""),
    ("# from another system\r\n[[vault]]\r\nlabl = \"x\"\r\n", "line 3", "\"label\""),
  ])
  func `what is wrong is named with its line and a way out`(_ text: String, _ line: String, _ hint: String)
    throws
  {
    let machine = try machine(text)
    for command in [["config", "validate"], ["list", machine.target]] {
      let run = try machine.run(command, status: 64)
      #expect(run.errors.contains("config.toml, \(line): ") && run.errors.contains(hint), "\(run.errors)")
    }
  }

  @Test(arguments: [
    ("recipients = [\"age1typo\"]", "not an age recipient"), ("recipients_file = \"config.toml\"", "line 1"),
    ("from = [\"stor\"]", "KIND:PATH"), ("trusted_signers = [\"signing.pub\"]", "no key"),
    ("trusted_signers_file = \"../../../passphrase\"", "signer"),
    ("guardians = \"../../../passphrase\"", "guardians"),
    ("sign_key = \"../../../passphrase\"", "signing key"),
    ("keychain_key_file = \"../../../keychain.pass\"", "32 bytes"),
  ])
  func `what no command could use is found before the first night`(_ text: String, _ what: String) throws {
    let machine = try machine("[[vault]]\n# of last year\n\(text)\n")
    let run = try machine.run(["config", "validate"], status: 64)
    #expect(run.errors.contains("config.toml, line 3: ") && run.errors.contains(what), "\(run.errors)")
  }

  @Test func `a file that is named has to be there, and not everybody's`() throws {
    let machine = try Machine()
    #expect(try machine.run(["list", machine.target, "--config", machine.path("none")]).status == 64)
    #expect(try machine.run(["config", "show"]).status == 0)
    #expect(try machine.run(["config", "validate"]).status == 64)
    try machine.write("", to: "open.toml", permissions: 0o666)
    try BuiltBinary.run(program: "/bin/chmod", ["666", machine.path("open.toml")]).expect(0)
    let open = try machine.run(["list", machine.target, "--config", machine.path("open.toml")])
    #expect(
      open.status == 64 && open.errors.contains("others can change \(machine.path("open.toml"))"),
      "\(open.errors)")
  }

  @Test func `of several vaults one is picked`() throws {
    let machine = try machine(
      """
      [[target]]
      name = "here"
      path = "../../../target"
      [[target]]
      name = "there"
      path = "../../../there"
      [[vault]]
      name = "mine"
      targets = ["here"]
      label = "of-mine"
      [[vault]]
      name = "club"
      targets = ["there"]
      """)
    try Directory.makePrivateDirectories(machine.path("there"))
    let unclear = try machine.run(["create"] + machine.secrets)
    #expect(unclear.status == 64 && unclear.errors.contains("--vault NAME: mine, club"), "\(unclear.errors)")
    let restoring = ["restore", "latest", "--datadir", machine.path("restored")]
    let restore = try machine.run(restoring + machine.secrets)
    #expect(restore.status == 64 && restore.errors.contains("--vault NAME: mine, club"), "\(restore.errors)")
    // One without a name cannot be chosen.
    let file = "home/.config/fueki-backup/config.toml"
    let text = try machine.text(file)
    try machine.write(text.replacing("name = \"club\"\n", with: ""), to: file)
    let unnamed = try machine.run(restoring)
    #expect(unnamed.status == 64 && unnamed.errors.contains("without a name needs one"), "\(unnamed.errors)")
    try machine.write(text, to: file)
    try machine.run(["create", "--vault", "mine"] + machine.secrets, status: 0)
    #expect(try machine.archives().contains { $0.hasPrefix("target/of-mine-") })
    #expect(try machine.run(["list", "--vault", "club", "--json"]).json()["archives"] == .array([]))
    #expect(try machine.run(["list", "--json"]).json()["archives"]?.elements.count == 2)
    let none = try machine.run(["list", "--vault", "clubb"])
    #expect(none.status == 64 && none.errors.contains("club"))
  }

  @Test(arguments: [true, false])
  func `latest is the selected vault's, even next to other vaults' archives`(_ hasID: Bool) throws {
    let other = try Machine(isPrepared: false)
    try other.run(["demo", "--keep", other.path("demo"), "--transactions", "3"]).expect(0)
    let planted = try #require(try other.names(in: "demo/backups").first)
    let archive = try other.read("demo/backups/\(planted)")
    let listed = try other.run(["list", other.path("demo/backups"), "--json"]).json()
    let id = try #require(listed["archives"]?.elements.first?["vault"]?.text)

    let plain = try Machine()
    let mine = try #require(
      try plain.run(["list", plain.target, "--json"]).json()["archives"]?.elements.first)
    let vault = try #require(mine["vault"]?.text)
    // As `init` writes it, or by hand with the data directories alone.
    let machine = try machine(
      """
      [[target]]
      path = "../../../target"
      [[vault]]
      name = "mine"
      \(hasID ? "id = \"\(vault)\"" : "datadir = \"../../../data\"")
      [[vault]]
      name = "club"
      id = "\(id)"
      """)
    try machine.write(archive, to: "target/\(planted)")
    #expect(try machine.run(["show", "latest"]).status == 23)
    for (name, vault) in [("mine", vault), ("club", id)] {
      let shown = try machine.run(
        ["show", "latest", "--vault", name, "--json"], environment: ["FUEKI_DATADIR": ""], status: 0)
      #expect(try shown.json()["header"]?["vault"]?.text == vault)
    }
    // A rule that is meant for one vault takes nothing of another's.
    #expect(try machine.create(["--datadir", machine.data, "--vault", "mine"]).status == 0)
    let pruned = try machine.run(["prune", "--vault", "club", "--keep-last", "1", "--json"])
    // Nor where nothing shows that they are this person's.
    #expect(pruned.status == 3, "\(pruned.errors)")
    #expect(try machine.archives().count == 3)
    let status = try machine.run(["status", "--vault", "mine", "--json"]).json()
    let vaults = status["targets"]?.elements.first?["vaults"]?.elements.compactMap { $0["vault"]?.text }
    #expect(vaults == [vault])
    #expect(try machine.run(["prune", "--vault", "mine", "--keep-last", "1"]).status == 0)
    #expect(try machine.archives().count == 2)
    for command in ["verify", "drill"] {
      let run = try machine.run(
        [command, "latest", "--vault", "mine"] + (command == "drill" ? machine.archiveSecret : []))
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    let kit = try machine.run(["kit", "print", "--vault", "mine", "--json"], status: 0)
    #expect(try kit.json()["vault"]?.text == vault)
    // Where it is damaged, nothing of another vault's is offered in its place.
    let own = try #require(try machine.archives().first { $0 != "target/\(planted)" })
    try machine.damage(own)
    let failed = try machine.run(
      ["restore", "latest", "--vault", "mine", "--datadir", machine.path("new")] + machine.secrets, status: 20
    )
    #expect(!failed.errors.contains(planted), "\(failed.errors)")
  }

  @Test func `another vault's data directory is refused`() throws {
    let machine = try machine("[[vault]]\nid = \"\(String(repeating: "0a", count: 16))\"\n")
    let run = try machine.create()
    #expect(run.status == 64 && run.errors.contains("another"), "\(run.errors)")
    #expect(try machine.archives().count == 1)
  }

  @Test func `every key is in the manual page, and no other`() throws {
    let page = String(decoding: try TestVectors.file("../man/fueki-backup-config.5"), as: UTF8.self)
    let documented = page.split(separator: "\n").filter { $0.hasPrefix(".It Cm ") }.flatMap { line in
      line.dropFirst(7).split(separator: " , ").map(String.init)
    }
    let source = String(
      decoding: try TestVectors.file("../Sources/fueki-backup/Configuration/ConfigurationKey.swift"),
      as: UTF8.self)
    let known = source.split(separator: "name: \"").dropFirst().compactMap { $0.split(separator: "\"").first }
    #expect(known.count > 15)
    // Some keys are in several tables.
    #expect(Set(documented) == Set(known.map(String.init)))
  }

  @Test(arguments: ["\0", "\\u0000", "\\U00000000", "\\\\\\u0000"])
  func `a text with a zero in it is refused, and not cut there`(_ zero: String) throws {
    let machine = try machine("[[vault]]\n# \\u0000\nlabel = \"one\(zero)two\"\n")
    let run = try machine.run(["config", "show"])
    #expect(run.status == 64 && run.errors.contains("line 3: there is a zero in this line"), "\(run.errors)")
    try machine.write(
      "[[vault]]\nlabel = \"one\\\\u0000two\"\n", to: "home/.config/fueki-backup/config.toml")
    #expect(try machine.run(["config", "show"]).status == 0)
  }
}
