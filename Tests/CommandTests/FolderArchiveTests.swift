import FuekiSystem
import TestSupport
import Testing

/// A folder where an archive is meant, several targets, and standard input.
struct FolderArchiveTests {
  @Test func `a folder stands for its newest archive`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let latest = try machine.run(["show", "latest", "--target", machine.target, "--json"]).json()
    for command in [["show"], ["info"]] {
      let run = try machine.run(command + [machine.target, "--json"], status: 0)
      #expect(try run.json()["header"] == latest["header"])
    }
    for command in [
      ["drill", machine.target], ["export", machine.target, "-o", machine.path("out")],
      ["diff", machine.target, "--live"], ["key", "list", machine.target],
    ] {
      let secrets = command[0] == "key" ? [] : machine.archiveSecret
      let keychain = ["drill", "diff"].contains(command[0]) ? machine.keychainSecret : []
      let run = try machine.run(command + secrets + keychain)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
  }

  @Test func `several targets are listed together`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    try machine.copy(try #require(try machine.archives().first), to: "second/copy.fueki")
    let run = try machine.run(["list", machine.target, machine.path("second"), "--json"], status: 0)
    #expect(try run.json()["archives"]?.elements.count == 2)
  }

  @Test func `a folder is listed without a home`() throws {
    let machine = try Machine()
    let binary = try PreparedMachine.binary()
    let run = try BuiltBinary.run(
      program: "/usr/bin/env", ["-i", binary, "list", machine.target, "--json"], cwd: machine.root)
    #expect(run.status == 0, "\(run.errors)")
    #expect(try run.json()["archives"]?.elements.count == 1)
  }

  @Test func `a file on standard input is verified, and a pipe is refused`() throws {
    let machine = try Machine()
    let archive = machine.path(try #require(try machine.archives().first))
    let script = "\"$0\" verify - < \"$1\""
    let binary = try PreparedMachine.binary()
    let environment = ["HOME": machine.path("home"), "FUEKI_STATE": machine.state]
    let run = try BuiltBinary.run(
      program: "/bin/sh", ["-c", script, binary, archive], environment: environment, cwd: machine.root)
    #expect(
      run.status == 0 && run.text.contains("ok: standard input (checksums)"), "\(run.text) \(run.errors)")
    let piped = try BuiltBinary.run(
      program: "/bin/sh", ["-c", "cat \"$1\" | \"$0\" verify -", binary, archive], environment: environment,
      cwd: machine.root)
    #expect(piped.status == 64 && piped.errors.contains("verify - < FILE"), "\(piped.errors)")
  }

  @Test func `archives of two vaults name their vaults`() throws {
    let first = try Machine()
    let one = try first.run(["list", first.target])
    #expect(!one.text.contains("  vault "), "\(one.text)")
    let other = try Machine(isPrepared: false)
    try other.write("canary, whole", to: "home/wallets/note")
    let made = try other.run(
      ["create", "-t", other.target, "--accept=synced-keys", "--from"]
        + ["file:\(other.path("home/wallets/note"))"] + other.archiveSecret + Machine.quick)
    try #require(made.status == 0, "\(made.errors)")
    let archive = try #require(try other.archives().first)
    try first.write(try other.read(archive), to: "target/other.fueki")
    let both = try first.run(["list", first.target])
    #expect(
      both.text.split(separator: "\n").dropFirst().allSatisfy { $0.contains("  vault ") }, "\(both.text)")
    let show = try Machine(isPrepared: false).run(["show", first.target])
    #expect(show.status == 23 && show.errors.contains("fueki-backup list"), "\(show.errors)")
  }

  @Test func `quiet verify prints only what is wrong`() throws {
    let machine = try Machine()
    let run = try machine.run(["verify", machine.target, "-q"])
    #expect(run.status == 0 && run.text.isEmpty && run.errors.isEmpty, "\(run.text) \(run.errors)")
    let archive = try #require(try machine.archives().first)
    try machine.damage(archive)
    let damaged = try machine.run(["verify", machine.target, "-q"])
    #expect(damaged.status == 20 && damaged.text.contains("damaged: a part of the "), "\(damaged.text)")
    #expect(damaged.text.contains("undamaged: "), "\(damaged.text)")
  }
}
