import CommandSupport
import TestSupport
import Testing

/// A backup that failed: `status` reports it until one goes well.
struct FailedBackupTests {
  private static let failed = "the last backup failed"

  private let machine: Machine
  private let settings: String

  init() throws {
    machine = try LostStateCommandTests.prepared()
    settings = try machine.text("config.toml")
  }

  @discardableResult
  private func run(_ arguments: [String], status: Int32) throws -> RunResult {
    let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errors)")
    return run
  }

  /// Lets the next backups fail for a reason that is neither in a target nor in a source.
  private func breakHook() throws {
    try machine.write(settings + "\n[hooks]\nbefore = \"exit 7\"\n", to: "config.toml")
  }

  @Test func `status says when it failed and why, until a backup goes well`() throws {
    try run(["create"], status: 0)
    try run(["status"], status: 0)
    try breakHook()
    try run(["create"], status: 1)
    try machine.write(settings, to: "config.toml")
    let told = try run(["status"], status: 60)
    #expect(told.text.contains(Self.failed) && told.text.contains("with 1: the hook"), "\(told.text)")
    #expect(try run(["doctor"], status: 60).text.contains("last-backup: \(Self.failed)"))
    let problems = try run(["status", "--json"], status: 60).json()["targets"]?[0]?["problems"]?.elements
    #expect(problems?.contains { $0.text?.contains(Self.failed) ?? false } == true)
    // A machine that only watches a target knows nothing of the nights of others.
    #expect(try !run(["status", "--target", machine.target], status: 0).text.contains(Self.failed))
    try run(["create"], status: 0)
    try run(["status"], status: 0)
  }

  @Test func `hooks see the record of this run`() throws {
    try run(["create"], status: 0)
    let status = try "\(#require(BuiltBinary.path)) status --config \(machine.path("config.toml"))"
    func write(before: String) throws {
      let hooks = [
        "before = \"\(before)\"", "finally = \"\(status) > \(machine.path("seen")) || true\"",
      ]
      try machine.write(settings + "\n[hooks]\n" + hooks.joined(separator: "\n") + "\n", to: "config.toml")
    }
    try write(before: "exit 7")
    try run(["create"], status: 1)
    #expect(try machine.text("seen").contains(Self.failed))
    try write(before: "true")
    try run(["create"], status: 0)
    #expect(try !machine.text("seen").contains(Self.failed))
  }

  @Test func `each job has its own record, and a run of all sources ends those of a part`() throws {
    try run(["create"], status: 0)
    try breakHook()
    try run(["create"], status: 1)
    try machine.write(settings, to: "config.toml")
    // A run of a part, and one by another configuration, say nothing about the nights.
    try run(["create", "--from", "file:\(machine.path("home/files/one"))"], status: 3)
    try machine.write(settings, to: "other.toml")
    let other = ["create", "--config", machine.path("other.toml")]
    #expect(try machine.run(other).status == 0)
    try run(["status"], status: 60)
    try run(["create"], status: 0)
    try run(["create", "--from", "file:\(machine.path("nothing"))"], status: 10)
    #expect(try run(["status"], status: 60).text.contains("(--from file:"))
    try run(["create"], status: 0)
    try run(["status"], status: 0)
  }

  @Test func `a configuration that no backup can use is reported`() throws {
    try run(["create"], status: 0)
    try machine.write("age1broken", to: "recipients")
    let broken = settings.replacing(
      "[[source]]", with: "recipients_file = \"\(machine.path("recipients"))\"\n[[source]]")
    try machine.write(broken, to: "config.toml")
    try run(["create"], status: 64)
    #expect(try run(["status"], status: 60).text.contains("with 64: "))
  }

  @Test func `a state that is lost with nothing to prove the archives is no good state`() throws {
    try run(["create"], status: 0)
    try machine.remove("state")
    let unattended = settings.replacing("passphrase_file", with: "#")
    try machine.write(unattended, to: "config.toml")
    try run(["create", "--recipient", LostStateCommandTests.recipient], status: 23)
    let told = try run(["status"], status: 60)
    #expect(told.text.contains(Self.failed) && told.text.contains("with 23: "), "\(told.text)")
  }

  @Test func `a record that cannot be read is a problem until the next backup`() throws {
    try run(["create"], status: 0)
    let entry = """
      [{"job": {"configuration": "\(machine.path("config.toml"))", "options": [], "vault": ""},
        "reason": "", "status": 1, "time": -9223372036854775808}]
      """
    for record in ["{}", entry] {
      try machine.write(record, to: "state/failed.json")
      #expect(try run(["status"], status: 60).text.contains("failed.json"))
      try run(["create"], status: 0)
      try run(["status"], status: 0)
    }
    // One that is no file is not read, and replaced.
    try machine.remove("state/failed.json")
    try BuiltBinary.run(program: "/usr/bin/mkfifo", [machine.path("state/failed.json")]).expect(0)
    try run(["status"], status: 60)
    try run(["create"], status: 0)
    try run(["status"], status: 0)
  }
}
