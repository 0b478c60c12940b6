import FuekiSystem
import TestSupport
import Testing

/// The program run alone, a command mistyped, and an archive left out.
struct WelcomeTests {
  @Test func `without a terminal it prints its commands by purpose`() throws {
    let run = try BuiltBinary.run([]).expect(0)
    for group in ["Set up", "Back up", "Get back", "Check", "Keys", "Advanced"] {
      #expect(run.text.lowercased().contains("\(group) subcommands".lowercased()), "\(group)")
    }
    #expect(!run.text.contains("makes no backups yet"))
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `on a terminal it says what to do now, in a few lines`() throws {
    let machine = try Machine(isPrepared: false)
    let new = try machine.type([], [], status: 0)
    #expect(new.text.hasPrefix("Lost a machine? fueki-backup restore"), "\(new.text)")
    #expect(new.text.contains("makes no backups yet") && new.text.contains("fueki-backup init"))
    #expect(new.text.split(separator: "\n").count <= 5, "\(new.text)")
    let own = try Machine()
    try own.run(["init", "--target", own.target, "--no-sign-key"]).expect(0)
    let run = try own.type([], []).expect(0)
    let status = try own.run(["status"])
    let shown = Self.withoutAges(run.text)
    for line in status.text.split(separator: "\n").prefix(3) {
      #expect(shown.contains(Self.withoutAges(String(line))), "\(line)")
    }
    #expect(run.text.contains("fueki-backup create"))
  }

  /// Two runs see other ages, in columns of another width.
  private static func withoutAges(_ text: String) -> String {
    text.replacing(/\d+ \w+ ago/, with: "ago").split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  @Test(
    .enabled(
      if: Typist.isPossible && Namespace.isPermitted, "needs python3, and mounts of one's own"))
  func `archives on a plugged-in disk are named where there is no wallet`() throws {
    let machine = try Machine()
    let mount = "mount -t tmpfs disk /mnt && mkdir /mnt/backups && cp \"$T\"/* /mnt/backups/ && exec \"$@\""
    let run = try machine.type(
      [], [], inside: Namespace.shell(mount, machine),
      environment: ["FUEKI_DATADIR": machine.path("none"), "FUEKI_STATE": machine.path("no-state")], status: 0
    )
    #expect(run.text.contains("/mnt/backups has 1 archive"), "\(run.text)")
    #expect(run.text.contains("fueki-backup restore"))
  }

  @Test(arguments: [
    (["restor"], "\"fueki-backup restore\""), (["stauts"], "\"fueki-backup status\""),
    (["config", "chekc"], "\"fueki-backup config check\""), (["key", "lits"], "\"fueki-backup key list\""),
    (["snapshts"], "\"fueki-backup list\""), (["forgt"], "\"fueki-backup prune\""),
    (["extrct"], "\"fueki-backup restore\""),
  ])
  func `a command that is nearly one is named`(_ arguments: [String], _ meant: String) throws {
    let run = try BuiltBinary.run(arguments).expect(64)
    #expect(run.errors.contains("did you mean \(meant)?"), "\(run.errors)")
    #expect(run.output.isEmpty)
  }

  @Test(arguments: ["xyzzyplugh", "fueki-backup"])
  func `a command that is near to none gets the list's place`(_ typed: String) throws {
    let run = try BuiltBinary.run([typed]).expect(64)
    #expect(
      run.errors.contains("fueki-backup --help") && !run.errors.contains("did you mean"), "\(run.errors)")
  }

  @Test func `config check is config validate`() throws {
    let machine = try Machine()
    #expect(try machine.run(["init", "--target", machine.target, "--no-sign-key"]).status == 0)
    let check = try machine.run(["config", "check"])
    let validate = try machine.run(["config", "validate"])
    #expect(check.status == 0 && check.text == validate.text, "\(check.errors)")
  }

  @Test func `the version's detail names format, libraries and sandbox`() throws {
    for arguments in [["--version", "-v"], ["--verbose", "--version"]] {
      let run = try BuiltBinary.run(arguments).expect(0)
      for part in ["fueki-backup ", "archive format: version 1", "libsodium: ", "SQLite: ", "sandbox: "] {
        #expect(run.text.contains(part), "\(run.text)")
      }
    }
  }

  @Test func `the newest archive is meant where none is named and targets are configured`() throws {
    let machine = try Machine()
    #expect(try machine.run(["init", "--target", machine.target, "--no-sign-key"]).status == 0)
    for command in [["show"], ["verify"], ["restore", "--dry-run"], ["diff", "--live"]] {
      let secrets = command == ["verify"] ? [] : machine.archiveSecret
      let more = command.first == "diff" || command.first == "restore" ? machine.keychainSecret : []
      let run = try machine.run(command + secrets + more)
      #expect(run.status == 0, "\(command): \(run.errors)")
    }
    try machine.run(["export", "--output", machine.path("out")] + machine.archiveSecret, status: 0)
  }

  @Test func `a number of the lineage names an archive`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let json = try machine.run(["show", "1", "--target", machine.target, "--json"]).json()
    #expect(json["header"]?["sequence"] == .number(1))
    try machine.run(
      ["restore", "2", "--target", machine.target, "--datadir", machine.path("new")] + machine.secrets,
      status: 0)
    #expect(try machine.run(["show", "7", "--target", machine.target]).status == 10)
  }

  @Test func `an empty folder asks whether the disk is right`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty"))
    let list = try machine.run(["list", machine.path("empty")], status: 0)
    #expect(list.errors.contains("No archives in \(machine.path("empty")). Is this the right disk?"))
    let restore = try machine.run(["restore", "latest", "--target", machine.path("empty")], status: 10)
    #expect(
      restore.errors.contains("No archives in \(machine.path("empty")). Is this the right disk?")
    )
    let verify = try machine.run(["verify", machine.path("empty")])
    #expect(verify.status == 10 && verify.errors.contains("Is this the right disk?"), "\(verify.errors)")
  }
}
