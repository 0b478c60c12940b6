import CommandSupport
import TestSupport
import Testing

/// A signing key that somebody else has, too.
struct KeyRetireTests {
  private let machine: Machine
  /// The vault's only signer.
  private let signer: String

  /// Makes numbers 1 and 2, and with a copy of the key a thief's number 3 that lies beside them.
  init() throws {
    let machine = try LostStateCommandTests.prepared()
    func run(_ arguments: [String], state: String = "state") throws -> RunResult {
      let run = try machine.run(
        arguments + ["--config", machine.path("config.toml")],
        environment: ["FUEKI_STATE": machine.path(state)])
      try #require(run.status == 0, "\(arguments): \(run.text)\(run.errors)")
      return run
    }
    for _ in 0..<2 { _ = try run(["create"]) }
    for (name, bytes) in try machine.snapshot(of: "state") where !bytes.isEmpty {
      try machine.write(bytes, to: "thief/\(name.split(separator: "/").last ?? "")")
    }
    _ = try run(["create"], state: "thief")
    signer = try #require(run(["show", "latest", "--json"]).json()["header"]?["signer"]?.text)
    self.machine = machine
  }

  private func run(_ arguments: [String], status: Int32 = 0) throws -> RunResult {
    let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errors)")
    return run
  }

  private func whose() throws -> [Double: String] {
    let list = try run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    return Dictionary(list.map { ($0["sequence"]?.number ?? 0, $0["whose"]?.text ?? "") }) { $1 }
  }

  @Test func `what a retired key signed is a stranger's, but for the machine's own`() throws {
    #expect(try whose() == [1: "mine", 2: "mine", 3: "mine"])
    let retired = try run(["key", "retire", signer])
    #expect(retired.errors.contains("the next \"create\" makes another"), "\(retired.errors)")
    #expect(retired.text.contains("no signer is accepted on this machine"), "\(retired.text)")
    #expect(try whose() == [1: "mine", 2: "mine", 3: "stranger"])
    let next = try run(["create", "--json"])
    #expect(next.errors.contains("made a key that signs this vault's archives"), "\(next.errors)")
    #expect(try next.json()["sequence"] == .number(3))
    let trust = try run(["key", "trust", "--json"]).json()
    #expect(trust["retired"]?.elements.map { $0["key"] } == [.string(signer)])
    #expect(
      trust["signers"]?.elements.count == 1 && trust["signers"]?.elements.first?["key"] != .string(signer))
    // Typing it is the only way back.
    #expect(try run(["key", "trust", signer]).text.contains("signer \(signer)"))
  }

  @Test func `status says after a lost state that the next backup needs the signer`() throws {
    _ = try run(["key", "retire", signer])
    _ = try run(["create"])
    try machine.remove("state")
    // The passphrase opens what the thief signed, too, so that it proves nothing.
    let status = try run(["status"], status: 60)
    let refused = try run(["create"], status: 23)
    #expect(status.text.contains("makes no backup, and ends with 23"), "\(status.text)")
    #expect(refused.errors.contains("key trust"), "\(refused.errors)")
  }

  @Test func `a configured key that was retired signs nothing`() throws {
    let key = machine.path("signing.key")
    #expect(try machine.run(["key", "new-signer", "--no-passphrase", "--output", key]).status == 0)
    _ = try run(["key", "retire", machine.path("signing.pub")])
    let before = try machine.archives()
    let refused = try run(["create", "--sign-key", key], status: 64)
    #expect(
      refused.errors.contains("the key that would sign was retired on this machine"), "\(refused.errors)")
    #expect(try machine.archives() == before)
  }
}
