import FuekiSystem
import TestSupport
import Testing

/// Files whose changes make an archive at once.
struct WatchTests {
  private static let analyze = "/usr/bin/systemd-analyze"
  private static let channels = "home/.lnd/data/chain/bitcoin/mainnet"

  private func machine(_ configuration: String) throws -> Machine {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("units"))
    try machine.write("1", to: "\(Self.channels)/channel.backup")
    try machine.write("{}", to: "home/.ethereum/slashing_protection 100%.json")
    try machine.write(configuration, to: "config.toml")
    return machine
  }

  private func print(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(
      [
        "schedule", "print", "--systemd", "--watch", "--user", "root", "--config",
        machine.path("config.toml"),
      ]
        + ["--target", machine.target, "-p", "passphrase"] + machine.keychainSecret + more)
  }

  private static let sources = """
    [[source]]
    kind = "bip329"
    path = "~/.lnd/data/chain/*/*/channel.backup"
    [[source]]
    kind = "keystore"
    path = "~/.ethereum"

    """

  @Test(.enabled(if: Installed.runs(analyze), "this machine has no systemd-analyze"))
  func `systemd takes the path unit, and it names each file`() throws {
    let machine = try machine(Self.sources)
    let run = try print(machine, ["--output", machine.path("units")]).expect(0)
    #expect(run.errors.contains("systemctl enable --now fueki-backup.timer fueki-backup-watch.path"))
    let names = [
      "fueki-backup.service", "fueki-backup.timer", "fueki-backup-watch.service", "fueki-backup-watch.path",
    ]
    #expect(Set(try machine.names(in: "units")) == Set(names))
    let verified = try BuiltBinary.run(
      program: Self.analyze, ["verify", "--man=no"] + names.map { machine.path("units/\($0)") })
    #expect(verified.status == 0 && verified.errors.isEmpty, "\(verified.text) \(verified.errors)")
    let path = try machine.text("units/fueki-backup-watch.path")
    let watched = path.split(separator: "\n").filter { $0.hasPrefix("PathChanged=") }
    #expect(
      watched == [
        "PathChanged=\(machine.path("home/.ethereum/slashing_protection 100%%.json"))",
        "PathChanged=\(machine.path(Self.channels))/channel.backup",
      ])
    let service = try machine.text("units/fueki-backup-watch.service")
    let starts = service.split(separator: "\n").filter { $0.hasPrefix("ExecStart=") }
    #expect(starts.count == 2 && starts.allSatisfy { $0.contains("\"create\" \"--quiet\" \"--on-change\"") })
  }

  @Test func `where no source is such a file, that is said`() throws {
    let run = try print(machine("[[vault]]\nfrom = [\"store\"]\n"))
    #expect(run.status == 64 && run.errors.contains("discover --add"), "\(run.errors)")
  }

  @Test(arguments: [["--cron"], ["--systemd", "--drill"]])
  func `there is nothing to watch for a crontab or a drill`(_ arguments: [String]) throws {
    let machine = try machine(Self.sources)
    try machine.run(["schedule", "print", "--watch", "--target", machine.target] + arguments, status: 64)
  }
}
