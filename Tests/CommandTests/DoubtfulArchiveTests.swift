import CommandSupport
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
    try machine.run(
      ["create", "--new-vault", "--config", machine.path("config.toml")],
      environment: ["FUEKI_STATE": machine.path("other-state")], status: 0)
    let count = try names().count
    _ = try run(["create"], status: 23)
    #expect(try names().count == count)
  }

  /// Copies an archive's slots into a file with another number, without a secret.
  private func forge(_ number: Int, from archive: String) throws {
    let forged = machine.path("target/wallet-20300101T000000Z-\(100_000 + number)-aaaaaaaaaaaa.fueki")
    let made = try BuiltBinary.run(
      program: "/usr/bin/python3",
      ["\(SourceTree.path)/Tests/Foreign/copied_slots.py", archive, "\(number)", forged])
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func `a planted file hides no signer where nothing proves an older archive`() throws {
    for folder in ["target", "second"] { try machine.remove("\(folder)/\(#require(names().first))") }
    try forge(3, from: first())
    try expectRefusal()
  }

  @Test func `an archive that other keys open, too, is accepted by its signer alone`() throws {
    let newest = try machine.path("target/\(#require(names().last))")
    let refused = try run(["key", "trust", "--archive", newest] + passphrase, status: 23)
    #expect(refused.errors.contains("other keys than a passphrase"), "\(refused.errors)")
    #expect(try run(["key", "trust", "--archive", first()] + passphrase, status: 0).text.contains("signer "))
    // The first proves its own signer, and nothing of the second.
    try expectRefusal()
    _ = try run(["key", "trust", signer, "--archive", newest] + passphrase, status: 0)
    #expect(try run(["create", "--json"], status: 0).json()["sequence"] == .number(3))
  }

  @Test func `a stranger's archive is not accepted with the own passphrase`() throws {
    try machine.write("another passphrase altogether, 44 bytes long", to: "other")
    _ = try run(
      ["key", "trust", "--archive", first(), "-p", machine.path("other")], status: 12)
    #expect(try !machine.names(in: "state").contains { $0.hasPrefix("vault-") })
  }

  @Test func `nobody without a key can make such an archive`() throws {
    let newest = try #require(names().last)
    // With the passphrase as the only key, and with another one.
    for number in 2...10 { try forge(number, from: number == 2 ? first() : machine.path("target/\(newest)")) }
    for folder in ["target", "second"] { try machine.remove("\(folder)/\(newest)") }
    let forged = try machine.path("target/\(#require(names().last))")
    let listed = try run(["verify", forged], status: 0)
    #expect(listed.text.contains("ok"), "\(listed.text)")
    let next = try run(["create", "--json"], status: 0)
    #expect(try next.json()["sequence"] == .number(2), "\(next.text)")
  }
}
