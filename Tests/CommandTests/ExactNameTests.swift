import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A person whose home has a name that is not UTF-8, as of an old installation in Latin-1.
struct ExactNameTests {
  private static let name = PathText.text(Array("jos".utf8) + [0xE9])

  private let machine: Machine
  private let environment: [String: String]
  private let target: [String]

  init() throws {
    machine = try Machine()
    let home = machine.path(Self.name)
    for folder in [home, "\(home)/target", "\(home)/tmp"] { try Directory.makePrivateDirectories(folder) }
    environment = [
      "HOME": home, "FUEKI_STATE": "\(home)/state", "FUEKI_DATADIR": "\(home)/data", "TMPDIR": "\(home)/tmp",
    ]
    target = ["--target", "\(home)/target"]
  }

  private func run(_ arguments: [String]) throws -> RunResult {
    try machine.run(arguments, environment: environment)
  }

  private func expectDone(_ arguments: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let run = try run(arguments)
    #expect(run.status == 0, "\(arguments[0]): \(run.text)\(run.errors)", sourceLocation: sourceLocation)
  }

  @Test func `a wallet is restored into it, backed up from it, and every command works there`() throws {
    let home = machine.path(Self.name)
    let restored = try run(
      ["restore", "latest", "--no-resync", "--target", machine.target] + machine.secrets)
    #expect([0, 3].contains(restored.status), "\(restored.text)\(restored.errors)")
    #expect(try Directory.open("\(home)/data").contains("wallet.sqlite"))

    try Directory.open(home).createFile("kept").pwriteAll(Array("a file of theirs".utf8), at: 0)
    try expectDone(
      ["create", "--from", "store", "--from", "file:~/kept", "--accept", "synced-keys"] + target
        + machine.secrets)
    try expectDone(["verify", "latest"] + target + machine.archiveSecret)
    try expectDone(["list"] + Array(target.suffix(1)))
    try expectDone(["status"] + target)
    try expectDone(["show", "latest"] + target + machine.archiveSecret)
    try expectDone(["diff", "latest", "--live"] + target + machine.secretsToRead)
    try expectDone(["drill"] + target + machine.secretsToRead)
    try expectDone(["prune", "--keep-last", "1"] + target)

    try Directory.open(home).remove("kept")
    try expectDone(["put-back", "latest", "--files", "home"] + target + machine.archiveSecret)
    let kept = try Directory.open(home).openFile("kept").readAll(limit: 100)
    #expect(kept == Array("a file of theirs".utf8))
  }

  @Test func `a printed command can be pasted into a shell`() throws {
    let passphrase = "\(machine.path(Self.name))/passphrase"
    let file = try Directory.open(machine.path(Self.name)).createFile("passphrase")
    try file.pwriteAll(Array(Machine.passphrase.utf8), at: 0)
    _ = try BuiltBinary.run(program: "/bin/chmod", ["644", passphrase])
    let create =
      ["create", "--from", "file:\(passphrase)", "--accept", "synced-keys", "-p", passphrase] + target
      + Machine.quick
    let refused = try run(create)
    let hint = try #require(refused.errors.firstRange(of: "chmod 600 "), "\(refused.errors)")
    let command = try #require(refused.errors[hint.lowerBound...].split(separator: "\n").first)
    #expect(command.contains("$'") && command.contains("jos\\xe9"), "\(command)")
    #expect(try BuiltBinary.run(program: "/bin/bash", ["-c", String(command)]).status == 0)
    #expect(try file.permissions() == 0o600)
    try expectDone(create)
  }
}
