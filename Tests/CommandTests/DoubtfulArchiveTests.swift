import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A lost state, and a newer archive of an unknown signer that the passphrase opens besides another key.
struct DoubtfulArchiveTests {
  private let machine: Machine
  /// The signer of the archive in doubt.
  private let signer: String
  private let passphrase: [String]

  /// Makes number 1 with the passphrase alone, and after a lost state number 2 with a recipient, too.
  ///
  /// Another key signed number 2, and then the state was lost again.
  init() throws {
    let machine = try LostStateCommandTests.prepared()
    func run(_ arguments: [String]) throws -> RunResult {
      let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
      try #require(run.status == 0, "\(arguments): \(run.text)\(run.errors)")
      return run
    }
    passphrase = ["-p", machine.path("passphrase")]
    _ = try run(["create"])
    try machine.remove("state")
    _ = try run(
      ["key", "add", "latest", "--recipient", LostStateCommandTests.recipient] + passphrase + Machine.quick)
    signer = try #require(run(["show", "latest", "--json"]).json()["header"]?["signer"]?.text)
    try machine.remove("state")
    self.machine = machine
  }

  private func run(_ arguments: [String], status: Int32) throws -> RunResult {
    let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errors)")
    return run
  }

  private func names() throws -> [String] {
    try machine.names(in: "target").filter { $0.hasSuffix(".fueki") }.sorted()
  }

  private func first() throws -> String { try machine.path("target/\(#require(names().first))") }

  private func expectRefusal() throws {
    let count = try names().count
    let refused = try run(["create"], status: 23)
    #expect(refused.errors.contains("key trust \(signer)"), "\(refused.errors)")
    #expect(try names().count == count)
  }

  @Test func `create and copy stop, status and doctor say why, and a trusted signer mends it`() throws {
    try expectRefusal()
    #expect(try run(["copy"], status: 23).errors.contains("key trust \(signer)"))
    for command in ["status", "doctor"] {
      let told = try machine.run([command, "--config", machine.path("config.toml")])
      #expect(told.status != 0 && told.text.contains("key trust \(signer)"), "\(told.text)\(told.errors)")
    }
    _ = try run(["key", "trust", signer], status: 0)
    try machine.remove("home/files/two")
    let next = try run(["create", "--json"], status: 3).json()
    #expect(next["sequence"] == .number(3))
    // Losses are those since the newest archive.
    #expect(next["losses"]?.elements.first?["sequence"] == .number(2), "\(next)")
    let restored = try machine.run(
      ["restore", "latest", "--target", machine.target, "--files", machine.path("back")]
        + machine.archiveSecret + Machine.quick,
      environment: ["FUEKI_STATE": machine.path("new-state"), "FUEKI_DATADIR": machine.path("new-data")])
    #expect([0, 3].contains(restored.status), "\(restored.errors)")
  }

  @Test func `the signer of an older archive settles nothing`() throws {
    let older = try #require(run(["show", first(), "--json"], status: 0).json()["header"]?["signer"]?.text)
    _ = try run(["key", "trust", older], status: 0)
    try expectRefusal()
    _ = try run(["status"], status: 60)
  }

  @Test func `an older archive that is put back or restored settles nothing, and gets no second key`() throws
  {
    _ = try run(["put-back", first(), "--files", machine.path("back")] + passphrase, status: 0)
    try expectRefusal()
    _ = try run(
      ["restore", first(), "--files", machine.path("again")] + passphrase + Machine.quick, status: 0)
    try expectRefusal()
    _ = try run(
      ["key", "add", first(), "--recipient", LostStateCommandTests.recipient] + passphrase + Machine.quick,
      status: 23)
  }

  @Test func `no vault of another machine with the same passphrase is continued instead`() throws {
    let other = try machine.run(
      ["create", "--new-vault", "--config", machine.path("config.toml")],
      environment: ["FUEKI_STATE": machine.path("other-state")])
    #expect(other.status == 0, "\(other.errors)")
    let count = try names().count
    _ = try run(["create"], status: 23)
    #expect(try names().count == count)
  }

  @Test func `nobody without a key can make such an archive`() throws {
    let newest = try #require(names().last)
    for folder in ["target", "second"] { try machine.remove("\(folder)/\(newest)") }
    let forged = machine.path("target/wallet-20300101T000000Z-000002-aaaaaaaaaaaa.fueki")
    let made = try BuiltBinary.run(
      program: "/usr/bin/python3", ["\(Repository.path)/Tests/Foreign/copied_slots.py", first(), "2", forged])
    #expect(made.status == 0, "\(made.errors)")
    let listed = try run(["verify", forged], status: 0)
    #expect(listed.text.contains("ok"), "\(listed.text)")
    let next = try run(["create", "--json"], status: 0)
    #expect(try next.json()["sequence"] == .number(2), "\(next.text)")
  }
}
