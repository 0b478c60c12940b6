import FuekiSystem
import TestSupport
import Testing

/// How a vault comes to its signers, and a machine to know them.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
struct VaultSignerTests {
  private func signer(_ machine: Machine, _ archive: String = "latest") throws -> JSONValue? {
    try machine.run(["show", archive, "--target", machine.target, "--json"]).json()["header"]?["signer"]
  }

  private func state(_ machine: Machine) throws -> String {
    let name = try #require(machine.names(in: "state").first { $0.hasPrefix("vault-") })
    return try machine.text(of: "state/\(name)")
  }

  /// A machine that has the archives, the wallet and a secret, and has lost what it knew.
  private func lost(keeping key: Bool = false) throws -> (Machine, line: String) {
    let machine = try Plants.made.get().machine()
    let (path, line) = try machine.madeKey()
    let bytes = try machine.read(path)
    try machine.remove("state")
    if key {
      try Directory.makePrivateDirectories(machine.state)
      try machine.write(bytes, to: path)
    }
    return (machine, line)
  }

  @Test func `a vault has a signer from its first archive on`() throws {
    let machine = try Machine()
    let (path, line) = try machine.madeKey()
    let status = try Directory.open(machine.state).status(of: String(path.dropFirst("state/".count)))
    #expect(status.permissions & 0o777 == 0o600)
    let key = try #require(line.split(separator: " ").dropFirst().first.map(String.init))
    #expect(try signer(machine) == .string(key))
    let before = try machine.snapshot(of: "state").filter { $0.key.contains("signing-") }
    let next = try machine.create()
    #expect(next.status == 0 && !next.errors.contains("made a key"), "\(next.errors)")
    #expect(try signer(machine) == .string(key))
    #expect(try machine.snapshot(of: "state").filter { $0.key.contains("signing-") } == before)
    // A vault with another wallet is another vault, and says that it makes a key.
    let other = try Machine()
    try other.remove("state")
    try other.remove(other.archives()[0])
    let first = try other.create()
    #expect(first.errors.contains("made a key that signs this vault's archives: "), "\(first.errors)")
    #expect(first.errors.contains("its fingerprint is "))
  }

