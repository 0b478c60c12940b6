import TestSupport
import Testing

/// The whole program, on a machine whose clock is wrong: with libfaketime, which no other process sees.
struct ClockTests {
  /// The times of the clock, in order, and the dates of archives made then.
  private static let clocks = [
    ("2026-11-21 06:30:00", "2026-11-21T06:30:0"), ("1970-01-01 00:00:00", "1970-01-01T00:00:0"),
    ("1960-02-29 12:00:00", "1970-01-01T00:00:0"), ("2024-02-29 23:59:50", "2024-02-29T23:59:5"),
    ("2038-01-19 03:14:08", "2038-01-19T03:14:"), ("2106-02-07 06:28:16", "2106-02-07T06:28:"),
    ("9999-12-31 23:59:00", "9999-12-31T23:59:"),
  ]

  private func at(_ clock: String) -> [String] { ["/usr/bin/faketime", "-f", clock] }

  private func run(_ machine: Machine, _ clock: String, _ arguments: [String]) throws -> RunResult {
    try machine.run(arguments, through: at(clock), environment: ["TZ": "UTC"])
  }

  @Test func `whatever the clock says, the archives are in their order and the newest stays`() throws {
    let machine = try Machine()
    var last = ""
    for (number, (clock, date)) in Self.clocks.enumerated() {
      let made = try run(
        machine, clock, ["create", "--target", machine.target, "--json"] + machine.secrets)
      #expect(made.status == 0, "\(clock): \(made.errors)")
      #expect(try made.json()["sequence"] == .number(Double(number + 2)))
      last = try made.json()["id"]?.text ?? ""
      let list = try run(machine, clock, ["list", machine.target, "--json"]).json()
      let newest = list["archives"]?.elements.first
      #expect(newest?["id"] == .string(last), "\(clock)")
      #expect(newest?["created"]?.text?.hasPrefix(date) == true, "\(clock)")
      #expect(list["archives"]?.elements.allSatisfy { $0["state"] == .string("complete") } == true)
      #expect(try run(machine, clock, ["verify", machine.target]).status == 0)
      let status = try run(machine, clock, ["status", "--target", machine.target, "--max-age", "2d"])
      #expect(status.status == 0, "\(clock): \(status.text)")
    }
    for (clock, _) in Self.clocks {
      let prune = try run(
        machine, clock, ["prune", "--target", machine.target, "--keep-yearly", "1", "--json", "--dry-run"])
      // Where most of them are of the future, it is the clock that is wrong.
      let isBehind = clock < "2026"
      #expect(prune.status == (isBehind ? 3 : 0), "\(clock): \(prune.errors)")
      let kept = try prune.json()["targets"]?[0]?["kept"]?.elements ?? []
      #expect(kept.contains { $0["id"] == .string(last) }, "\(clock)")
    }
    #expect(try machine.restore().status == 0)
  }

  @Test func `after the clock went back, the last backup is not taken for a new one`() throws {
    let machine = try Machine()
    let made = try run(
      machine, "2038-01-20 00:00:00", ["create", "--target", machine.target] + machine.secrets)
    #expect(made.status == 0, "\(made.errors)")
    let status = ["status", "--target", machine.target, "--max-age", "2d"]
    #expect(try run(machine, "2038-01-21 00:00:00", status).status == 0)
    #expect(try run(machine, "2038-01-23 00:00:00", status).status == 60)
    let back = try run(machine, "2027-01-01 00:00:00", status)
    #expect(back.status == 60 && back.text.contains("dated in the future"), "\(back.text)")
    // The machine still knows which is the newest.
    let latest = try run(
      machine, "2027-01-01 00:00:00", ["show", "latest", "--target", machine.target, "--json"])
    #expect(try latest.json()["header"]?["sequence"] == .number(2))
  }

  @Test func `an archive of the future is late to whoever looks, and none is new`() throws {
    let machine = try Machine()
    let made = try run(
      machine, "2029-01-01 00:00:00", ["create", "--target", machine.target] + machine.secrets)
    try #require(made.status == 0, "\(made.errors)")
    for command in ["status", "list", "verify"] {
      let target = command == "status" ? ["--target", machine.target] : [machine.target]
      let seen = try machine.run(
        [command, "--max-age", "26h"] + target, through: at("2027-01-01 00:00:00"),
        environment: ["TZ": "UTC", "FUEKI_STATE": machine.path("watcher")])
      #expect(seen.status == 60 && (seen.text + seen.errors).contains("dated in the future"), "\(seen.text)")
    }
  }
}
