import FuekiSystem
import TestSupport
import Testing

/// The archive's passphrase is the vault's: a user who types another one learns of it before it seals anything.
@Suite(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
struct VaultPassphraseTests {
  private func create(_ machine: Machine) -> [String] {
    ["create", "--target", machine.target] + machine.keychainSecret + Machine.quick
  }

  @Test func `it is asked for once, and a passphrase that does not open the last archive is refused`() throws
  {
    let machine = try Machine()
    let right = try machine.type(
      [("archive's passphrase", "of another vault"), ("Try again (2 left)", Machine.passphrase)],
      create(machine), status: 0)
    #expect(!right.text.contains("again:") && !right.text.contains("new passphrase"))
    #expect(try machine.archives().count == 2)
    let wrong = try machine.type(
      [("archive's passphrase", "one"), ("(2 left)", "two"), ("(1 left)", "three")], create(machine),
      status: 12)
    #expect(wrong.text.contains("--accept new-passphrase"))
    #expect(try machine.archives().count == 2)
  }

  @Test func `where the last archive is out of reach, a warning says so and it is typed twice`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("disk"))
    let secret = "typed twice, of forty letters or so"
    let run = try machine.type(
      [("new passphrase", secret), ("again", secret)],
      ["create", "--target", machine.path("disk"), "--accept=loss"] + machine.keychainSecret + Machine.quick,
      status: 0)
    #expect(run.text.contains("not in reach") && !run.text.contains(secret))
  }

  @Test func `a machine that seals to recipients is asked for nothing`() throws {
    let machine = try Machine()
    let recipient = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"
    let run = try machine.type([], create(machine) + ["--recipient", recipient], status: 0)
    #expect(!run.text.contains("passphrase"))
  }
}
