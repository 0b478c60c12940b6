import FuekiSystem
import TestSupport
import Testing

struct TargetTests {
  @Test(arguments: [["create"], ["list"], ["verify", "latest"], ["show", "latest"], ["restore", "latest"]])
  func `a target that is not there ends with 10 and is not made`(_ command: [String]) throws {
    let machine = try Machine()
    let more = command[0] == "create" ? machine.secrets : []
    try machine.run(
      command + ["--target", machine.path("none")] + more,
      environment: command[0] == "create" ? [:] : ["FUEKI_DATADIR": machine.path("new")], status: 10)
    #expect(!machine.exists("none"))
    #expect(!machine.exists("new"))
  }

  @Test func `an empty target has no latest archive`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty"))
    for command in ["verify", "show"] {
      #expect(try machine.run([command, "latest", "--target", machine.path("empty")]).status == 10)
    }
    let list = try machine.run(["list", machine.path("empty"), "--json"], status: 0)
    #expect(try list.json()["archives"] == .array([]))
  }

  @Test(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"))
  func `a read-only target is left as it was`() throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let run = try machine.create(
      through: Namespace.shell(
        "mount --bind \"$T\" \"$T\" && mount -o remount,ro,bind \"$T\" && exec \"$@\"", machine), status: 1)
    #expect(run.errors.contains("read-only"))
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try machine.create().status == 0)
  }

  @Test(
    .enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"), arguments: [240, 300, 380])
  func `a full disk leaves the older archive and nothing else`(_ kibibytes: Int) throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    // Looked at from inside: the small disk is gone with the namespace.
    let run = try machine.create(
      through: Namespace.shell(
        """
        mkdir seen small && cp -a "$T/." small && mount -t tmpfs -o size=\(kibibytes)k small "$T" && cp -a small/. "$T"
        "$@"; status=$?; cp -a "$T/." seen; exit $status
        """, machine))
    #expect(run.status == 1, "\(run.errors)")
    #expect(run.errors.contains("free some space"))
    #expect(
      try machine.snapshot(of: "seen").map { [$0.key.dropFirst(4): $0.value] }
        == before.map { [$0.key.dropFirst(6): $0.value] })
    #expect(try machine.create().status == 0)
  }

  @Test(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"))
  func `a second target that is full is named, and the first has its archive`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    let run = try machine.create(
      ["--target", machine.path("second"), "--json"],
      through: Namespace.shell("mount -t tmpfs -o size=64k small second && exec \"$@\"", machine), status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(machine.path("second"))]))
    #expect(try machine.archives().count == 2)
    #expect(try machine.names(in: "second").isEmpty)
  }

  @Test func `a first target that goes away during the run leaves the archive to the second`() throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("second"))
    try machine.write(ImportedFiles.keystore, to: "home/keys/key")
    try machine.write(
      "#!/bin/sh\nmv '\(machine.target)' '\(machine.path("away"))'\necho a password\n", to: "unplug",
      permissions: 0o700)
    try machine.write(
      """
      [[vault]]
      from = []
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[target]]
      path = "\(machine.path("second"))"
      kind = "local"
      [[source]]
      kind = "keystore"
      path = "~/keys"
      password_command = "\(machine.path("unplug"))"
      """, to: "config.toml")
    let run = try machine.run(
      ["create", "--config", machine.path("config.toml"), "--json"] + machine.archiveSecret + Machine.quick,
      status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(machine.target)]), "\(run.text)")
    #expect(try machine.names(in: "second").count == 1 && machine.names(in: "away").isEmpty)
  }

  @Test(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"))
  func `nothing is put where the disk is not mounted that the archives are on`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    // The memory is of this folder, and not of that which the machine is a copy of.
    #expect(try machine.create().status == 0)
    let unmounted = Namespace.shell(
      "mount -t tmpfs small \"$T\" && \"$@\"; s=$?; ls -A \"$T\" >left; exit $s", machine)
    let alone = try machine.create(through: unmounted, status: 10)
    #expect(alone.errors.contains("not mounted"))
    #expect(try machine.read("left").isEmpty)
    let both = try machine.create(
      ["--target", machine.path("second"), "--json"], through: unmounted, status: 3)
    #expect(try both.json()["failed_targets"] == .array([.string(machine.target)]))
    #expect(try machine.read("left").isEmpty && machine.names(in: "second").count == 1)
    // If the file system is the same, the files were removed deliberately.
    for archive in try machine.archives() { try machine.remove(archive) }
    #expect(try machine.create().status == 0)
    // Another disk in its place, which is no lost wallet.
    #expect(try machine.create(["--accept", "loss"], through: unmounted).status == 10)
    #expect(try machine.create(["--accept", "new-disk"], through: unmounted).status == 0)
    #expect(try !machine.read("left").isEmpty)
  }

  @Test func `two targets get the same archive`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    let run = try machine.create(["--target", machine.path("second"), "--json"], status: 0)
    #expect(try run.json()["targets"]?.elements.count == 2)
    let name = try #require(machine.names(in: "second").first)
    #expect(try machine.read("second/\(name)") == machine.read("target/\(name)"))
  }

  @Test func `a target that is named twice gets the archive once`() throws {
    let machine = try Machine()
    try BuiltBinary.run(program: "/bin/ln", ["-s", machine.target, machine.path("link")]).expect(0)
    let run = try machine.create(
      ["--target", machine.target + "/", "--target", machine.path("link"), "--json"], status: 0)
    #expect(try run.json()["targets"]?.elements.count == 1)
    #expect(try machine.archives().count == 2)
  }

  @Test(arguments: ["000", "022", "777"])
  func `files and directories are for their owner only, whatever the umask`(_ umask: String) throws {
    let machine = try Machine()
    try machine.remove("state")
    let through = ["/bin/sh", "-c", "umask \(umask); exec \"$@\"", "sh"]
    try machine.create(["--adopt"], through: through, status: 0)
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("a/b/restored")]
        + machine.secrets,
      through: through, status: 0)
    for folder in ["state", "target", "a"] {
      try machine.visit(folder) { path, entry in
        let status = try Directory.open(machine.path(folder + "/..")).status(of: folder)
        #expect(status.permissions & 0o777 == 0o700, "\(folder)")
        let slash = try #require(path.lastIndex(of: "/"))
        let found = try Directory.open(machine.path(String(path[..<slash]))).status(of: entry.name)
        #expect(found.permissions & 0o777 == (entry.kind == .directory ? 0o700 : 0o600), "\(path)")
      }
    }
  }
}
