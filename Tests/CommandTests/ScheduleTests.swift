import FuekiSystem
import TestSupport
import Testing

/// Units and crontab lines, against the programs that read them.
struct ScheduleTests {
  private static let analyze = "/usr/bin/systemd-analyze"
  private static let canAnalyze = Installed.runs(analyze)

  /// Paths with all that shells and systemd would expand.
  private func machine() throws -> (Machine, arguments: [String]) {
    let machine = try Machine()
    let target = machine.path("my 100% $HOME's \"target\"")
    try Directory.makePrivateDirectories(target)
    return (
      machine, ["--target", target, "-p", "passphrase", "--user", "daemon", "--at", "3:05"]
    )
  }

  private func units(_ machine: Machine, _ arguments: [String]) throws -> String {
    try Directory.makePrivateDirectories(machine.path("units"))
    let run = try machine.run(
      ["schedule", "print", "--systemd", "--output", machine.path("units")] + arguments, status: 0)
    let name = arguments.contains("--drill") ? "fueki-backup-drill" : "fueki-backup"
    #expect(run.errors.contains("systemctl enable --now \(name).timer"))
    return try machine.text("units/\(name).service")
  }

  @Test(
    .enabled(if: canAnalyze, "this machine has no systemd-analyze"),
    arguments: [[], ["--network"], ["--drill"]])
  func `systemd takes the units as they are, and finds the service safe`(_ more: [String]) throws {
    let (machine, arguments) = try machine()
    _ = try units(machine, arguments + ["--keychain-key-file", "key"] + more)
    let name = more == ["--drill"] ? "fueki-backup-drill" : "fueki-backup"
    let files = ["service", "timer"].map { machine.path("units/\(name).\($0)") }
    let verified = try BuiltBinary.run(program: Self.analyze, ["verify", "--man=no"] + files).expect(0)
    #expect(verified.text.isEmpty && verified.errors.isEmpty, "\(verified.text) \(verified.errors)")
    // In tenths: the figures of the article on every night are these.
    let limit = more == ["--network"] ? "18" : "9"
    let rated = try BuiltBinary.run(
      program: Self.analyze, ["security", "--offline=true", "--threshold=\(limit)", files[0]])
    #expect(rated.status == 0, "\(rated.text.split(separator: "\n").last ?? "")")
  }

  @Test func `a drill is held every Sunday, and writes nothing to the targets`() throws {
    let (machine, arguments) = try machine()
    let text = try units(machine, arguments + ["--drill", "--identity", "age.txt"])
    #expect(text.contains("\"drill\" \"--quiet\""))
    #expect(text.contains(" --identity \"%d/fueki-identity\"\n"))
    let writable = text.split(separator: "\n").filter { $0.hasPrefix("ReadWritePaths=") }
    #expect(writable == ["ReadWritePaths=\"-\(machine.data)\"", "ReadWritePaths=\"-\(machine.state)\""])
    let timer = try machine.text("units/fueki-backup-drill.timer")
    #expect(timer.contains("OnCalendar=Sun *-*-* 03:05:00\n"))
    let cron = try machine.run(["schedule", "print", "--cron", "--drill"] + arguments)
    #expect(cron.text.contains("\n5 3 * * 0 env "))
    #expect(try machine.run(["schedule", "print", "--cron", "--identity", "x"] + arguments).status == 64)
  }

