import FuekiSystem
import TestSupport
import Testing

/// Interrupted restores, in addition to those of ``CrashMatrixTests``.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct InterruptedRestoreTests {
  private static func restore(_ machine: Machine, _ through: [String]) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("new/restored"), "--json"]
        + machine.secrets, through: through)
  }

  private static let all: [FaultPoint] = {
    guard let machine = try? Machine() else { return [] }
    return (try? Strace.points(machine, places: ["restor", "/new>", "/state"]) { try restore(machine, $0) })
      ?? []
  }()

  @Test func `the calls of a restore are found`() {
    #expect(Set(Self.all.map(\.call)).isSuperset(of: ["pwrite64", "fsync", "openat"]))
  }

  @Test func `SIGINT ends with 41, and the restore goes on without the keychain's secret`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("wallet.sqlite>") })
    let machine = try Machine()
    let run = try Self.restore(machine, point.inject("signal=INT")).expect(41)
    #expect(try run.json()["hint"]?.text?.contains("--resume") == true)
    #expect(!machine.exists("new/restored"))
    let resumed = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored"), "--json"] + machine.archiveSecret,
      through: ["/usr/bin/setsid", "--wait"], status: 0)
    #expect(try resumed.json()["restored"]?["key-shares"] == .number(2))
    #expect(try machine.names(in: "new") == ["restored"])
    try machine.run(["restore", "--resume", "--datadir", machine.path("new/restored")], status: 10)
  }

  @Test func `a restore that begins anew says that one was stopped, and clears it away`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("wallet.sqlite>") })
    let machine = try Machine()
    #expect(try Self.restore(machine, point.inject("signal=INT")).status == 41)
    let run = try Self.restore(machine, []).expect(0)
    #expect(run.errors.contains("was stopped here") && run.errors.contains("--resume"))
    #expect(try machine.names(in: "new") == ["restored"])
  }

  @Test func `SIGINT while it is put in place does not undo what is done`() throws {
    let point = try #require(
      Self.all.last { $0.call.hasPrefix("rename") && $0.line.contains(".restored.restoring-") })
    let machine = try Machine()
    let run = try Self.restore(machine, point.inject("signal=INT"))
    // From a sandbox the chains are asked by another process, which is interrupted, too: only the resync is missing.
    #expect(run.status == (Sandbox.version == nil ? 0 : 50), "\(run.errors)")
    #expect(try machine.names(in: "new") == ["restored"])
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix("restore-") })
    #expect(try run.json()["restored"]?["transactions"] == .number(50))
  }

  @Test(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
  func `a restore that came to its end in part says so when it is resumed, too`() throws {
    let machine = try Machine()
    let keygen = { try BuiltBinary.run(program: "/usr/bin/age-keygen", $0) }
    #expect(try keygen(["-o", machine.path("identity")]).status == 0)
    let recipient = try keygen(["-y", machine.path("identity")]).text.filter { !$0.isWhitespace }
    #expect(try machine.create(["--recipient", "\(recipient)=history"]).status == 0)
    func restore(_ name: String, _ through: [String]) throws -> RunResult {
      let arguments = ["restore", "latest", "--target", machine.target, "--datadir", machine.path(name)]
      return try machine.run(
        arguments + ["--identity", machine.path("identity"), "--no-resync"], through: through)
    }
    let points = try Strace.points(machine, places: ["/state"], status: 3) { try restore("first", $0) }
    let point = try #require(points.last { $0.call == "unlinkat" && $0.line.contains("\"restore-") })
    // Everything is in place, and the journal stays.
    #expect(try restore("second", point.inject("signal=KILL")).status != 3)
    #expect(machine.exists("second"))
    let resumed = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("second"), "--json"], status: 3)
    #expect(try resumed.json()["not_restored"]?.elements.map(\.text) == ["profile", "secrets"])
  }

  @Test func `a wrong passphrase does not lose what was staged`() throws {
    let point = try #require(Self.all.first { $0.call == "pwrite64" && $0.line.contains("wallet.sqlite>") })
    let machine = try Machine()
    #expect(try Self.restore(machine, point.inject("signal=INT")).status == 41)
    try machine.write("something else", to: "wrong")
    try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored"), "-p", machine.path("wrong")],
      status: 12)
    let resumed = try machine.run(
      ["restore", "--resume", "--datadir", machine.path("new/restored")] + machine.archiveSecret,
      through: ["/usr/bin/setsid", "--wait"])
    #expect(resumed.status == 0 && !resumed.errors.contains("Starting over"), "\(resumed.errors)")
  }
}
