import FuekiSystem
import TestSupport
import Testing

/// Targets on rclone's remotes, each served by a real server.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct RcloneTests {
  @Test(arguments: RcloneRemote.Kind.served)
  func `archives go to a remote, are found there and come back`(_ kind: RcloneRemote.Kind) throws {
    try walkThrough(kind)
  }

  @Test(.enabled(if: RcloneRemote.python != nil, "this machine has no moto, which serves S3"))
  func `archives go to S3, are found there and come back`() throws { try walkThrough(.s3) }

  private func walkThrough(_ kind: RcloneRemote.Kind) throws {
    let machine = try Machine()
    try machine.remove("state")
    let remote = try RcloneRemote(kind, machine)
    let target = ["--target", remote.target]

    for sequence in 1...2 {
      let made = try remote.create(["--json"], status: 0)
      let path = try #require(made.json()["archive"]?.text)
      #expect(path.hasPrefix("\(remote.target)/") && path.hasSuffix(".fueki"))
      #expect(try made.json()["sequence"] == .number(Double(sequence)))
    }
    let names = try remote.names()
    #expect(names.count == 2 && names.allSatisfy { $0.hasSuffix(".fueki") }, "\(names)")
    #expect(try machine.names(in: "state/outgoing").isEmpty)

    // No folder has the vault's last archive: a wrong passphrase is found on the remote.
    try machine.write("another passphrase of some length", to: "wrong")
    try remote.run(
      ["create", "--passphrase-from", machine.place("wrong")] + target + machine.keychainSecret
        + Machine.quick, status: 12)
    #expect(try remote.names() == names)

    let list = try remote.run(["list", remote.target, "--json"], status: 0)
    let archives = try #require(list.json()["archives"]?.elements)
    #expect(archives.map { $0["state"]?.text } == ["complete", "complete"])
    #expect(archives.map { $0["path"]?.text } == names.reversed().map { "\(remote.target)/\($0)" })

    let verify = try remote.run(["verify", remote.target, "--json"], status: 0)
    #expect(try verify.json()["archives"]?.elements.count == 2)
    let contents = ["verify", "\(remote.target)/\(names[0])", "--depth", "contents"] + machine.archiveSecret
    try remote.run(contents, status: 0)
    let show = try remote.run(["show", "latest", "--json"] + target + machine.archiveSecret, status: 0)
    #expect(try show.json()["sections"]?.elements.isEmpty == false)
    #expect(try remote.run(["status"] + target).status == 0)
    let doctor = try remote.run(["doctor", "-v"] + target)
    #expect(doctor.text.contains("ok: target \(remote.target): writes, reads back"), "\(doctor.text)")

    try remote.run(
      ["restore", "latest", "--datadir", machine.path("restored")] + target + machine.secrets, status: 0)
    try remote.run(
      ["diff", "latest", "--live", "--exit-code", "--datadir", machine.path("restored")] + target
        + machine.archiveSecret + machine.keychainSecret, status: 0)

    try remote.run(
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("passphrase")] + target
        + machine.archiveSecret + Machine.quick, status: 0)
    try remote.run(["prune", "--keep-last", "1", "--json"] + target, status: 0)
    let left = try remote.names()
    #expect(left.count == 1 && !names.contains(left[0]), "\(left)")
    #expect(try remote.run(["verify", "latest"] + target).status == 0)
  }

  @Test func `a configuration names remotes, and init writes them`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let text = """
      [[target]]
      name = "cloud"
      kind = "rclone"
      path = "local:wallet"

      [[target]]
      path = "\(machine.target)"
      kind = "local"
      """
    try machine.write(text, to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    #expect(try remote.run(["config", "validate"] + config).status == 0)
    try remote.run(["create", "--json"] + config + machine.secrets, status: 0)
    #expect(try remote.names().count == 1)
    let list = try remote.run(["list", "--json"] + config)
    #expect(try list.json()["archives"]?.elements.count == 3)

    try machine.write("[[target]]\nkind = \"local\"\npath = \"rclone:local:wallet\"\n", to: "wrong.toml")
    #expect(try remote.run(["config", "validate", "--config", machine.path("wrong.toml")]).status == 64)
    try machine.write("[[target]]\npath = \"rclone:local:none\"\n", to: "wrong.toml")
    #expect(try remote.run(["config", "validate", "--config", machine.path("wrong.toml")]).status == 10)

    let new = machine.path("new.toml")
    try remote.run(["init", "--no-sign-key", "--target", remote.target, "--config", new], status: 0)
    let written = try machine.text("new.toml")
    #expect(written.contains("path = \"rclone:local:wallet\"\nkind = \"rclone\""), "\(written)")
    #expect(try remote.run(["list", "--config", new]).status == 0)
    let unit = try remote.run(["schedule", "print", "--systemd", "--user", "root", "--config", new])
    #expect(unit.status == 0 && !unit.text.contains("PrivateNetwork=yes"), "\(unit.errors)")
  }

  @Test func `what is no place on a remote is wrong usage, and what is not there ends with 10`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    for wrong in [
      "rclone:", "rclone:local", "rclone::local:/tmp", "rclone:a,pass=b:c", "rclone:--config=x:y",
    ] {
      let run = try remote.run(["list", wrong])
      #expect(run.status == 64, "\(wrong): \(run.errors)")
      #expect(try remote.run(["create", "--target", wrong] + machine.secrets).status == 64, "\(wrong)")
    }
    for absent in ["rclone:nobody:wallet", "rclone:local:none"] {
      let listed = try remote.run(["list", absent])
      #expect(listed.status == 10 && listed.errors.contains("rclone mkdir"), "\(listed.errors)")
      #expect(try remote.run(["verify", absent]).status == 10)
      #expect(try remote.run(["show", "latest", "--target", absent]).status == 10)
      #expect(try remote.run(["create", "--target", absent] + machine.secrets).status == 10)
    }
    #expect(!machine.exists("remote/none"))
    #expect(try remote.run(["show", "\(remote.target)/none.fueki"]).status == 10)
  }

  @Test func `private keys do not leave for a remote unless that is insisted on`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let run = try remote.create(["--include-private-keys"])
    #expect(run.status == 64 && run.errors.contains("--accept synced-keys"))
    #expect(try remote.names().isEmpty)
  }

  @Test func `rclone is told nothing secret`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let spy = try remote.interfere(
      with: "copyto", "env >$root/seen; ls -l /proc/$$/fd >>$root/seen; real \"$@\"; exit $?")
    try remote.run(
      ["create", "--target", remote.target] + machine.keychainSecret + Machine.quick,
      environment: spy.merging(["FUEKI_PASSPHRASE": Machine.passphrase]) { $1 }, status: 0)
    let seen = String(decoding: try machine.read("seen") + machine.read("runs"), as: UTF8.self)
    #expect(seen.contains("RCLONE_CONFIG=") && seen.contains("copyto"))
    for secret in [Machine.passphrase, "FUEKI_", "keychain", "passphrase"] {
      #expect(!seen.contains(secret), "\(secret)")
    }
  }

  @Test func `a long archive is listed by its ends though it was cut, and only verify fetches it`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "6000"], status: 0)
    let archive = try #require(machine.names(in: "demo/backups").first { $0.hasSuffix(".fueki") })
    let bytes = try machine.read("demo/backups/\(archive)")
    try #require(bytes.count > 1 << 20)
    try machine.write(bytes, to: "remote/wallet/whole.fueki")
    let spy = try remote.interfere(with: "none", ":")
    let list = try remote.run(["list", remote.target, "--json"], environment: spy)
    #expect(try list.json()["archives"]?[0]?["state"] == .string("complete"), "\(list.errors)")
    let runs = try machine.text("runs").split(separator: "\n")
    #expect(runs.filter { $0.hasPrefix("cat ") }.count <= 3, "\(runs)")

    try machine.write(Array(bytes.dropLast(1000)), to: "remote/wallet/cut.fueki")
    try machine.write(bytes + [1, 2, 3], to: "remote/wallet/longer.fueki")
    var damaged = bytes
    damaged[bytes.count / 2] ^= 1
    try machine.write(damaged, to: "remote/wallet/damaged.fueki")
    // A file that only begins like an archive must not fill the disk of a machine that lists the folder.
    var planted = Array(bytes.prefix(100_000))
    planted += [UInt8](repeating: 0x41, count: 3 << 20)
    try machine.write(planted, to: "remote/wallet/planted.fueki")
    try machine.remove("runs")
    let again = try remote.run(["list", remote.target, "--json"], environment: spy)
    let reads = try machine.text("runs").split(separator: "\n")
      .filter { $0.hasPrefix("cat ") }
    #expect(reads.allSatisfy { $0.contains("--count") }, "\(reads)")
    let states = try #require(again.json()["archives"]?.elements).map {
      "\($0["path"]?.text?.split(separator: "/").last ?? "") \($0["state"]?.text ?? "")"
    }
    #expect(
      states.sorted() == [
        "cut.fueki incomplete", "damaged.fueki complete", "longer.fueki damaged",
        "planted.fueki incomplete", "whole.fueki complete",
      ], "\(states)")
    for (name, status) in [("whole", 0), ("damaged", 20), ("longer", 20), ("cut", 21), ("planted", 21)] {
      #expect(
        try remote.run(["verify", "\(remote.target)/\(name).fueki"]).status == Int32(status), "\(name)")
    }
    #expect(try machine.names(in: "tmp").isEmpty)
  }
}
