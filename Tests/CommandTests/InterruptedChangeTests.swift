import FuekiSystem
import TestSupport
import Testing

/// A change of keys, or a removal of archives, that ends before it is done.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct InterruptedChangeTests {
  private static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
  private static let places = ["/target", "/state", ".fueki-"]

  private static func addKey(_ machine: Machine, through: [String] = []) throws -> RunResult {
    try machine.run(
      ["key", "add", "latest", "--target", machine.target, "--recipient", recipient]
        + machine.archiveSecret, through: through)
  }

  private static func prune(_ machine: Machine, through: [String] = []) throws -> RunResult {
    try machine.run(["prune", "--target", machine.target, "--keep-last", "1"], through: through)
  }

  /// A machine with three archives.
  private static func hoard() throws -> Machine {
    let machine = try Machine()
    for _ in 0..<2 { try #require(try machine.create().status == 0) }
    return machine
  }

  static let changes: [FaultPoint] = {
    guard let machine = try? Machine() else { return [] }
    let points = try? Strace.points(machine, places: places) { try addKey(machine, through: $0) }
    return Strace.sample(points ?? [], oneOf: 6)
  }()
  static let removals: [FaultPoint] = {
    guard let machine = try? hoard() else { return [] }
    let points = try? Strace.points(machine, places: places) { try prune(machine, through: $0) }
    return Strace.sample(points ?? [], oneOf: 3)
  }()

  @Test func `the calls of both are found`() {
    #expect(Set(Self.changes.map(\.call)).isSuperset(of: ["fsync", "renameat", "renameat2"]))
    #expect(Self.removals.contains { $0.call == "unlinkat" || $0.call == "fsync" })
  }

  @Test(arguments: changes, ["signal=KILL", "error=EIO"])
  func `a change of keys that is cut short leaves the old archive as it was`(
    _ point: FaultPoint, _ fault: String
  ) throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let run = try Self.addKey(machine, through: point.inject(fault))
    #expect(!run.timedOut && (fault == "signal=KILL" ? run.status == 137 : run.status < 128))
    for (path, bytes) in before { #expect(try machine.read(path) == bytes) }
    let count = try machine.archives().count
    #expect(count == 1 || count == 2)
    #expect(try machine.run(["verify", machine.target]).status == 0)
    // The next backup goes on, and cleans up.
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(Double(count + 1)))
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
  }

  @Test(arguments: removals, ["signal=KILL", "error=EIO"])
  func `a removal that is cut short takes nothing that was to stay`(
    _ point: FaultPoint, _ fault: String
  ) throws {
    let machine = try Self.hoard()
    let before = try machine.snapshot(of: "target")
    let newest = try #require(machine.archives().last)
    let run = try Self.prune(machine, through: point.inject(fault))
    #expect(!run.timedOut && (fault == "signal=KILL" ? run.status == 137 : run.status < 128))
    let left = try machine.snapshot(of: "target")
    #expect(left.allSatisfy { before[$0.key] == $0.value })
    #expect(left[newest] != nil)
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(try Self.prune(machine).status == 0)
    #expect(try machine.archives() == [newest])
  }
}
