import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A backup that failed: `status` reports it until one goes well.
struct FailedBackupTests {
  private static let failed = "the last backup failed"

  private let machine: Machine
  private let settings: String

  init() throws {
    machine = try LostStateCommandTests.prepared()
    settings = String(decoding: try machine.read("config.toml"), as: UTF8.self)
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
    // A command line that is wrong is another matter.
    try run(["create", "--target", "rclone:"], status: 64)
    let told = try run(["status"], status: 60)
    #expect(told.text.contains(Self.failed) && told.text.contains("with 1: the hook"), "\(told.text)")
    let problems = try run(["status", "--json"], status: 60).json()["targets"]?[0]?["problems"]?.elements
    #expect(problems?.contains { $0.text?.contains(Self.failed) ?? false } == true)
    // A machine that only watches a target knows nothing of the nights of others.
    #expect(try !run(["status", "--target", machine.target], status: 0).text.contains(Self.failed))
    try run(["create"], status: 0)
    try run(["status"], status: 0)
  }

  @Test func `a state that is lost with nothing to prove the archives is no good state`() throws {
    try run(["create"], status: 0)
    try machine.remove("state")
    try machine.write("another passphrase of many words", to: "passphrase")
    let unattended = settings.replacing("passphrase_file", with: "#")
    try machine.write(unattended, to: "config.toml")
    let secret = ["--recipient", LostStateCommandTests.recipient]
    try run(["create"] + secret, status: 23)
    let told = try run(["status"], status: 60)
    #expect(told.text.contains(Self.failed) && told.text.contains("with 23: "), "\(told.text)")
  }

  @Test func `a record that cannot be read is a problem until the next backup`() throws {
    try run(["create"], status: 0)
    try machine.write("[]", to: "state/failed.json")
    #expect(try run(["status"], status: 60).text.contains("failed.json"))
    try machine.write(
      "{\"\": {\"time\": -9223372036854775808, \"status\": 1, \"reason\": \"\"}}", to: "state/failed.json")
    #expect(try run(["status"], status: 60).text.contains("failed.json"))
    try run(["create"], status: 0)
    try run(["status"], status: 0)
  }
}
