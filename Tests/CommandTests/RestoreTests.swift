import FuekiSystem
import TestSupport
import Testing

struct RestoreTests {
  @Test func `an existing data directory that is no wallet's, or has all already, is not touched`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("restored/folder"))
    try machine.write("a wallet of mine", to: "restored/wallet.sqlite")
    let before = try machine.snapshot(of: "restored")
    let run = try machine.restore(status: 40)
    #expect(run.errors.contains("--datadir"))
    #expect(try machine.snapshot(of: "restored") == before)
    // Nor is the wallet's own, whose contents are the same.
    let own = try machine.snapshot(of: "data")
    try machine.run(["restore", "latest", "--target", machine.target] + machine.secrets, status: 0)
    #expect(try machine.snapshot(of: "data") == own)
  }

  @Test func `a file or a link in the place of the data directory is not touched`() throws {
    let machine = try Machine()
    try machine.write("a file", to: "restored")
    #expect(try machine.restore().status == 40)
    #expect(try machine.read("restored") == Array("a file".utf8))
    try BuiltBinary.run(program: "/bin/ln", ["-s", "nowhere", machine.path("link")]).expect(0)
    #expect(try machine.restore(to: "link").status == 40)
    #expect(!machine.exists("nowhere"))
  }

  @Test func `an existing empty data directory serves`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("restored"))
    try machine.restore(status: 0)
    #expect(machine.exists("restored/wallet.sqlite") && machine.exists("restored/keychain.sealed"))
  }

  @Test func `it says first where the wallet is, and only with -v which stages went well`() throws {
    let machine = try Machine()
    let stages = ["verify: done", "authenticate: done", "complete: done"]
    let brief = try machine.restore().text
    #expect(!stages.contains { brief.contains($0) }, "\(brief)")
    let told = try #require(brief.firstRange(of: "restored to "))
    let known = try #require(brief.firstRange(of: "what the backup of each wallet was worth"))
    #expect(told.lowerBound < known.lowerBound)
    let full = try machine.restore(to: "again", ["-v"]).text
    #expect(stages.allSatisfy { full.contains("\($0) (") }, "\(full)")
  }

  @Test func `what was restored backs up to the same records`() throws {
    let machine = try Machine()
    #expect(try machine.restore().status == 0)
    let dry = ["create", "--dry-run", "--json"] + machine.keychainSecret
    let before = try machine.run(dry).json()
    let after = try machine.run(dry + ["--datadir", machine.path("restored")]).json()
    let counts = before["sources"]?[0]?["included"]
    #expect(counts != nil && counts == after["sources"]?[0]?["included"])
  }

  @Test func `a wrong passphrase leaves nothing`() throws {
    let machine = try Machine()
    try machine.write("not the passphrase", to: "wrong")
    let before = try machine.names(in: ".")
    let run = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + ["-p", machine.path("wrong")] + machine.keychainSecret, status: 12)
    #expect(run.errors.contains("this is not damage"))
    #expect(try machine.names(in: ".") == before)
  }

  @Test func `no secret for the new keychain leaves nothing`() throws {
    let machine = try Machine()
    let before = try machine.names(in: ".")
    let arguments =
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
      + machine.archiveSecret + Machine.quick
    let run = try machine.run(arguments, through: ["/usr/bin/setsid", "--wait"], status: 12)
    #expect(run.errors.contains("--keychain-"))
    #expect(try machine.names(in: ".") == before)
    // If no secrets are restored, no question is asked.
    try machine.run(arguments + ["--only", "profile,history"], status: 0)
    #expect(!machine.exists("restored/keychain.sealed"))
  }

  @Test func `a dry run writes nothing`() throws {
    let machine = try Machine()
    let before = try machine.names(in: ".")
    let state = try machine.snapshot(of: "state")
    let run = try machine.restore(to: "restored", ["--dry-run", "--json"], status: 0)
    #expect(try run.json()["dry_run"] == .bool(true))
    #expect(try machine.names(in: ".") == before)
    #expect(try machine.snapshot(of: "state") == state)
  }

  @Test func `a damaged newest archive is not restored, and the newest that verifies is named`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let archives = try machine.archives()
    try machine.damage(archives[1])
    let run = try machine.restore(status: 20)
    #expect(run.errors.contains(archives[0]))
    #expect(!machine.exists("restored"))
    // The state knows a newer one, so the user must request the older one explicitly.
    #expect(try machine.restore(machine.path(archives[0])).status == 24)
    #expect(!machine.exists("restored"))
    try machine.restore(machine.path(archives[0]), to: "restored", ["--accept=older"], status: 0)
  }

  @Test func `with no other archive that verifies, that is said`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    try machine.damage(archive)
    let run = try machine.restore(status: 20)
    #expect(run.errors.contains("no older archive here verifies"))
  }

  @Test func `one damaged header copy is a warning to restore and damage to verify`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    var bytes = try machine.read(archive)
    bytes[40] ^= 1
    try machine.write(bytes, to: archive)
    #expect(try machine.run(["verify", machine.path(archive)]).status == 20)
    let run = try machine.restore(machine.path(archive), status: 0)
    #expect(run.errors.contains("warning: damaged"))
  }

  @Test func `a restore makes the archive the newest known of its vault`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let old = try machine.archives()[0]
    try machine.remove("state")
    #expect(try machine.restore().status == 0)
    #expect(try machine.restore(machine.path(old), to: "older").status == 24)
    // And the new machine goes on where the old one stopped.
    let next = try machine.run(
      ["create", "--target", machine.target, "--datadir", machine.path("restored"), "--json"]
        + machine.secrets, status: 0)
    #expect(try next.json()["sequence"] == .number(3))
  }

  @Test func `only the sections that were asked for come back`() throws {
    let machine = try Machine()
    let run = try machine.restore(
      "latest", to: "restored", ["--only", "wallets,contacts", "--json"], status: 0)
    let restored = try run.json()["restored"]?.keys ?? []
    #expect(restored == ["wallets", "contacts"])
  }

  @Test func `a restore that brings nothing says so`() throws {
    let machine = try Machine()
    let none = "the archive has none of the things that you asked for"
    let keys = try machine.restore("latest", to: "keys", ["--only", "private-keys"])
    #expect(keys.status == 0 && keys.errors.contains("warning: \(none)"), "\(keys.errors)")
    let all = try machine.restore("latest", to: "all")
    #expect(all.status == 0 && !all.errors.contains(none), "\(all.errors)")
  }

  @Test func `what ends a restore is not said to be restored anyway`() throws {
    let machine = try Machine()
    let archive = try #require(machine.archives().last)
    try machine.write(try machine.read(archive) + [1, 2, 3], to: archive)
    let refused = try machine.restore()
    #expect(refused.status == 20 && refused.errors.contains("nothing was restored"), "\(refused.errors)")
    #expect(!refused.errors.contains("restored anyway") && !machine.exists("restored"), "\(refused.errors)")
    let salvaged = try machine.restore("latest", to: "restored", ["--salvage"])
    #expect(
      salvaged.errors.contains("damaged, restored anyway: 3 bytes follow the archive"), "\(salvaged.errors)")
    #expect(machine.exists("restored"))
  }
}
