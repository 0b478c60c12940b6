import TestSupport
import Testing

/// The chain of a vault's archives, and what this machine knows of it.
struct ChainTests {
  private func facts(_ machine: Machine) throws -> (vault: String, archives: [(id: String, sequence: Double)])
  {
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let archives = list["archives"]?.elements ?? []
    let vault = try #require(archives.first?["vault"]?.text)
    return (
      vault, archives.map { ($0["id"]?.text ?? "", $0["sequence"]?.number ?? 0) }.sorted { $0.1 < $1.1 }
    )
  }

  @Test func `each archive names the one before it`() throws {
    let machine = try Machine()
    for _ in 0..<2 { #expect(try machine.create().status == 0) }
    let archives = try facts(machine).archives
    #expect(archives.map(\.sequence) == [1, 2, 3])
    var previous = String(repeating: "0", count: 64)
    for archive in archives {
      let show = try machine.run(["show", archive.id, "--target", machine.target, "--json"]).json()
      #expect(show["header"]?["previous"] == .string(previous))
      previous = archive.id
    }
  }

  @Test func `an archive is compared with the newest known`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let (vault, archives) = try facts(machine)
    let paths = try machine.archives().map { machine.path($0) }
    let other = String(repeating: "ab", count: 32)
    let cases: [(Int, Double, String, Int32)] = [
      (0, 1, archives[0].id, 0), (0, 1, other, 25), (0, 2, archives[1].id, 24), (0, 9, other, 24),
      (1, 2, archives[1].id, 0), (1, 1, archives[0].id, 0), (1, 1, other, 25), (1, 2, other, 25),
    ]
    for (index, sequence, digest, status) in cases {
      let known = "\(vault):\(Int(sequence)):\(digest)"
      let run = try machine.run(["verify", paths[index], "--known", known, "--json"])
      #expect(run.status == status, "\(index) \(known)")
      #expect(try run.json()["ok"] == .bool(status == 0))
    }
    // The option makes no statement on another vault.
    let elsewhere = "\(String(repeating: "0", count: 32)):7:\(other)"
    #expect(try machine.run(["verify", paths[0], "--known", elsewhere]).status == 0)
  }

