import FuekiSystem
import TestSupport
import Testing

/// The workflow in the article on CI, as far as this program runs in it.
struct WorkflowTests {
  /// The `run:` lines of the workflow that run this program.
  private static func commands() throws -> [String] {
    let article = String(
      decoding: try TestVectors.file("../Sources/FuekiBackup/FuekiBackup.docc/InCI.md"), as: UTF8.self)
    let section = try #require(article.split(separator: "## The workflow").dropFirst().first).split(
      separator: "\n## ")
    return (section.first ?? "").split(separator: "\n").compactMap { line in
      guard let run = line.firstRange(of: "run: fueki-backup ") else { return nil }
      return String(line[run.upperBound...])
    }
  }

  /// A repository as the article describes it: `backups`, `signing.pub`, `newest.checkpoint`.
  private func repository() throws -> Machine {
    let machine = try SigningMachine.make(isSealed: false)
    let key = ["--sign-key", machine.path("keys/signing.key")]
    try #require(try machine.create(key).status == 0)
    try machine.remove(machine.archives()[0])
    try machine.copy("target", to: "backups")
    try machine.copy("keys/signing.pub", to: "signing.pub")
    let run = try machine.run(
      ["checkpoint", "export", "--target", "backups", "--output", "newest.checkpoint"] + key)
    try #require(run.status == 0, "\(run.errors)")
    return machine
  }

  /// CI has neither a home with a configuration, nor this machine's state, nor any secret.
  private func run(_ machine: Machine) throws -> [Int32] {
    try Self.commands().map { command in
      try machine.run(
        [], through: ["/bin/sh", "-c", "\"$1\" \(command)", "sh"],
        environment: ["FUEKI_STATE": "/nonexistent", "FUEKI_DATADIR": "/nonexistent", "HOME": "/nonexistent"]
      ).status
    }
  }

  @Test func `the workflow passes a folder of signed archives`() throws {
    let machine = try repository()
    #expect(try run(machine) == [0])
    #expect(machine.exists("verify.xml"))
  }

  @Test func `it fails where an archive is unsigned, missing, damaged, or all are gone`() throws {
    let machine = try repository()
    let name = try #require(machine.names(in: "backups").first)
    try machine.copy("backups/\(name)", to: "kept")
    #expect(try machine.create().status == 0)
    let unsigned = try machine.archives()[1]
    try machine.copy(unsigned, to: "backups/unsigned.fueki")
    #expect(try run(machine) == [23])
    try machine.remove("backups/unsigned.fueki")
    var bytes = try machine.read("kept")
    bytes[bytes.count / 2] ^= 1
    try machine.write(bytes, to: "backups/\(name)")
    #expect(try run(machine) == [20])
    try machine.remove("backups/\(name)")
    #expect(try run(machine) == [10])
  }
}
