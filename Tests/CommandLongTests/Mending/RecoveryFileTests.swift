import FuekiSystem
import TestSupport
import Testing

/// Recovery files next to archives, made by `create --parity` with Debian's `par2`.
@Suite(.enabled(if: Recovery.isInstalled, "this machine has no par2"))
struct RecoveryFileTests {
  @Test func `recovery files lie beside the archive in every target, and are listed with it`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    let run = try machine.create(["--parity", "5%", "--target", machine.path("second"), "--json"], status: 0)
    let archive = try #require(try machine.archives().last)
    let name = String(archive.dropFirst("target/".count))
    let files = try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }
    #expect(files.count == 2 && files.contains("\(name).par2"), "\(files)")
    #expect(try run.json()["recovery_files"]?.elements.compactMap(\.text) == files)
    #expect(try machine.names(in: "second") == [name] + files)
    for file in files { #expect(try machine.read("target/\(file)") == machine.read("second/\(file)")) }

    let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    #expect(list.count == 2)
    let listed = list.first { $0["path"]?.text == machine.path(archive) }
    #expect(listed?["recovery_files"]?.elements.compactMap(\.text) == files)
    let verified = try BuiltBinary.run(
      program: "/usr/bin/par2", ["verify", "-q", "\(name).par2"], cwd: machine.target)
    #expect(verified.status == 0, "\(verified.text)")
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(!machine.exists("state/mending"))
  }

  @Test func `a planted hole is not written out, and the true files repair nevertheless`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[$0.count / 2] ^= 1 }
    let machine = recovery.machine
    try machine.write("PAR2\0PKT", to: "\(recovery.archive).vol0+1.par2")
    try machine.write("PAR2\0PKT", to: "\(recovery.archive).vol1+2.par2")
    for (name, size) in [("vol0+1", "300G"), ("vol1+2", "15M")] {
      let run = try BuiltBinary.run(
        program: "/usr/bin/truncate", ["-s", size, machine.path("\(recovery.archive).\(name).par2")])
      try #require(run.status == 0, "\(run.errors)")
    }
    try machine.run(["repair", recovery.path] + machine.archiveSecret, status: 0)
    #expect(try machine.read(recovery.archive) == recovery.bytes)
  }

  @Test func `the configuration asks for them, and the command line may not want them`() throws {
    let machine = try Machine()
    let path = machine.path("config.toml")
    try machine.write("[[vault]]\nparity = \"10%\"\n", to: "config.toml")
    #expect(try machine.create(["--config", path, "--parity", "0%"]).status == 0)
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
    #expect(try machine.create(["--config", path]).status == 0)
    #expect(try machine.names(in: "target").filter { $0.hasSuffix(".par2") }.count == 2)
    try machine.write("[[vault]]\nparity = \"a lot\"\n", to: "config.toml")
    let refused = try machine.run(["config", "validate", "--config", path])
    #expect(refused.status == 64 && refused.errors.contains("percentage"), "\(refused.errors)")
    #expect(try machine.create(["--parity", "101%"]).status == 64)
  }

  @Test func `an archive with other keys gets them as any other`() throws {
    let machine = try Machine()
    let path = machine.path("config.toml")
    try machine.write("[[vault]]\nparity = \"5%\"\n", to: "config.toml")
    #expect(try machine.create(["--config", path]).status == 0)
    let made = try machine.archives().count
    let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    let add =
      ["key", "add", "latest", "--target", machine.target, "--config", path, "--recipient", recipient]
      + machine.archiveSecret
    let added = try machine.run(add)
    #expect(added.status == 0 && added.text.contains("recovery files next to it"), "\(added.errors)")
    let archive = try #require(try machine.archives().last)
    let name = String(archive.dropFirst("target/".count))
    #expect(try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }.count == 2)
    let verified = try BuiltBinary.run(
      program: "/usr/bin/par2", ["verify", "-q", "\(name).par2"], cwd: machine.target)
    #expect(verified.status == 0, "\(verified.text)")

    // Without the program, the keys are still changed.
    let without = try machine.run(
      add + ["--drop", "2"], environment: ["PATH": machine.path("home")])
    #expect(without.status == 3 && without.errors.contains("package par2"), "\(without.errors)")
    #expect(without.text.contains("read back and verified"))
    #expect(try machine.archives().count == made + 2)
  }

  @Test func `they go with their archive`() throws {
    let machine = try Machine()
    for _ in 0..<2 { #expect(try machine.create(["--parity", "5%"]).status == 0) }
    let names = try machine.names(in: "target")
    #expect(names.filter { $0.hasSuffix(".par2") }.count == 4)
    try machine.run(["prune", "--target", machine.target, "--keep-last", "1"], status: 0)
    let left = try machine.names(in: "target")
    let newest = try #require(left.last { $0.hasSuffix(".fueki") })
    #expect(left.filter { $0.hasSuffix(".par2") }.allSatisfy { $0.hasPrefix(newest) }, "\(left)")
    #expect(left.filter { $0.hasSuffix(".par2") }.count == 2)
  }

  @Test func `verify says whether damage can be repaired, and restore names what mends it`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[20_000] ^= 1 }
    let verified = try recovery.machine.run(["verify", recovery.path], status: 20)
    #expect(
      verified.text.contains("damaged, and can be repaired: 1 of \(recovery.blocks) blocks"),
      "\(verified.text)")
    #expect(verified.text.contains("fueki-backup repair "))
    let document = try recovery.machine.run(["verify", recovery.path, "--json"]).json()
    #expect(document["archives"]?[0]?["repairable"]?["blocks_needed"]?.number == 1)
    for archive in [recovery.path, "latest"] {
      let restored = try recovery.machine.restore(archive, status: 20)
      #expect(restored.errors.contains("fueki-backup repair \(recovery.path)"), "\(restored.errors)")
      #expect(restored.errors.contains("--salvage"))
    }
    try recovery.damage { for place in stride(from: 0, to: $0.count, by: 3000) { $0[place] ^= 1 } }
    let beyond = try recovery.machine.run(["verify", recovery.path])
    #expect(beyond.text.contains("damaged, and cannot be repaired"), "\(beyond.text)")
  }
}
