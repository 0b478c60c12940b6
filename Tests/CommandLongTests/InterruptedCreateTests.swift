import FuekiSystem
import TestSupport
import Testing

/// Interrupted backups, in addition to those of ``CrashMatrixTests``.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct InterruptedCreateTests {
  private static let all: [FaultPoint] = {
    guard let machine = try? Machine() else { return [] }
    return
      (try? Strace.points(machine, places: ["/target", "/state", ".fueki-"]) {
        try machine.create(through: $0)
      })
      ?? []
  }()
  static let written = all.filter { $0.call == "pwrite64" && $0.line.contains("/target/.fueki-") }

  @Test func `the calls of a backup are found`() {
    #expect(
      Set(Self.all.map(\.call)).isSuperset(of: ["pwrite64", "fsync", "renameat", "renameat2", "openat"]))
    #expect(Self.written.count > 3)
  }

  @Test(
    arguments: written.isEmpty ? [] : [written[0], written[written.count / 2], written[written.count - 1]])
  func `SIGINT while writing ends with 130 and leaves nothing`(_ point: FaultPoint) throws {
    for signal in ["INT", "TERM"] {
      let machine = try Machine()
      let before = try machine.snapshot(of: "target")
      let run = try machine.create(["--json"], through: point.inject("signal=\(signal)"), status: 130)
      #expect(try run.json()["id"] == .string("interrupted"))
      #expect(try machine.snapshot(of: "target") == before)
      #expect(try machine.create(["--json"]).json()["sequence"] == .number(2))
    }
  }

  @Test func `a published archive that was not confirmed is this machine's own`() throws {
    let machine = try Machine()
    let published = try #require(Self.all.first { $0.call == "renameat2" })
    // The directory's sync comes after the archive has its name, and before the state records it.
    let after = try #require(
      Self.all.first { $0.call == "fsync" && $0.line.contains("/target>") && !$0.line.contains(".tmp") })
    #expect(try machine.create(through: published.inject("signal=KILL")).status == 137)
    #expect(try machine.archives().count <= 2)
    let other = try Machine()
    #expect(try other.create(through: after.inject("signal=KILL")).status == 137)
    #expect(try other.archives().count == 2)
    let next = try other.create(["--json"]).expect(0)
    #expect(try next.json()["sequence"] == .number(3))
    let id = try next.json()["id"]?.text ?? ""
    let shown = try other.run(["show", id, "--target", other.target, "--json"]).json()
    let list = try other.run(["list", other.target, "--json"]).json()
    let second = list["archives"]?.elements.first { $0["sequence"] == .number(2) }
    #expect(second?["id"] != nil && shown["header"]?["previous"] == second?["id"])
  }
}
