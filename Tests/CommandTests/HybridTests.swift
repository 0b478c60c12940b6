import FuekiSystem
import TestSupport
import Testing

/// Keys against quantum computers, by the program.
struct HybridTests {
  @Test func `a hybrid pair is made, seals archives for the long term, and opens them`() throws {
    let machine = try Machine()
    let identity = machine.path("identity.txt")
    let made = try machine.run(["key", "new-identity", "--output", identity], status: 0)
    let recipient = try machine.text("identity.txt.pub")
    #expect(recipient.hasPrefix("age1pq1") && made.text == recipient)
    #expect(try File.open(identity).permissions() == 0o600)
    let file = try machine.text("identity.txt")
    #expect(file.contains("# public key: \(recipient)AGE-SECRET-KEY-PQ-1"))
    #expect(!made.text.contains("SECRET") && !made.errors.contains("SECRET"))
    #expect(try machine.run(["key", "new-identity", "--output", identity]).status == 40)
    #expect(
      try machine.run(["key", "new-identity", "--no-passphrase", "--output", identity]).status
        == 64)

    let create = ["create", "--target", machine.target, "--json"] + machine.keychainSecret + Machine.quick
    let sealed = try machine.run(create + ["--recipients-file", identity + ".pub"], status: 0)
    #expect(try sealed.json()["long_term"]?["sealed"] == .bool(true))
    let archive = machine.path(try #require(machine.archives().last))
    #expect(try machine.run(["show", archive]).text.contains("\nsealed for the long term: yes\n"))
    #expect(try machine.run(["key", "list", archive]).text.hasPrefix("slot 1  hybrid, opens everything\n"))
    let contents = ["verify", archive, "--depth", "contents"]
    #expect(try machine.run(contents + ["--identity", identity]).status == 0)
    let other = machine.path("other.txt")
    #expect(try machine.run(["key", "new-identity", "--output", other]).status == 0)
    #expect(try machine.run(contents + ["--identity", other]).status == 12)
  }

  @Test func `a slot that is not for the long term is named`() throws {
    let machine = try Machine()
    let recipient = "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"
    let made = try machine.run(
      ["create", "--target", machine.target, "--recipient", recipient, "--json"] + machine.secrets, status: 0)
    let weak = try made.json()["long_term"]?["weak_slots"]
    #expect(weak?[0] == .number(2) && weak?[1] == nil)
    let shown = try machine.run(["show", "latest", "--target", machine.target])
    #expect(shown.text.contains("\nsealed for the long term: no: slot 2 is not\n"), "\(shown.text)")
    try machine.write("[[vault]]\nrecipients = [\"\(recipient)\"]\n", to: "config.toml")
    let doctor = try machine.run(["doctor", "--config", machine.path("config.toml")])
    #expect(doctor.text.contains("long-term") && doctor.text.contains("key new-identity"))
  }
}
