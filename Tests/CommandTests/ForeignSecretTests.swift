import TestSupport
import Testing

/// Files with secrets that others can replace: nothing is sealed or signed with them.
struct ForeignSecretTests {
  private let machine: Machine

  /// Makes a machine whose secrets are in a folder that a group can write to.
  init() throws {
    machine = try Machine()
    try machine.write(Machine.passphrase, to: "shared/passphrase")
    let key = ["key", "new-signer", "--no-passphrase", "--output", machine.path("shared/signing.key")]
    try #require(machine.run(key).status == 0)
    try machine.write("# fueki/1 SHA256SUMS\n", to: "sums")
    try #require(BuiltBinary.run(program: "/bin/chmod", ["770", machine.path("shared")]).status == 0)
  }

  private var shared: [String] { ["-p", machine.path("shared/passphrase")] }

  @Test func `what seals or signs with one is refused, unless it is accepted`() throws {
    let create = ["create", "--target", machine.target] + machine.keychainSecret + Machine.quick
    let add =
      ["key", "add", "latest", "--target", machine.target, "--new-passphrase-from"]
      + [machine.place("shared/passphrase")] + machine.archiveSecret + Machine.quick
    let sign = ["key", "sign", machine.path("sums"), "--sign-key", machine.path("shared/signing.key")]
    let before = try machine.snapshot(of: "target")
    for command in [create + shared, add, sign] {
      let refused = try machine.run(command)
      #expect(refused.status == 64, "\(command): \(refused.errors)")
      #expect(refused.errors.contains("because they can write to the folder"), "\(refused.errors)")
      #expect(refused.errors.contains("--accept foreign-secret"), "\(refused.errors)")
    }
    #expect(try machine.snapshot(of: "target") == before && !machine.exists("sums.minisig"))
    for command in [create + shared, sign] {
      let accepted = try machine.run(command + ["--accept", "foreign-secret"])
      #expect(accepted.status == 0 && !accepted.errors.contains("warning:"), "\(command): \(accepted.errors)")
    }
  }

  @Test func `what opens with one warns, once`() throws {
    let listed = try machine.run(["key", "list", "latest", "--target", machine.target] + shared)
    #expect(listed.status == 0 && listed.text.contains("opened"), "\(listed.text)\(listed.errors)")
    let warnings = listed.errors.split(separator: "\n").filter { $0.contains("can replace") }
    #expect(warnings.count == 1 && warnings[0].hasPrefix("warning: "), "\(listed.errors)")
  }
}
