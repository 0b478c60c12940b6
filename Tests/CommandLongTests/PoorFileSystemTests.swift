import FuekiSystem
import TestSupport
import Testing

/// Targets whose file systems do less than others, or nothing.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct PoorFileSystemTests {
  private func inject(_ call: String, _ fault: String, _ path: String? = nil) -> [String] {
    [Strace.program, "-f", "-qq", "-o", "/dev/null"] + (path.map { ["-P", $0] } ?? [])
      + ["-e", "trace=\(call)", "-e", "inject=\(call):\(fault)"]
  }

  private static let gaps = [
    ("fsync", "EINVAL", "does not confirm"), ("fsync", "EOPNOTSUPP", "does not confirm"),
  ]

  @Test(arguments: gaps)
  func `what a file system cannot do is a warning`(_ call: String, _ code: String, _ warning: String) throws {
    let machine = try Machine()
    // The state's own files are not the target's, as the path shows.
    let points = try Strace.points(machine, places: ["/target"], calls: ["openat", call]) {
      try machine.create(through: $0)
    }
    let point = try #require(points.last { $0.call == call })
    let next = try Machine()
    let run = try next.create(through: point.inject("error=\(code)")).expect(0)
    #expect(run.errors.contains("warning: ") && run.errors.contains(warning), "\(run.errors)")
    #expect(try next.archives().count == 2)
  }

  @Test(arguments: ["EINVAL", "ENOSYS", "EPERM"])
  func `without renameat2 an archive is published all the same`(_ code: String) throws {
    let machine = try Machine()
    try machine.create(through: inject("renameat2", "error=\(code)"), status: 0)
    #expect(try machine.names(in: "target").count == 2)
    #expect(try machine.run(["verify", machine.target]).status == 0)
  }

  // The delays are many times the limit, so that a slow machine notices, too. There another call may exceed it first.
  @Test(arguments: TestSeed.sample(["openat", "getdents64", "pread64"], of: 1))
  func `a file system that does not answer ends the run in time`(_ call: String) throws {
    let machine = try Machine()
    let archive = machine.path(try machine.archives()[0])
    let path = call == "getdents64" ? machine.target : archive
    let run = try machine.run(
      ["verify", machine.target, "--json"],
      through: inject(call, "delay_enter=6000000", path), environment: ["FUEKI_DEADLINE": "0.1"])
    #expect(!run.timedOut)
    #expect(run.status == 1, "\(run.status) \(run.errors)")
    #expect(try run.json()["message"]?.text?.contains("has not answered") == true)
  }

  @Test(arguments: TestSeed.sample(["pwrite64", "fsync", "renameat2"], of: 1))
  func `a file system that does not take what is written ends the run in time`(_ call: String) throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "target")
    let strace = [
      Strace.program, "-f", "-qq", "-o", "/dev/null", "-e", "trace=\(call)", "-e",
      "inject=\(call):delay_enter=8000000",
    ]
    let run = try machine.create(
      ["--json"], through: strace, environment: ["FUEKI_DEADLINE": "0.1"])
    #expect(!run.timedOut)
    #expect(run.status == 1, "\(run.status) \(run.errors)")
    #expect(try run.json()["message"]?.text?.contains("has not answered") == true)
    for (path, bytes) in before { #expect(try machine.read(path) == bytes) }
    #expect(try machine.create().status == 0)
  }
}
