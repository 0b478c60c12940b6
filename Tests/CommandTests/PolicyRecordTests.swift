import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// The commands that follow a policy's version, and so refuse an earlier one afterwards.
struct PolicyRecordTests {
  private func arguments(_ command: String, _ machine: Machine) throws -> [String] {
    let words = command.split(separator: " ").map(String.init)
    switch words[0] {
    case "prune": return words + ["--keep-last", "9", "--yes"]
    case "copy": return words + ["--target", machine.target, "--target", machine.path("other")]
    case "key":
      try machine.write("canary Zq8 of the archive, 41 bytes long", to: "new")
      return words + ["latest", "--new-passphrase-from", "file:\(machine.path("new"))"] + Machine.quick
        + machine.archiveSecret
    case "repair", "verify": return words + ["latest"]
    case "create": return words + machine.secrets
    default: return words
    }
  }

  /// The arguments of a second run, or of one like it after the keys have changed.
  private func repeated(_ command: String, _ machine: Machine) throws -> [String] {
    let adding = ["key", "add", "latest", "--recipient", PolicyRecipient.first]
    return switch command {
    case "key add": adding + machine.archiveSecret + ["--drop", "2"]
    case "key change-passphrase": adding + ["--passphrase-file", machine.path("new")]
    default: try arguments(command, machine)
    }
  }

  private func machine() throws -> Machine {
    let machine = try Machine.following()
    try Directory.makePrivateDirectories(machine.path("other"))
    try #require(machine.createByPolicy().status == 0)
    return machine
  }

  @Test(arguments: ["prune", "copy", "key add", "key change-passphrase", "repair"])
  func `a command that writes to targets records the version, and each refuses an earlier one`(
    _ command: String
  ) throws {
    let machine = try machine()
    try machine.issue("", number: 2)
    let run = try machine.run(arguments(command, machine))
    #expect(run.errors.contains("policy number 2 of Example Ltd applies from now on"), "\(run.errors)")
    #expect(command == "repair" || run.status == 0, "\(run.errors)")
    try machine.issue("", number: 1)
    let words = "already accepted number 2"
    let made = try machine.createByPolicy(["--dry-run"])
    #expect(made.status == 0, "\(made.errors)")
    let again = try machine.run(repeated(command, machine))
    #expect(command == "repair" || again.status == 3 && again.errors.contains(words), "\(again.errors)")
    let status = try machine.run(["status"])
    #expect(status.status == 60 && status.text.contains(words), "\(status.text)")
  }

  @Test(arguments: [
    "status", "doctor", "list", "verify", "config show", "prune --dry-run", "create --dry-run",
  ])
  func `a command that only reads records nothing, and refuses what is earlier than the record`(
    _ command: String
  ) throws {
    let machine = try machine()
    let before = try machine.read("state/policy")
    try machine.issue("", number: 2)
    let run = try machine.run(arguments(command, machine))
    #expect(!run.errors.contains("from now on"), "\(run.errors)")
    #expect(try machine.read("state/policy") == before)
  }

  @Test func `the owner's stricter values are reported by the command that records the version`() throws {
    let machine = try machine()
    try machine.issue("kdf_passes = 2", number: 2)
    let pruned = try machine.run(arguments("prune", machine))
    #expect(pruned.errors.contains("kdf_passes stays at 3: the policy's 2 is weaker"), "\(pruned.errors)")
    #expect(try !machine.createByPolicy().errors.contains("stays at"))
  }

  @Test(.enabled(if: InstalledProgram.path("par2") != nil, "this machine has no par2"))
  func `copies and changed keys get the recovery files that a policy demands`() throws {
    let machine = try machine()
    try machine.issue("parity = \"5%\"", number: 2)
    let copied = try machine.run(arguments("copy", machine) + ["--parity", "0%"])
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try machine.names(in: "other").contains { $0.hasSuffix(".par2") }, "\(copied.errors)")
    let added = try machine.run(arguments("key add", machine))
    #expect(added.status == 0, "\(added.errors)")
    #expect(try machine.names(in: "target").contains { $0.hasSuffix(".par2") }, "\(added.errors)")
  }
}

/// A policy's target on a remote of the owner's own rclone.
@Suite(.enabled(if: RcloneRemote.program != nil, "this machine has no rclone"))
struct PolicyRemoteTests {
  @Test func `a policy's remote gets the archive, and a missing target stops no backup`()
    throws
  {
    let machine = try Machine.following()
    let remote = try RcloneRemote(.local, machine)
    try machine.issue("[[target]]\npath = \"\(remote.target)\"\nappend_only = true", number: 2)
    let made = try remote.run(["create"] + machine.secrets)
    #expect(made.status == 0, "\(made.errors)")
    #expect(try remote.names().filter { $0.hasSuffix(".fueki") }.count == 1, "\(made.errors)")
    let listed = try remote.run(["status", "--json"])
    #expect(listed.text.contains(remote.target), "\(listed.status) \(listed.text)")

    try machine.issue("[[target]]\npath = \"rclone:company:backups\"", number: 3)
    let away = try remote.run(["create"] + machine.secrets)
    #expect(away.status == 3 && away.errors.contains("rclone:company:backups"), "\(away.errors)")
    #expect(try machine.archives().count == 3)
  }
}
