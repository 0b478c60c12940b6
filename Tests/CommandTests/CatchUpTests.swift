import FuekiSystem
import TestSupport
import Testing

/// Targets that were away for some nights.
struct CatchUpTests {
  /// A machine with a second target that has the first archive, and has missed the second.
  private func machineWithAbsentTarget(_ first: [String] = []) throws -> Machine {
    let machine = try Machine()
    for name in ["target", "state"] { try machine.remove(name) }
    for name in ["target", "second"] { try Directory.makePrivateDirectories(machine.path(name)) }
    let both = ["--target", machine.path("second")] + first
    #expect(try machine.create(both).status == 0)
    try hide("second", of: machine)
    #expect(try machine.create(both).status == 3)
    try show("second", of: machine)
    return machine
  }

  private func hide(_ name: String, of machine: Machine) throws { try move(name, "away", machine) }
  private func show(_ name: String, of machine: Machine) throws { try move("away", name, machine) }

  private func move(_ from: String, _ to: String, _ machine: Machine) throws {
    try BuiltBinary.run(program: "/bin/mv", [machine.path(from), machine.path(to)]).expect(0)
  }

  private func archives(in name: String, of machine: Machine) throws -> [String] {
    try machine.names(in: name).filter { $0.hasSuffix(".fueki") }.sorted()
  }

  private func both(_ machine: Machine) -> [String] {
    ["--target", machine.target, "--target", machine.path("second")]
  }

  @Test func `status names the target that is behind and since when, until copy brings it up`() throws {
    let machine = try machineWithAbsentTarget()
    let behind = try machine.run(["status"] + both(machine), status: 60)
    #expect(behind.text.contains("PROBLEM: this target is behind since 20"), "\(behind.text)")
    let json = try machine.run(["status", "--json"] + both(machine)).json()
    #expect(json["targets"]?[0]?["vaults"]?[0]?["problems"]?.elements.isEmpty == true)
    #expect(json["targets"]?[1]?["vaults"]?[0]?["problems"]?.elements.count == 1)
    // This machine made the newest, so the target alone shows that it is behind, too.
    #expect(try machine.run(["status", "--target", machine.path("second")]).status == 60)

    let copied = try machine.run(["copy", "--json"] + both(machine), status: 0)
    #expect(try copied.json()["copied"]?[0]?["sequence"] == .number(2))
    #expect(try machine.run(["status"] + both(machine)).status == 0)
    let newest = try #require(try machine.archives().last)
    let copy = try #require(try archives(in: "second", of: machine).last)
    #expect(newest == "target/\(copy)")
    #expect(try machine.read(newest) == machine.read("second/\(copy)"))
    #expect(try machine.run(["copy", "--json"] + both(machine)).json()["copied"]?.elements.isEmpty == true)
  }

  @Test func `list tells numbers that were never written from those that were removed`() throws {
    let machine = try machineWithAbsentTarget()
    #expect(try machine.create(["--target", machine.path("second")]).status == 0)
    let missing = {
      try machine.run(["list", machine.path("second"), "--json"]).json()["missing"]?.elements ?? []
    }
    #expect(try missing().map { $0["reason"]?.text } == ["never-written"])
    #expect(try missing()[0]["first"] == .number(2) && missing()[0]["last"] == .number(2))
    let text = try machine.run(["list", machine.path("second")])
    #expect(text.errors.contains("never written here"), "\(text.errors)")
    // The first target has it, so nothing is missing there.
    #expect(try machine.run(["list", machine.target, "--json"]).json()["missing"]?.elements.isEmpty == true)

    #expect(try machine.run(["copy", "--all"] + both(machine)).status == 0)
    #expect(try missing().isEmpty)
    #expect(try archives(in: "second", of: machine) == archives(in: "target", of: machine))
    try machine.remove("second/\(try archives(in: "second", of: machine)[1])")
    #expect(try missing().map { $0["reason"]?.text } == ["removed"])
  }

  @Test func `a target gets the base that it lacks, and both restore without the other target`() throws {
    let machine = try Machine(isPrepared: false)
    // A short history would not be worth a differential archive.
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "6000"], status: 0)
    try Directory.makePrivateDirectories(machine.path("away"))
    let keychain = ["--keychain-passphrase-from", machine.place("demo/old-machine.key")]
    let create =
      ["create", "--datadir", machine.path("demo/old-machine/data/fueki")] + both(machine) + keychain
      + machine.archiveSecret + Machine.quick
    #expect(try machine.run(create + ["--full"]).status == 3)
    try show("second", of: machine)
    let made = try machine.run(create + ["--differential", "--json"], status: 0)
    #expect(try made.json()["copied"]?.elements.map { $0["sequence"] } == [.number(1)])
    #expect(try archives(in: "second", of: machine) == archives(in: "target", of: machine))
    try machine.remove("target")
    try machine.run(
      ["restore", "latest", "--target", machine.path("second"), "--datadir", machine.path("restored")]
        + keychain + machine.archiveSecret + Machine.quick, status: 0)
  }

  @Test func `a night without changes copies the last archive instead of making one`() throws {
    let machine = try machineWithAbsentTarget(["--on-change"])
    // The second night found no change, so one archive is all there is.
    #expect(try machine.archives().count == 1)
    try machine.remove("second/\(try archives(in: "second", of: machine)[0])")
    let run = try machine.create(["--target", machine.path("second"), "--on-change", "--json"], status: 0)
    #expect(try run.json()["unchanged"] == .bool(true))
    #expect(try run.json()["copied"]?.elements.count == 1)
    #expect(try archives(in: "second", of: machine) == archives(in: "target", of: machine))
  }

  @Test func `a damaged original is not copied, and the target is named`() throws {
    let machine = try machineWithAbsentTarget()
    let newest = try #require(try machine.archives().last)
    try machine.damage(newest)
    let run = try machine.run(["copy"] + both(machine))
    #expect(run.status == 3 && run.errors.contains("still lacks archive"), "\(run.errors)")
    #expect(try archives(in: "second", of: machine).count == 1)
  }

  @Test func `a damaged copy of the newest archive is not called complete`() throws {
    let machine = try machineWithAbsentTarget()
    #expect(try machine.run(["copy"] + both(machine)).status == 0)
    let copy = try "second/" + #require(archives(in: "second", of: machine).last)
    try machine.damage(copy)
    #expect(try machine.run(["verify", machine.path("second")]).status == 20)
    let told = try machine.run(["copy"] + both(machine))
    #expect(told.status == 3 && told.errors.contains("archive number 2 in "), "\(told.text)\(told.errors)")
    #expect(!told.text.contains("every target has the newest archive"), "\(told.text)")
    try machine.remove(copy)
    let copied = try machine.run(["copy", "--json"] + both(machine))
    #expect(try copied.status == 0 && copied.json()["copied"]?.elements.count == 1, "\(copied.errors)")
  }

  @Test func `private keys that were made for a local target are not copied to a synced one`() throws {
    let machine = try Machine()
    for name in ["target", "state"] { try machine.remove(name) }
    for name in ["target", "second"] { try Directory.makePrivateDirectories(machine.path(name)) }
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n",
      to: "home/.config/fueki-backup/config.toml")
    #expect(try machine.create(["--include-private-keys"]).status == 0)
    let refused = try machine.run(["copy"] + both(machine))
    #expect(
      refused.status == 3 && refused.errors.contains("the archive has private keys"), "\(refused.errors)")
    #expect(try machine.names(in: "second").isEmpty)
    #expect(try machine.run(["copy", "--accept=synced-keys"] + both(machine)).status == 0)
    #expect(try archives(in: "second", of: machine).count == 1)
  }
}
