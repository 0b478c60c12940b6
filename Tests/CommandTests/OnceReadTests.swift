import TestSupport
import Testing

/// A run that needs a secret twice, as `create --on-change` does that makes an archive, takes it once.
struct OnceReadTests {
  private let machine: Machine

  init() throws { machine = try Machine() }

  private func keychainSecret() throws -> String {
    try machine.text("keychain.pass")
  }

  private func create(
    _ keychain: [String], environment: [String: String] = [:], stdin: String = ""
  ) throws -> RunResult {
    try machine.run(
      ["create", "--on-change", "--target", machine.target] + machine.archiveSecret + Machine.quick
        + keychain,
      environment: environment, stdin: stdin)
  }

  @Test func `an environment variable, which is gone once it was read, is enough`() throws {
    let run = try create([], environment: ["FUEKI_KEYCHAIN_PASSPHRASE": try keychainSecret()]).expect(0)
    #expect(try machine.archives().count == 2)
    #expect(run.errors.split(separator: "\n").count { $0.contains("is in the environment") } == 1)
  }

  @Test func `a descriptor, which has an end, is enough`() throws {
    try create(["--keychain-passphrase-from", "fd:0"], stdin: try keychainSecret()).expect(0)
    #expect(try machine.archives().count == 2)
  }

  @Test func `a command runs once`() throws {
    let count = machine.path("count")
    let run = try create([
      "--keychain-passphrase-from", "command:echo >> '\(count)'; cat '\(machine.path("keychain.pass"))'",
    ])
    #expect(run.status == 0, "\(run.errors)")
    #expect(try machine.archives().count == 2)
    #expect(try machine.read("count").count == 1)
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `a person is asked once`() throws {
    let run = try machine.type(
      [("what opens the wallet's keychain", try keychainSecret())],
      ["create", "--on-change", "--target", machine.target] + machine.archiveSecret + Machine.quick)
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.split(separator: "what opens the wallet's keychain").count == 2, "\(run.text)")
    #expect(try machine.archives().count == 2)
  }
}
