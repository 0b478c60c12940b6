import CommandSupport
import FuekiSystem
import Glibc
import TestSupport
import Testing

/// The recipe in the article on CI, as far as this program runs in it, and the action that does the same.
@Suite(.enabled(if: geteuid() == 0, "this machine lets only root give a checkout away"))
struct WorkflowTests {
  private static func lines(of file: String, after heading: String = "") throws -> [Substring] {
    let text = String(decoding: try TestVectors.file("../\(file)"), as: UTF8.self)
    let section = heading.isEmpty ? text : String(text.split(separator: heading).dropFirst().first ?? "")
    return (section.split(separator: "\n## ").first ?? "").split(separator: "\n")
  }

  private static let article = "Sources/FuekiBackup/FuekiBackup.docc/InCI.md"

  /// The lines to run on the machine that makes the backups.
  private static func preparation() throws -> [String] {
    try lines(of: article, after: "## Prepare the files").filter { $0.hasPrefix("    ") }.map(String.init)
  }

  /// The only `run:` line of a workflow or an action that runs this program.
  private static func command(_ lines: [Substring]) throws -> String {
    let found = lines.compactMap { line in
      line.firstRange(of: "run: fueki-backup ").map { line[$0.lowerBound...] }
    }
    try #require(found.count == 1)
    return String(found[0].dropFirst("run: ".count))
  }

  /// Runs lines of a shell in the repository; the program has its own name.
  private func shell(
    _ lines: [String], _ machine: Machine, _ environment: [String: String] = [:]
  ) throws -> RunResult {
    let script =
      "set -e; ln -sf \"$1\" bin/fueki-backup; PATH=$PWD/bin:$PATH; cd repository\n"
      + lines.joined(separator: "\n")
    return try machine.run([], through: ["/bin/sh", "-c", script, "sh"], environment: environment)
  }

  /// A repository as the article describes it, in a checkout that belongs to another user.
  private func repository() throws -> Machine {
    let machine = try SigningMachine.make(isSealed: false)
    for folder in ["bin", "repository", "home/.local/state/fueki-backup", "home/.config/fueki-backup"] {
      try Directory.makePrivateDirectories(machine.path(folder))
    }
    let key = machine.path("keys/signing.key")
    try machine.write("[[vault]]\nsign_key = \"\(key)\"\n", to: "home/.config/fueki-backup/config.toml")
    try #require(try machine.create().status == 0)
    try machine.remove(machine.archives()[0])
    try machine.copy("target", to: "repository/backups")
    try machine.copy("keys/signing.pub", to: "home/.local/state/fueki-backup/signing-00.pub")
    let run = try shell(Self.preparation(), machine)
    try #require(run.status == 0, "\(run.text)\(run.errors)")
    try give(machine)
    return machine
  }

  private func give(_ machine: Machine) throws {
    for (program, arguments) in [("chown", ["-R", "12345:12345"]), ("chmod", ["-R", "a+rX"])] {
      let run = try BuiltBinary.run(program: "/bin/\(program)", arguments + [machine.path("repository")])
      try #require(run.status == 0, "\(run.errors)")
    }
  }

  /// CI has neither a home with a configuration, nor this machine's state, nor any secret.
  private func run(_ machine: Machine) throws -> Set<Int32> {
    try give(machine)
    var environment = [
      "FUEKI_STATE": "/nonexistent", "FUEKI_DATADIR": "/nonexistent", "HOME": "/nonexistent",
    ]
    let workflow = try shell(
      [Self.command(Self.lines(of: Self.article, after: "## The workflow"))], machine, environment)
    environment["LIST"] = "vaults.toml"
    environment["SIGNER"] = try machine.text("repository/signing.pub")
    environment["REPORT"] = "action.xml"
    let action = try shell(
      [Self.command(Self.lines(of: ".github/actions/verify/action.yml"))], machine, environment)
    return [workflow.status, action.status]
  }

  @Test func `the workflow passes a folder of signed archives in another user's checkout`() throws {
    let machine = try repository()
    let list = try machine.text("repository/vaults.toml")
    #expect(list.contains("target = \"backups\"\n") && !list.contains(machine.root), "\(list)")
    #expect(try run(machine) == [0])
    #expect(machine.exists("repository/verify.xml") && machine.exists("repository/action.xml"))
    // Wherever the checkout is.
    try machine.copy("repository", to: "elsewhere")
    try machine.remove("repository")
    try machine.copy("elsewhere", to: "repository")
    #expect(try run(machine) == [0])
  }

  @Test func `it fails where an archive is unsigned, missing, damaged, or the list was changed`() throws {
    let machine = try repository()
    let name = try #require(machine.names(in: "repository/backups").first)
    try machine.copy("repository/backups/\(name)", to: "kept")
    try machine.write("", to: "home/.config/fueki-backup/config.toml")
    #expect(try machine.create(["--unsigned"]).status == 0)
    try machine.copy(machine.archives()[1], to: "repository/backups/unsigned.fueki")
    #expect(try run(machine) == [23])
    try machine.remove("repository/backups/unsigned.fueki")
    var bytes = try machine.read("kept")
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: "repository/backups/\(name)")
    #expect(try run(machine) == [20])
    try machine.remove("repository/backups/\(name)")
    #expect(try run(machine) == [60])
    let list = try machine.text("repository/vaults.toml")
    try machine.write(list.replacing("26h", with: "26d"), to: "repository/vaults.toml")
    #expect(try run(machine) == [23])
  }
}