  @Test func `the manifest, the kit and a checkpoint say who the signers are`() throws {
    let machine = try Plants.made.get().machine()
    let trust = try machine.run(["key", "trust", "--target", machine.target])
    let fingerprint = try #require(
      trust.text.split(separator: "\n").first { $0.hasPrefix("  fingerprint ") }?.dropFirst(14))
    #expect(fingerprint.count == 39, "\(trust.text)")
    let checkpoint = try machine.run(["checkpoint", "export", "latest", "--target", machine.target])
    #expect(checkpoint.errors.contains("signed by \(fingerprint)"), "\(checkpoint.errors)")
    try machine.run(
      ["kit", "print", "--target", machine.target, "--output", machine.path("kit.html")], status: 0)
    #expect(try machine.text(of: "kit.html").contains(fingerprint))
  }

  @Test func `who says unsigned gets an archive that is theirs on this machine alone`() throws {
    let machine = try Plants.made.get().machine()
    try machine.create(["--unsigned"], status: 0)
    #expect(try signer(machine) == nil || signer(machine) == .null)
    let newest = try #require(machine.own().last)
    #expect(try machine.run(["show", machine.path(newest)]).text.contains("whose     mine"))
    let key = try machine.madeKey().path
    try machine.create(["--unsigned", "--sign-key", machine.path(key)], status: 64)
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(5))
  }

  @Test func `a machine that lost its state continues the vault that its passphrase opens`() throws {
    let (machine, _) = try lost()
    let run = try machine.create(["--json"], status: 0)
    #expect(try run.json()["sequence"] == .number(4))
    #expect(run.errors.contains("this backup continues after number 3"), "\(run.errors)")
  }

  @Test func `a machine that lost its state and its passphrase does not begin the vault again`() throws {
    let (machine, line) = try lost()
    let passphrase = try machine.read("passphrase")
    try machine.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    let before = try machine.snapshot(of: "target")
    for more in [[], ["--unsigned"], ["--on-change"]] {
      let run = try machine.create(more)
      #expect(run.status == 23, "\(more) \(run.errors)")
      #expect(run.errors.contains("key trust") && run.errors.contains("--adopt"), "\(run.errors)")
    }
    let trust = ["key", "trust", line, "--target", machine.target]
    #expect(try machine.run(trust).status == 0)
    // A signer that is no longer trusted signs no longer for the vault.
    #expect(try machine.run(["key", "retire"] + trust.dropFirst(2)).status == 0)
    let shown = try machine.run(["key", "trust", "--target", machine.target])
    #expect(shown.text.contains("no signer is accepted on this machine"), "\(shown.text)")
    #expect(try machine.run(trust).status == 0)
    // The signer proves whose the archives are, and the newest that this is not their passphrase.
    #expect(try machine.create().status == 12)
    #expect(try machine.snapshot(of: "target") == before)
    try machine.write(passphrase, to: "passphrase")
    let run = try machine.create(["--json"], status: 0)
    #expect(try run.json()["sequence"] == .number(4))
  }

  @Test func `the signing key of a machine that lost its state proves its archives`() throws {
    let (machine, _) = try lost(keeping: true)
    let plants = try Plants.made.get()
    try plants.plant(Plant.allCases, on: machine)
    let run = try machine.run(
      ["create", "--target", machine.target, "--json", "--recipient", plants.recipient]
        + machine.keychainSecret + Machine.quick, status: 0)
    #expect(try run.json()["sequence"] == .number(4))
  }

  @Test func `a signed vault gets no unsigned archive by accident`() throws {
    let (machine, line) = try lost()
    #expect(try machine.run(["key", "trust", line, "--target", machine.target]).status == 0)
    // The key that signed before is on the machine that was lost: this one signs with its own.
    let run = try machine.create()
    #expect(
      run.status == 0 && run.errors.contains("made a key that signs this vault's archives"), "\(run.errors)")
    try machine.remove(machine.madeKey().path)
    let without = try machine.create()
    #expect(
      without.status == 64 && without.errors.contains("the signing key is not on this machine"),
      "\(without.errors)")
    #expect(try machine.own().count == 4)
    #expect(try machine.create(["--unsigned"]).status == 0)
  }

  @Test func `adopting learns the signers from what a passphrase alone opens`() throws {
    let (machine, line) = try lost(keeping: true)
    let plants = try Plants.made.get()
    try plants.plant([.sealed, .another, .unsigned], on: machine)
    let run = try machine.create(["--adopt", "--json"], status: 0)
    #expect(try run.json()["sequence"] == .number(4))
    let key = try #require(line.split(separator: " ").dropFirst().first.map(String.init))
    #expect(try state(machine).contains(key))
    let trust = try machine.run(["key", "trust", "--target", machine.target, "--json"]).json()["signers"]
    #expect(trust?.elements.map { $0["key"] } == [.string(key)])
  }

  @Test func `where a passphrase opens archives that name different signers, nothing is learned`() throws {
    let (machine, _) = try lost(keeping: true)
    let plants = try Plants.made.get()
    // Made by an attacker who knows the passphrase, too.
    let other = try Machine()
    try other.remove("state")
    try Directory.makePrivateDirectories(other.state)
    try other.write(Machine.state(sequence: 3), to: "state/vault-\(plants.vault).json")
    let key = other.path("other.key")
    #expect(try other.run(["key", "new-signer", "--output", key, "--no-passphrase"]).status == 0)
    try other.remove(other.archives()[0])
    #expect(try other.create(["--sign-key", key]).status == 0)
    let name = try #require(other.names(in: "target").first)
    try machine.write(other.read("target/\(name)"), to: "target/\(name)")
    let run = try machine.create(["--adopt"])
    #expect(run.status == 23 && run.errors.contains("nothing shows that archive 4 is yours"), "\(run.errors)")
    #expect(try machine.archives().count == 4)
  }

  @Test func `with a recipient's key and no terminal nothing is adopted`() throws {
    let (machine, _) = try lost(keeping: true)
    let plants = try Plants.made.get()
    for archive in try machine.own() { try machine.remove(archive) }
    try plants.plant([.sealed], on: machine)
    let before = try machine.snapshot(of: "target")
    let run = try machine.run(
      ["create", "--adopt", "--target", machine.target, "--recipient", plants.recipient]
        + machine.keychainSecret + Machine.quick)
    #expect(
      run.status == 23 && run.errors.contains("nothing shows that archive 70 is yours"), "\(run.errors)")
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try !machine.names(in: "state").contains { $0.hasPrefix("vault-") })
  }

  @Test func `unsigned archives from before the vault had a signer are unknown until they are accepted`()
    throws
  {
    let machine = try Machine()
    try machine.remove("state")
    try machine.remove(machine.archives()[0])
    for _ in 0..<2 { #expect(try machine.create(["--unsigned"]).status == 0) }
    let key = machine.path("late.key")
    #expect(try machine.run(["key", "new-signer", "--output", key, "--no-passphrase"]).status == 0)
    for _ in 0..<2 { #expect(try machine.create(["--sign-key", key]).status == 0) }
    // One that no archive of this machine's names as the one before it.
    let stray = try Machine()
    try stray.remove("state")
    try stray.remove(stray.archives()[0])
    #expect(try stray.create(["--unsigned"]).status == 0)
    let name = try #require(stray.names(in: "target").first)
    try machine.write(stray.read("target/\(name)"), to: "target/stray.fueki")
    try machine.remove("state")
    let line = try machine.text(of: "late.pub").filter { $0 != "\n" }
    func whose() throws -> [String: String] {
      let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
      return Dictionary(
        uniqueKeysWithValues: list.map { archive in
          let isStray = archive["path"]?.text?.hasSuffix("stray.fueki") ?? false
          return (
            isStray ? "stray" : "\(Int(archive["sequence"]?.number ?? 0))", archive["whose"]?.text ?? ""
          )
        })
    }
    #expect(try Set(whose().values) == ["unknown"])
    #expect(try machine.run(["key", "trust", line, "--target", machine.target]).status == 0)
    // The first signed one names the unsigned one before it, and that the one before.
    #expect(
      try whose() == ["1": "mine", "2": "mine", "3": "mine", "4": "mine", "stray": "unknown"])
    try machine.run(["prune", "--target", machine.target, "--keep-last", "1"], status: 0)
    #expect(machine.exists("target/stray.fueki"))
    let accepted = try machine.run(
      ["key", "trust", "--archive", machine.path("target/stray.fueki"), "--target", machine.target]
        + machine.archiveSecret)
    #expect(accepted.status == 0 && accepted.text.contains("accepted archive 1: "), "\(accepted.text)")
    #expect(try whose() == ["4": "mine", "stray": "mine"])
    #expect(try machine.run(["prune", "--target", machine.target, "--keep-last", "1"]).status == 0)
    #expect(!machine.exists("target/stray.fueki"))
  }

  @Test func `the state keeps the digests of unsigned archives alone`() throws {
    let machine = try Plants.made.get().machine()
    #expect(try !state(machine).contains("unsigned"))
    // The first one notes the target, which is another folder here.
    #expect(try machine.create().status == 0)
    let before = try state(machine).utf8.count
    for _ in 0..<2 { #expect(try machine.create().status == 0) }
    #expect(try state(machine).utf8.count == before)
  }
}
