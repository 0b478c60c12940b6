import FuekiSystem
import TestSupport
import Testing

/// A restore that ends before it is done.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct InterruptedRestoreTests {
  private static func restore(_ machine: Machine, _ through: [String]) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new/restored"), "--json"]
        + machine.secrets, through: through)
  }

  /// Goes on with a restore that was stopped, or begins anew where nothing of it is left.
  static func resume(_ machine: Machine, _ directory: String) throws -> RunResult? {
    let run = try machine.run(
      ["restore", "--resume", "--datadir", machine.path(directory), "--json"] + machine.secrets)
    return run.status == 10 ? nil : run
  }

  private static let all: [FaultPoint] = {
    guard let machine = try? Machine() else { return [] }
    return (try? Strace.points(machine, places: ["restor", "/new>", "/state"]) { try restore(machine, $0) })
      ?? []
  }()
  static let killed = Strace.sample(all, oneOf: 25)
  static let failing = Strace.sample(all, oneOf: 30)

  /// All of it is there, or none, and a second try brings it.
  private func check(_ machine: Machine, _ before: [String: [UInt8]], resumes: Bool = false) throws {
    #expect(try machine.snapshot(of: "target") == before)
    let resumed = resumes ? try Self.resume(machine, "new/restored") : nil
    let again = try resumed ?? Self.restore(machine, [])
    #expect(again.status == 0, "\(again.errors)")
    let dry = try machine.run(
      ["create", "--dry-run", "--json", "--datadir", machine.path("new/restored")] + machine.keychainSecret)
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(try dry.json()["sources"]?[0]?["included"]?["transactions"] == .number(50))
    #expect(try dry.json()["sources"]?[0]?["included"]?["key-shares"] == .number(2))
  }

  @Test func `the calls of a restore are found`() {
    #expect(Set(Self.all.map(\.call)).isSuperset(of: ["pwrite64", "fsync", "openat"]))
  }

  @Test(arguments: killed)
  func `killed at any call, the data directory is there as a whole or not at all`(_ point: FaultPoint) throws
  {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let run = try Self.restore(machine, point.inject("signal=KILL"))
    #expect(run.status == 137)
    let isThere = machine.exists("new/restored")
    try check(machine, before, resumes: point.when % 2 == 0)
    // What the killed run had begun is not left for ever.
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix("restore-") })
    if !isThere { #expect(try machine.names(in: "new") == ["restored"]) }
  }

  @Test(arguments: failing, ["EIO", "ENOSPC"])
  func `a call that fails ends the restore, and nothing is left in part`(_ point: FaultPoint, _ code: String)
    throws
  {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let run = try Self.restore(machine, point.inject("error=\(code)"))
    #expect(run.status < 128 && !run.timedOut, "\(run.status)")
    // 50: all is in place, and the resync could not open it.
    if run.status != 0, run.status != 50 {
      #expect(try run.json()["schema"] == .string("fueki.error/1"))
      let left = machine.exists("new") ? try machine.names(in: "new") : []
      #expect(left.isEmpty || left == ["restored"])
    }
    try check(machine, before)
  }

  @Test func `SIGINT ends with 41, and the restore goes on without the keychain's secret`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("keychain") })
    let machine = try Machine()
    let run = try Self.restore(machine, point.inject("signal=INT"))
    #expect(run.status == 41, "\(run.errors)")
    #expect(try run.json()["hint"]?.text?.contains("--resume") == true)
    #expect(!machine.exists("new/restored"))
    let resumed = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored"), "--json"] + machine.archiveSecret,
      through: ["/usr/bin/setsid", "--wait"])
    #expect(resumed.status == 0, "\(resumed.errors)")
    #expect(try resumed.json()["restored"]?["key-shares"] == .number(2))
    #expect(try machine.names(in: "new") == ["restored"])
    let none = try machine.run(["restore", "--resume", "--datadir", machine.path("new/restored")])
    #expect(none.status == 10, "\(none.errors)")
  }

  @Test func `a restore that begins anew says that one was stopped, and clears it away`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("keychain") })
    let machine = try Machine()
    #expect(try Self.restore(machine, point.inject("signal=INT")).status == 41)
    let run = try Self.restore(machine, [])
    #expect(run.status == 0, "\(run.errors)")
    #expect(run.errors.contains("was stopped here") && run.errors.contains("--resume"))
    #expect(try machine.names(in: "new") == ["restored"])
  }

  @Test func `SIGINT while it is put in place does not undo what is done`() throws {
    let point = try #require(
      Self.all.last { $0.call.hasPrefix("rename") && $0.line.contains(".restored.restoring-") })
    let machine = try Machine()
    let run = try Self.restore(machine, point.inject("signal=INT"))
    #expect(run.status == 0, "\(run.errors)")
    #expect(try machine.names(in: "new") == ["restored"])
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix("restore-") })
    try check(machine, try machine.snapshot(of: "target"))
  }

  @Test func `a wrong passphrase does not lose what was staged`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("keychain") })
    let machine = try Machine()
    #expect(try Self.restore(machine, point.inject("signal=INT")).status == 41)
    try machine.write("something else", to: "wrong")
    let wrong = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored"), "--passphrase-file"]
        + [machine.path("wrong")])
    #expect(wrong.status == 12, "\(wrong.errors)")
    let resumed = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored")] + machine.archiveSecret,
      through: ["/usr/bin/setsid", "--wait"])
    #expect(resumed.status == 0 && !resumed.errors.contains("staged anew"), "\(resumed.errors)")
  }
}
