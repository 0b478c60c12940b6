import CommandSupport
import TestSupport
import Testing

/// Machines that lost their state, and data directories that are the wrong ones.
struct LostStateTests {
  private static let continues = "this backup continues after number 1"

  /// A machine without a store that backs up two files, and its command.
  private func machineWithFiles() throws -> (Machine, [String]) {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    // As long as a key, so that their bytes tell them from others.
    for name in ["one", "two"] {
      try machine.write("\(name), of which there is no other copy", to: "source/\(name)")
    }
    return (
      machine,
      ["create", "--target", machine.target, "--from", "file:\(machine.path("source"))", "--json"]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick
    )
  }

  private func vaults(_ machine: Machine) throws -> Set<String> {
    Set(
      try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements
        .compactMap { $0["vault"]?.text } ?? [])
  }

  private func restoreLatest(_ machine: Machine) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + ["--files", machine.path("back")] + machine.secrets,
      environment: ["FUEKI_STATE": machine.path("new-state")])
  }

  @Test func `sources without a store continue the vault in the target after the state is lost`() throws {
    let (machine, create) = try machineWithFiles()
    // The first archive in an empty folder needs no yes.
    let first = try machine.run(create)
    #expect(first.status == 0 && !first.errors.contains("continues"), "\(first.errors)")
    try machine.remove("state")
    let run = try machine.run(create, status: 0)
    #expect(try run.json()["sequence"] == .number(2))
    #expect(run.errors.contains(Self.continues), "\(run.errors)")
    // The next run knows the vault.
    let next = try machine.run(create)
    #expect(try next.status == 0 && next.json()["sequence"] == .number(3), "\(next.errors)")
    #expect(!next.errors.contains("continues"), "\(next.errors)")
    #expect(try vaults(machine).count == 1)
    try restoreLatest(machine).expect(0)
  }

  @Test func `a file of the last archive is missed after the state is lost`() throws {
    let (machine, create) = try machineWithFiles()
    #expect(try machine.run(create).status == 0)
    let vault = try #require(vaults(machine).first)
    try machine.remove("state")
    try machine.remove("source/two")
    // It may be another machine, so it makes none of this vault's archives until its owner says so.
    let own = try machine.run(create)
    #expect(try own.status == 3 && own.json()["undecided_vault"]?.text == vault, "\(own.errors)")
    #expect(try own.json()["sequence"] == .number(1))
    let run = try machine.run(create + ["--continue", String(vault.prefix(8))], status: 3)
    #expect(try run.json()["sequence"] == .number(2))
    #expect(try run.json()["losses"]?.elements.count == 1)
  }

  @Test func `another passphrase continues nothing, and begins a second vault only on request`() throws {
    let (machine, create) = try machineWithFiles()
    #expect(try machine.run(create).status == 0)
    let vault = try #require(vaults(machine).first)
    try machine.remove("state")
    try machine.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    let refused = try machine.run(create, status: 23)
    #expect(try refused.json()["message"]?.text?.contains("another vault, \(vault)") == true)
    let hint = try refused.json()["hint"]?.text ?? ""
    #expect(hint.contains("key trust") && hint.contains("--new-vault"))
    #expect(try machine.archives().count == 1)
    let begun = try machine.run(create + ["--new-vault"], status: 0)
    #expect(try begun.json()["sequence"] == .number(1))
    // A timer needs no option from then on.
    let next = try machine.run(create)
    #expect(try next.status == 0 && next.json()["sequence"] == .number(2), "\(next.errors)")
    #expect(try vaults(machine).count == 2)
    let latest = try restoreLatest(machine)
    #expect(latest.status == 23 && latest.errors.contains("archives of 2 vaults"), "\(latest.errors)")
    #expect(!machine.exists("restored") && !machine.exists("back"))
  }

  @Test func `a data directory of another vault begins none next to the first`() throws {
    let machine = try Machine()
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "5"], status: 0)
    let other =
      ["create", "--target", machine.target, "--datadir", machine.path("demo/old-machine/data/fueki")]
      + ["--keychain-passphrase-from", machine.place("demo/old-machine.key")] + machine.archiveSecret
      + Machine.quick
    let refused = try machine.run(other)
    #expect(refused.status == 23 && refused.errors.contains("--new-vault"), "\(refused.errors)")
    #expect(try machine.archives().count == 1)
    #expect(try machine.run(other + ["--new-vault"]).status == 0)
    #expect(try machine.run(other).status == 0)
    #expect(try machine.create().status == 0)
    #expect(try vaults(machine).count == 2)
  }

  @Test func `a store continues its vault after the state is lost`() throws {
    let machine = try Machine()
    try machine.remove("state")
    let run = try machine.create(["--json"], status: 0)
    #expect(try run.json()["sequence"] == .number(2))
    #expect(run.errors.contains(Self.continues), "\(run.errors)")
    // A passphrase that the vault's archives do not open with seals none of them.
    try machine.remove("state")
    try machine.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    #expect(try machine.create().status == 23)
    #expect(try machine.archives().count == 2)
  }

  @Test func `two configured vaults share a folder without a question, and each continues its own`() throws {
    let machine = try Machine()
    try machine.remove("state")
    try machine.write("one, of which there is no other copy", to: "source/one")
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      name = "wallet"
      [[vault]]
      name = "papers"
      from = ["file:\(machine.path("source"))"]
      """, to: "config.toml")
    func create(_ vault: String) throws -> JSONValue {
      let run = try machine.run(
        ["create", "--config", machine.path("config.toml"), "--vault", vault, "--json"]
          + ["--include-private-keys"] + machine.secrets)
      #expect(run.status == 0, "\(vault): \(run.errors)\(run.text)")
      return try run.json()
    }
    for number in [1.0, 2] {
      #expect(try create("papers")["sequence"] == .number(number))
      #expect(try create("wallet")["sequence"] == .number(number + 1))
    }
    try machine.remove("state")
    #expect(try create("papers")["sequence"] == .number(3))
    #expect(try create("wallet")["sequence"] == .number(4))
    #expect(try vaults(machine).count == 2)
  }
}