  @Test func `an older archive in the place of the newest is noticed by this machine`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    try machine.remove(machine.archives()[1])
    #expect(try machine.run(["verify", machine.target]).status == 24)
    #expect(try machine.restore().status == 24)
    #expect(!machine.exists("restored"))
    // The next archive does not take the missing one's number.
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(3))
  }

  @Test func `an unknown successor of an unsigned vault stops a backup, unless it is adopted`() throws {
    let machine = try Machine()
    // As it was before vaults had signers.
    try machine.remove("state")
    try machine.remove(machine.archives()[0])
    #expect(try machine.create(["--unsigned"]).status == 0)
    try machine.copy("state", to: "state-before")
    // The passphrase of this machine does not open it, so that nothing shows whose it is.
    try machine.write("another passphrase altogether, 44 bytes long", to: "other-passphrase")
    try machine.run(
      ["create", "--target", machine.target, "-p", machine.path("other-passphrase")]
        + ["--accept=new-passphrase"] + machine.keychainSecret + Machine.quick, status: 0)
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    let state = try machine.snapshot(of: "state").filter { $0.key.contains("vault-") }
    let run = try machine.create(["--json"], status: 25)
    #expect(try run.json()["hint"]?.text?.contains("--adopt") == true)
    #expect(try machine.archives().count == 2)
    #expect(try machine.snapshot(of: "state").filter { $0.key.contains("vault-") } == state)
    #expect(try machine.create(["--adopt"]).status == 23)
    // With its passphrase it is proved.
    let adopted = try machine.run(
      ["create", "--adopt", "--target", machine.target, "--json", "--accept=new-passphrase"]
        + ["-p", machine.path("other-passphrase")] + machine.keychainSecret + Machine.quick, status: 0)
    #expect(try adopted.json()["sequence"] == .number(3))
    #expect(try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements.count == 3)
  }

  @Test func `two machines that made the same number have forked`() throws {
    let machine = try Machine()
    try machine.copy("state", to: "state-before")
    try machine.copy("target", to: "target-before")
    #expect(try machine.create().status == 0)
    let mine = try machine.archives()[1]
    try machine.copy(mine, to: "mine.fueki")
    try machine.copy("state", to: "state-mine")
    for (from, to) in [("state-before", "state"), ("target-before", "target")] {
      try machine.remove(to)
      try machine.copy(from, to: to)
    }
    #expect(try machine.create().status == 0)
    try machine.remove("state")
    try machine.copy("state-mine", to: "state")
    #expect(try machine.create().status == 25)
    #expect(try machine.run(["verify", machine.target]).status == 25)
    #expect(try machine.restore().status == 25)
  }

  @Test func `a damaged state file stops a backup and is kept`() throws {
    let machine = try Machine()
    let name = try #require(machine.names(in: "state").first { $0.hasPrefix("vault-") })
    try machine.write("{\"known\": 7", to: "state/\(name)")
    let run = try machine.create(status: 1)
    #expect(run.errors.contains(name) && run.errors.contains("--adopt"))
    #expect(try machine.read("state/\(name)") == Array("{\"known\": 7".utf8))
    #expect(try machine.archives().count == 1)
    // Without a secret an archive can still be listed.
    #expect(try machine.run(["list", machine.target]).status == 0)
    // The advice in the message works.
    try machine.remove("state/\(name)")
    #expect(try machine.create(["--adopt", "--json"]).json()["sequence"] == .number(2))
  }

  @Test func `of two backups at once one ends with 11`() throws {
    let machine = try Machine()
    // The first holds the lock while its passphrase command waits for the second to have ended.
    let script = """
      "$@" -p 'command:touch began; while [ ! -e ended ]; do sleep 0.05; done; cat passphrase' &
      while [ ! -e began ]; do sleep 0.05; done
      "$@" -p passphrase; echo "second $?"; touch ended
      wait $!; echo "first $?"
      """
    let run = try machine.run(
      ["create", "--target", machine.target, "-q"] + machine.keychainSecret + Machine.quick,
      through: ["/bin/sh", "-c", script, "sh"], timeout: 120)
    #expect(run.text.contains("second 11") && run.text.contains("first 0"), "\(run.text) \(run.errors)")
    #expect(run.errors.contains("another run holds the lock"))
    #expect(try machine.archives().count == 2)
    #expect(try machine.create().status == 0)
  }

  @Test func `only a trusted signer's newer archive is continued`() throws {
    let machine = try Machine()
    let key = machine.path("signing.key")
    try #require(try machine.run(["key", "new-signer", "--output", key, "--no-passphrase"]).status == 0)
    #expect(try machine.create(["--sign-key", key]).status == 0)
    // This machine forgets what it knew, as a new one never knew it, and has no passphrase that would prove anything.
    try machine.remove("state")
    let passphrase = try machine.read("passphrase")
    try machine.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    #expect(try machine.create().status == 23)
    try machine.write(passphrase, to: "passphrase")
    let line = try machine.text("signing.pub").split(separator: "\n")[0]
    try machine.write("[[vault]]\ntrusted_signers = [\"\(line)\"]\n", to: "config.toml")
    let configured = ["--config", machine.path("config.toml")]
    #expect(try machine.create(configured + ["--json"]).json()["sequence"] == .number(3))
    // The passphrase proves the key that the machine made meanwhile, which the configuration does not name.
    try machine.remove("state")
    let again = try machine.create(configured + ["--json"])
    #expect(try again.status == 0 && again.json()["sequence"] == .number(4), "\(again.errors)")
    #expect(!again.errors.contains("is a stranger's"), "\(again.errors)")
  }
}
