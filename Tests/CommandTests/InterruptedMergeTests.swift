import FuekiSystem
import TestSupport
import Testing

/// A restore into a wallet's data directory that ends before it is done: the old wallet is there, or the new one.
@Suite(
  .enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct InterruptedMergeTests {
  /// A machine whose wallet lacks a contact and a key share that the archive has.
  private static func machine() throws -> Machine {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("place"))
    try machine.copy("data", to: "place/data")
    try Wallets.edit(machine, "place/data", "DELETE FROM contacts WHERE row_id = 1")
    return machine
  }

  private static func merge(_ machine: Machine, _ through: [String]) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("place/data"), "--json"]
        + machine.secrets, through: through)
  }

  private static let all: [FaultPoint] = {
    guard let machine = try? machine() else { return [] }
    return (try? Strace.points(machine, places: ["/place", "/state"]) { try merge(machine, $0) }) ?? []
  }()
  static let killed = Strace.sample(all, oneOf: 12)
  static let failing = Strace.sample(all, oneOf: 30)

  private static func contents(_ machine: Machine) throws -> JSONValue? {
    let dry = try machine.run(
      ["create", "--dry-run", "--json", "--datadir", machine.path("place/data")] + machine.keychainSecret)
    #expect(dry.status == 0, "\(dry.errors)")
    return try dry.json()["sources"]?[0]?["included"]
  }

  /// The old wallet is there, or the new one; a second try brings the new one, and nothing else is left.
  private func check(_ machine: Machine, _ old: JSONValue?, resumes: Bool = false) throws {
    let contacts = old?["contacts"]?.number ?? 0
    let now = try Self.contents(machine)
    #expect(now == old || now?["contacts"]?.number == contacts + 1, "\(String(describing: now))")
    #expect(now?["key-shares"] == old?["key-shares"] && now?["transactions"] == old?["transactions"])
    let resumed = resumes ? try InterruptedRestoreTests.resume(machine, "place/data") : nil
    let again = try resumed ?? Self.merge(machine, [])
    #expect(again.status == 0, "\(again.errors)")
    #expect(try Self.contents(machine)?["contacts"]?.number == contacts + 1)
    let left = try machine.names(in: "place").filter { !$0.hasPrefix("data.before-restore-") }
    #expect(left == ["data"])
  }

  @Test func `the calls of a merge are found`() {
    #expect(
      Set(Self.all.map(\.call)).isSuperset(of: ["pwrite64", "fsync", "openat", "renameat2", "unlinkat"]))
  }

  @Test(arguments: killed)
  func `killed at any call, the old wallet is there or the new one`(_ point: FaultPoint) throws {
    let machine = try Self.machine()
    let old = try Self.contents(machine)
    let run = try Self.merge(machine, point.inject("signal=KILL"))
    #expect(run.status == 137)
    try check(machine, old, resumes: point.when % 2 == 0)
  }

  @Test(arguments: failing, ["EIO", "ENOSPC"])
  func `a call that fails leaves the old wallet or the new one, and nothing in part`(
    _ point: FaultPoint, _ code: String
  ) throws {
    let machine = try Self.machine()
    let old = try Self.contents(machine)
    let run = try Self.merge(machine, point.inject("error=\(code)"))
    #expect(run.status < 128 && !run.timedOut, "\(run.status)")
    try check(machine, old)
  }
}
