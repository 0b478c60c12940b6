import CommandSupport
import TestSupport
import Testing

/// A database whose program begins and ends transactions while its folder is backed up.
@Suite(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct PassingJournalTests {
  @Test(arguments: [("wallet.db-journal", 0), ("wallet.key", 3)])
  func `a journal that is gone when it is to be read is not missing, and another file is`(
    _ name: String, _ status: Int32
  ) throws {
    let machine = try Machine(isPrepared: false)
    for name in ["wallet.db", "wallet.db-journal", "wallet.key"] {
      try machine.write(name, to: "home/app/\(name)")
    }
    // It is there when the folder is listed, and gone when it is opened.
    let run = try machine.run(
      ["create", "--from", "file:\(machine.path("home/app"))", "--target", machine.target]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick,
      through: [
        Strace.program, "-f", "-qq", "-o", "/dev/null", "-P", name, "-e", "trace=openat", "-e",
        "inject=openat:error=ENOENT",
      ], status: status)
    #expect(run.text.contains("MISSING: \(name)") == (status == 3), "\(run.text) \(run.errors)")
  }
}