  @Test(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
  func `the run knows rclone's remotes as the person knows them now`() throws {
    let machine = try Machine()
    let remote = try RcloneRemote(.local, machine)
    let elsewhere = try remote.interfere(with: "nothing", ":")
    let schedule = ["schedule", "print", "--target", remote.target]
    let print = schedule + ["--user", "daemon"]
    let secrets = ["-p", "passphrase", "--keychain-passphrase-from", "file:keychain.pass"]
    let environment = elsewhere.merging(["RCLONE_CONFIG": "rclone.conf", "RCLONE_CONFIG_PASS": "pw 91"]) {
      $1
    }
    let units = try machine.run(print + ["--systemd"] + secrets, environment: environment, status: 0)
    #expect(units.text.contains("\nEnvironment=\"RCLONE_CONFIG=\(machine.path("rclone.conf"))\"\n"))
    #expect(
      units.text.contains("\nEnvironment=\"PATH=\(machine.path("bin")):/usr/local/bin:/usr/bin:/bin\"\n"))
    // rclone writes a new token next to its configuration, and renames it over the file.
    #expect(units.text.contains("\nReadWritePaths=\"-\(machine.root)\"\n"))
    // A unit can be read by all.
    #expect(units.errors.contains("will not have RCLONE_CONFIG_PASS"))
    #expect(!units.text.contains("pw 91") && !units.errors.contains("pw 91"))

    let cron = try machine.run(print + ["--cron"] + secrets, environment: environment)
    let line = try #require(cron.text.split(separator: "\n").last { !$0.hasPrefix("#") })
    let made = try BuiltBinary.run(
      program: "/bin/sh", ["-c", String(line.dropFirst("30 2 * * * ".count))],
      environment: ["HOME": machine.path("home"), "PATH": "/usr/bin:/bin"], cwd: "/")
    #expect(made.status == 0, "\(made.errors)")
    #expect(try remote.names().count == 1)

    try machine.write(machine.read("rclone.conf"), to: "config/rclone/rclone.conf")
    // The current user: for another one, the folders in the environment do not apply.
    let own = Account.current.map { ["--user", $0] } ?? []
    let inFolder = try machine.run(
      schedule + ["--cron"] + own, environment: ["XDG_CONFIG_HOME": machine.path("config")])
    #expect(inFolder.text.contains(" RCLONE_CONFIG=\(machine.path("config/rclone/rclone.conf")) "))
  }

  @Test func `another person's run has that person's places`() throws {
    let machine = try Machine()
    let home = try #require(Account.home(of: "daemon"))
    let run = try machine.run(
      ["schedule", "print", "--systemd", "--target", machine.target, "--user", "daemon"],
      environment: ["FUEKI_STATE": "", "FUEKI_DATADIR": "", "XDG_STATE_HOME": machine.path("state")],
      status: 0)
    #expect(run.text.contains("\"FUEKI_STATE=\(home)/.local/state/fueki-backup\""))
    #expect(run.text.contains("\"--datadir\" \"\(home)/.local/share/fueki\""))
    #expect(!run.text.contains(machine.path("state")) && !run.text.contains(machine.path("home")))
  }

  @Test func `a run of a user that this machine has not is refused, not made of one's own configuration`()
    throws
  {
    let machine = try Machine()
    let run = try machine.run(
      ["schedule", "print", "--systemd", "--target", machine.target, "--user", "nobody-of-this-name"])
    #expect(run.status == 64 && run.errors.contains("no user"), "\(run.text) \(run.errors)")
  }

  @Test func `every secret that a set up machine needs is handed over, and a missing one is named`() throws {
    let machine = try Machine()
    let signing = ["--signing-passphrase-from", machine.place("passphrase")]
    let configuration = ["--config", machine.path("config.toml")]
    try machine.run(
      ["init", "--target", machine.target] + configuration + signing + machine.keychainSecret + Machine.quick,
      status: 0)
    let print = ["schedule", "print", "--cron", "--user", "daemon"] + configuration
    let bare = try machine.run(print, status: 0)
    for option in ["--passphrase-from", "--keychain-passphrase-from", "--signing-passphrase-from"] {
      #expect(bare.errors.contains("use \(option)"), "\(bare.errors)")
    }
    let files = ["-p", "passphrase", "--keychain-passphrase-from", "file:keychain.pass"]
    let full = try machine.run(print + files + signing)
    #expect(!full.errors.contains("warning"), "\(full.errors)")
    let line = try #require(full.text.split(separator: "\n").last { !$0.hasPrefix("#") })
    try BuiltBinary.run(program: "/bin/sh", ["-c", String(line.dropFirst("30 2 * * * ".count))]).expect(0)
    #expect(try machine.archives().count == 2)

    let units = try machine.run(
      ["schedule", "print", "--systemd", "--user", "daemon"] + configuration + files + signing)
    for name in ["passphrase", "keychain-passphrase", "signing-passphrase"] {
      #expect(units.text.contains("\nLoadCredential=fueki-\(name):"), "\(units.text)")
      #expect(!units.text.contains(" --\(name)-file"))
    }
  }

