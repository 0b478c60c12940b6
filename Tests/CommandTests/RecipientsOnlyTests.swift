import FuekiSystem
import TestSupport
import Testing

/// Archives that only age identities open: no command asks for a passphrase.
struct RecipientsOnlyTests {
  private static func machine() throws -> (machine: Machine, identity: String) {
    let machine = try Machine()
    try machine.run(["key", "new-identity", "--output", machine.path("identity.txt")], status: 0)
    let file = try machine.text("identity.txt")
    let recipient = try #require(file.firstMatch(of: #/age1[a-z0-9]+/#)?.output)
    let identity = try #require(file.firstMatch(of: #/AGE-SECRET-KEY-[A-Z0-9-]+/#)?.output)
    try machine.remove("target")
    try Directory.makePrivateDirectories(machine.target)
    try machine.run(
      ["create", "--target", machine.target, "--accept=loss", "--recipient", String(recipient)]
        + machine.keychainSecret, status: 0)
    return (machine, String(identity))
  }

  @Test func `without a terminal verify and drill say that an identity is needed`() throws {
    let (machine, _) = try Self.machine()
    for command in [
      ["verify", "latest", "--depth", "contents"], ["verify", machine.target, "--depth", "contents"],
      ["drill"],
    ] {
      let run = try machine.run(
        command + ["--target", machine.target] + machine.keychainSecret.filter { _ in command == ["drill"] })
      #expect(run.status == 12 && run.errors.contains("an age identity"), "\(command) \(run.errors)")
      #expect(run.errors.contains("--identity") && !run.errors.contains("passphrase"), "\(run.errors)")
    }
  }

  @Test func `this machine's key continues a vault whose record is gone`() throws {
    let (machine, _) = try Self.machine()
    for (number, more) in [(3.0, []), (4.0, ["--adopt"])] {
      for name in try machine.names(in: "state") where name.hasPrefix("vault-") {
        try machine.remove("state/\(name)")
      }
      let status = try machine.run(["status", "--target", machine.target])
      #expect(status.errors.contains("they are yours"), "\(status.text)\(status.errors)")
      let next = try machine.run(
        ["create", "--target", machine.target, "--json"]
          + ["--recipients-file", machine.path("identity.txt.pub")] + more + machine.keychainSecret)
      #expect(next.status == 0, "\(more): \(next.errors)")
      #expect(try next.json()["sequence"] == .number(number))
    }
  }

  @Test(.enabled(if: Typist.isPossible))
  func `on a terminal both ask for the identity`() throws {
    let (machine, identity) = try Self.machine()
    let verified = try machine.type(
      [("the age identity", identity)],
      ["verify", "latest", "--depth", "contents", "--target", machine.target])
    #expect(verified.status == 0 && !verified.text.contains(identity), "\(verified.text)")
    #expect(!verified.text.contains("passphrase"), "\(verified.text)")
    let drilled = try machine.type(
      [("age identity's file", machine.path("identity.txt"))],
      ["drill", "--no-live", "--target", machine.target])
    #expect(drilled.status == 0 && !drilled.text.contains("passphrase"), "\(drilled.text)")
  }
}
