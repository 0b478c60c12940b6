import TestSupport
import Testing

/// On a terminal, `prune` shows its plan and asks.
@Suite(.enabled(if: Typist.isPossible))
struct PruneQuestionTests {
  private static func machine() throws -> (machine: Machine, arguments: [String]) {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    return (machine, ["prune", "--target", machine.target, "--keep-last", "1"])
  }

  @Test func `an empty answer keeps every archive`() throws {
    let (machine, arguments) = try Self.machine()
    let before = try machine.archives()
    let run = try machine.type([("remove 1 file, ", "")], arguments, status: 130)
    let going = before[0].dropFirst("target/".count)
    #expect(run.text.contains("remove  ") && run.text.contains(going), "\(run.text)")
    #expect(run.text.contains("you said no"), "\(run.text)")
    #expect(try machine.archives() == before)
  }

  @Test(arguments: [[], ["--json"], ["-q"]])
  func `the plan is on the terminal before the question, and yes removes`(_ more: [String]) throws {
    let (machine, arguments) = try Self.machine()
    let before = try machine.archives()
    let asked = try machine.type([("yes or no [no]:", "yes")], arguments + more)
    #expect(asked.status == 0 && asked.text.contains("remove  "), "\(asked.text)")
    #expect(try machine.archives() == [before[1]])
  }

  @Test func `with --yes, and with --dry-run, no question is asked`() throws {
    let (machine, arguments) = try Self.machine()
    let trial = try machine.type([], arguments + ["--dry-run"])
    #expect(trial.status == 0 && !trial.text.contains("yes or no"), "\(trial.text)")
    #expect(try machine.archives().count == 2)
    let run = try machine.type([], arguments + ["--yes"])
    #expect(run.status == 0 && !run.text.contains("yes or no"), "\(run.text)")
    #expect(try machine.archives().count == 1)
  }

  @Test func `no for one target leaves it alone, and the next is still asked about`() throws {
    let (machine, arguments) = try Self.machine()
    try machine.copy("target", to: "second")
    try machine.type(
      [("yes or no [no]:", "no"), ("yes or no [no]:", "yes")],
      arguments + ["--target", machine.path("second")], status: 130)
    #expect(try machine.archives().count == 2)
    #expect(try machine.names(in: "second").count == 1)
  }
}
