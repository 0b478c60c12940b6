import FuekiSystem
import TestSupport
import Testing

/// The owner of a dead laptop: a new machine, several disks, a passphrase on paper, and hands that shake.
@Suite(.enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"))
struct DeadLaptop {
  /// A disk with this person's archives: the newest was cut, the one before has a damaged middle.
  private func disk() throws -> Machine {
    let machine = try Machine()
    for _ in 1...2 { #expect(try machine.create().status == 0) }
    let archives = try machine.archives()
    try #require(archives.count == 3)
    var damaged = try machine.read(archives[1])
    for place in damaged.count / 2..<damaged.count / 2 + 64 { damaged[place] ^= 0xFF }
    try machine.write(damaged, to: archives[1])
    let whole = try machine.read(archives[2])
    try machine.write(Array(whole.prefix(whole.count * 2 / 3)), to: archives[2])
    return machine
  }

  /// Adds archives of another user's vault to the same folder.
  private func addAnotherVault(to machine: Machine) throws {
    // The vault with the newer archive comes first; of the same second, it would be either.
    let second = SystemClock.now / 1_000_000
    while SystemClock.now / 1_000_000 == second { SystemClock.sleep(seconds: 0.02) }
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "5"], status: 0)
    for name in try machine.names(in: "demo/backups") where name.hasSuffix(".fueki") {
      try machine.copy("demo/backups/\(name)", to: "target/\(name)")
    }
  }

  @Test func `one command: the wrong disk, typos, two vaults, and two archives that cannot be used`() throws {
    let machine = try disk()
    try addAnotherVault(to: machine)
    try machine.makeFolder("empty")
    let session = Session(machine)
    try session.moveToNewMachine()
    // The label tells this person's vault from the other.
    let text = try session.type(
      [
        ("the folder or disk", machine.path("empty")), ("Is this the right disk?", "/no/such/disk"),
        ("(1 left)", machine.target),
        ("which vault", "9"), ("Type one from 1 to 2", "2"),
        ("which archive", ""), ("restore that one", ""), ("archive's passphrase", "not on the paper"),
        ("Wrong passphrase", Machine.passphrase), ("restore it", ""),
        ("use the archive's passphrase", ""),
      ], ["restore"] + Machine.quick)
    #expect(session.commands == 1 && session.prompts == 11)
    #expect(text.contains("Archives of 2 vaults were found:"), "\(text)")
    #expect(text.contains("The archive is undamaged."), "\(text)")
    #expect(text.contains("Next steps:"), "\(text)")
    #expect(machine.exists("new-data/wallet.sqlite") && machine.exists("new-data/keychain.sealed"))
    for secret in [Machine.passphrase, "not on the paper"] { #expect(!text.contains(secret)) }
  }

  @Test func `who gives up leaves nothing behind`() throws {
    let machine = try disk()
    let session = Session(machine)
    try session.moveToNewMachine()
    let wrong = try session.type(
      [
        ("which archive", ""), ("restore that one", ""), ("archive's passphrase", "one"), ("(2 left)", "two"),
        ("(1 left)", "three"),
      ], ["restore", machine.target] + Machine.quick, ends: 12)
    #expect(wrong.contains("The archive is undamaged"), "\(wrong)")
    #expect(!machine.exists("new-data"))
    #expect(session.commands == 1)
  }
}
