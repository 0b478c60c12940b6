import TestSupport
import Testing

/// `schedule install` and `schedule remove`, in a home of their own and with no manager to reach.
struct ScheduleInstallTests {
  private static let systemctl = "/usr/bin/systemctl"
  private static let analyze = "/usr/bin/systemd-analyze"
  /// No bus, so that no manager of this machine is reached.
  private static let noBus = [
    "XDG_RUNTIME_DIR": "/nonexistent", "DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus",
  ]

  private func install(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(
      ["schedule", "install", "-t", machine.target] + machine.archiveSecret + more, environment: Self.noBus)
  }

  @Test func `a dry run shows the units and writes nothing`() throws {
    let machine = try Machine()
    let run = try install(machine, ["--dry-run"]).expect(0)
    let folder = machine.path("home/.config/systemd/user")
    #expect(run.text.contains("# \(folder)/fueki-backup.service") && run.text.contains("OnCalendar="))
    #expect(run.text.contains("file:\(machine.path("passphrase"))"), "\(run.text)")
    // A user's manager cannot change the user, and refuses to drop capabilities.
    #expect(!run.text.contains("User=") && !run.text.contains("CapabilityBoundingSet"), "\(run.text)")
    #expect(!machine.exists("home/.config"))
  }

  @Test(.enabled(if: Installed.runs(systemctl, ["--version"]), "this machine has no systemctl"))
  func `without a yes it installs nothing, and without a manager it says what to do`() throws {
    let machine = try Machine()
    let asked = try install(machine)
    #expect(asked.status == 64 && asked.errors.contains("--yes"), "\(asked.errors)")
    #expect(!machine.exists("home/.config"))
    let run = try install(machine, ["--yes"]).expect(3)
    #expect(run.errors.contains("no backup runs by itself yet"), "\(run.errors)")
    #expect(run.errors.contains("systemctl --user enable --now fueki-backup.timer"), "\(run.errors)")
    for name in ["service", "timer"] {
      #expect(machine.exists("home/.config/systemd/user/fueki-backup.\(name)"))
    }
    let again = try install(machine, ["-y", "--at", "04:10", "--json"])
    #expect(again.status == 3 && again.text.contains("\"fueki.error"), "\(again.text)")
    let timer = try machine.read("home/.config/systemd/user/fueki-backup.timer")
    #expect(String(decoding: timer, as: UTF8.self).contains("04:10"))

    let removed = try machine.run(["schedule", "remove"], environment: Self.noBus)
    #expect(removed.status == 0 && removed.text.contains("fueki-backup.timer"), "\(removed.errors)")
    #expect(!machine.exists("home/.config/systemd/user/fueki-backup.timer"))
    #expect(try machine.run(["schedule", "remove"], environment: Self.noBus).status == 10)
  }

  @Test func `without systemd it offers cron`() throws {
    let machine = try Machine()
    let run = try machine.run(
      ["schedule", "install", "--yes", "-t", machine.target] + machine.archiveSecret,
      environment: ["PATH": machine.path("none")])
    #expect(run.status == 1 && run.errors.contains("schedule print --cron"), "\(run.errors)")
    #expect(!machine.exists("home/.config"))
  }

  @Test(.enabled(if: Installed.runs(analyze, ["--version"]), "this machine has no systemd-analyze"))
  func `systemd accepts the units of a user`() throws {
    let machine = try Machine()
    try install(machine, ["--yes"]).expect(3)
    let folder = machine.path("home/.config/systemd/user")
    let verified = try BuiltBinary.run(
      program: Self.analyze,
      ["verify", "--man=no", "\(folder)/fueki-backup.service", "\(folder)/fueki-backup.timer"])
    #expect(verified.status == 0, "\(verified.errors)")
    #expect(!verified.errors.contains("fueki-backup"), "\(verified.errors)")
  }
}