  @Test func `the secrets are credentials, and nothing but the wallet's places can be written`() throws {
    let (machine, arguments) = try machine()
    let text = try units(machine, arguments + ["--keychain-key-file", "key"])
    #expect(text.contains("LoadCredential=fueki-passphrase:\(machine.path("passphrase"))\n"))
    #expect(text.contains("LoadCredential=fueki-keychain-key:\(machine.path("key"))\n"))
    #expect(text.contains(" --keychain-key-file \"%d/fueki-keychain-key\"\n"))
    #expect(!text.contains("--passphrase-from"))
    #expect(text.contains("\"\(machine.path("my 100%% $$HOME's \\\"target\\\""))\""))
    let writable = text.split(separator: "\n").filter { $0.hasPrefix("ReadWritePaths=") }
    #expect(
      writable.map(String.init) == [
        "ReadWritePaths=\"-\(machine.path("my 100%% $HOME's \\\"target\\\""))\"",
        "ReadWritePaths=\"-\(machine.data)\"", "ReadWritePaths=\"-\(machine.state)\"",
      ])
    let timer = try machine.text("units/fueki-backup.timer")
    #expect(timer.contains("OnCalendar=*-*-* 03:05:00\n") && timer.contains("Persistent=true\n"))
    // The same again changes nothing; another time would.
    _ = try units(machine, arguments + ["--keychain-key-file", "key"])
    let other = ["schedule", "print", "--systemd", "--output", machine.path("units")] + arguments
    #expect(try machine.run(other).status == 40)
    #expect(try machine.read("units/fueki-backup.service") == Array(text.utf8))
  }

  @Test func `a health check needs the network`() throws {
    let (machine, arguments) = try machine()
    let check = "[[health]]\nurl = \"https://a/b\"\ncommands = "
    for (command, isClosed) in [("verify", true), ("create", false)] {
      try machine.write("\(check)[\"\(command)\"]\n", to: "config.toml")
      let run = try machine.run(
        ["schedule", "print", "--systemd", "--config", machine.path("config.toml")] + arguments)
      #expect(run.text.contains("PrivateNetwork=yes") == isClosed, "\(run.errors)")
    }
  }

  @Test func `the crontab's line makes an archive`() throws {
    let (machine, arguments) = try machine()
    let run = try machine.run(["schedule", "print", "--cron"] + arguments, status: 0)
    let line = try #require(run.text.split(separator: "\n").last { !$0.hasPrefix("#") })
    #expect(line.hasPrefix("5 3 * * * env FUEKI_STATE="))
    // As cron hands it to the shell.
    let command = String(line.dropFirst("5 3 * * * ".count)).replacing("\\%", with: "%")
    let made = try BuiltBinary.run(
      program: "/bin/sh", ["-c", command],
      environment: ["FUEKI_KEYCHAIN_PASSPHRASE_FILE": machine.path("keychain.pass")], cwd: "/")
    #expect(made.status == 0 && made.text.isEmpty, "\(made.text) \(made.errors)")
    #expect(try machine.names(in: "my 100% $HOME's \"target\"").count == 1)
  }

  @Test func `a credential's access list does not make it a file that others can read`() throws {
    let machine = try Machine()
    try machine.write(Machine.passphrase, to: "credentials/fueki-passphrase", permissions: 0o440)
    let arguments = ["show", "latest", "--target", machine.target, "--json"]
    let environment = ["CREDENTIALS_DIRECTORY": machine.path("credentials")]
    #expect(try machine.run(arguments, environment: environment).json()["sections"] != nil)
    try machine.write(Machine.passphrase, to: "credentials/fueki-passphrase", permissions: 0o444)
    #expect(try machine.run(arguments, environment: environment).status == 64)
  }

  @Test(arguments: [
    ["--systemd", "--cron"], [], ["--systemd", "--at", "24:00"], ["--systemd", "--at", "2"],
    ["--systemd", "--user", "two words"], ["--cron"],
  ])
  func `what cannot be scheduled is wrong usage`(_ arguments: [String]) throws {
    let machine = try Machine()
    let targets = arguments == ["--cron"] ? [] : ["--target", machine.target]
    try machine.run(["schedule", "print"] + arguments + targets, environment: ["USER": "root"], status: 64)
  }
}
