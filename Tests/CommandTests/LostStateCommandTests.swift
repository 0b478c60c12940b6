import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Commands other than `create` after the state was lost: the passphrase file of the nights proves the vault.
struct LostStateCommandTests {
  private static let recognized = "but the target has its archives, and they are yours"
  static let recipient = "age1rk65c326a27kqvl4nku3qarlfdsdwqrr6y00cttcwsd8cypy9dmsn23gzl"

  private let machine: Machine

  init() throws { machine = try Self.prepared() }

  /// As long as a key, so that its bytes tell it from others.
  static func content(_ name: String) -> String { "\(name), of which there is no other copy" }

  /// Makes a machine with two targets and two files, whose configuration names a passphrase file.
  static func prepared() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("second"))
    for name in ["one", "two"] { try machine.write(content(name), to: "home/files/\(name)") }
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[target]]
      path = "\(machine.path("second"))"
      kind = "local"
      [[vault]]
      from = []
      passphrase_file = "\(machine.path("passphrase"))"
      kdf_memory = 64
      kdf_passes = 2
      [[source]]
      kind = "file"
      path = "~/files"
      """, to: "config.toml")
    return machine
  }

  private func run(_ arguments: [String], status: Int32) throws -> RunResult {
    let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errors)")
    return run
  }

  private func loseState() throws { try machine.remove("state") }

  private func names(_ target: String) throws -> [String] {
    try machine.names(in: target).filter { $0.hasSuffix(".fueki") }.sorted()
  }

  @Test func `copy brings a target up, says why, and needs no create first`() throws {
    _ = try run(["create"], status: 0)
    try machine.remove("second/\(try #require(names("second").first))")
    try loseState()
    let copied = try run(["copy"], status: 0)
    #expect(copied.errors.contains(Self.recognized), "\(copied.errors)")
    #expect(try names("second") == names("target"))
    let next = try run(["create", "--json"], status: 0)
    #expect(try next.json()["sequence"] == .number(2))
  }

  @Test func `a restored store does not hide that the vault is that of the sources`() throws {
    try machine.write(ImportedFiles.electrum, to: "home/.electrum/wallets/default_wallet")
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    let settings = try machine.text("config.toml")
    try machine.write(
      settings + "\n[[source]]\nkind = \"electrum\"\npath = \"~/.electrum/wallets\"\n", to: "config.toml")
    _ = try run(["create", "--accept=synced-keys"], status: 0)
    _ = try run(
      ["restore", "latest", "--no-resync", "--files", "none", "--target", machine.target] + machine.secrets,
      status: 0)
    #expect(machine.exists("data/wallet.sqlite"))
    try loseState()
    // Of this vault the store is no part: it came out of the archive.
    let next = try run(["create", "--accept=synced-keys", "--json"], status: 0)
    #expect(try next.json()["sequence"] == .number(2))
  }

  @Test func `another passphrase proves nothing to copy, and status says that the next backup fails`() throws
  {
    _ = try run(["create"], status: 0)
    try loseState()
    try machine.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    let copied = try run(["copy"], status: 23)
    #expect(copied.errors.contains("nothing shows that archive 1 is yours"), "\(copied.errors)")
    #expect(copied.errors.contains("key trust"), "\(copied.errors)")
    let status = try run(["status"], status: 60)
    #expect(status.text.contains("does not open the newest archive"), "\(status.text)")
  }

  @Test func `status and doctor recognize the vault without writing to the state`() throws {
    _ = try run(["create"], status: 0)
    try loseState()
    // Until the next backup, nothing shows that the nights go on.
    for (command, status) in [("status", 60), ("doctor", 0)] as [(String, Int32)] {
      let run = try self.run([command], status: status)
      #expect(run.errors.contains(Self.recognized), "\(command): \(run.errors)")
      #expect(!run.text.contains("nothing shows"), "\(command): \(run.text)")
    }
    let files = machine.exists("state") ? try machine.names(in: "state") : []
    #expect(!files.contains { $0.hasPrefix("vault-") }, "\(files)")
    #expect(try run(["create", "--json"], status: 0).json()["sequence"] == .number(2))
  }

  @Test func `a disk that was away when another vault began asks once it is back`() throws {
    func move(_ old: String, _ new: String) throws {
      try Directory.open(machine.path(".")).rename(old, to: new, replacing: false)
    }
    try move("second", "second.away")
    _ = try run(["create"], status: 3)
    try loseState()
    try move("target", "target.away")
    try move("second.away", "second")
    let own = try run(["create", "--json"], status: 3).json()
    #expect(own["sequence"] == .number(1))
    try move("target.away", "target")
    for _ in 0..<2 {
      let night = try run(["create", "--json"], status: 3).json()
      #expect(night["undecided_vault"]?.text != nil && night["vault"] == own["vault"], "\(night)")
    }
    _ = try run(["create", "--new-vault"], status: 0)
    _ = try run(["create"], status: 0)
  }

  @Test(arguments: [[], ["trusted"]])
  func `prune keeps the archive that alone has a file`(_ trusted: [String]) throws {
    let first = try run(["create", "--json"], status: 0).json()
    try machine.remove("home/files/two")
    let second = try run(["create", "--json"], status: 3).json()
    let signer = try run(["show", "latest", "--json"], status: 0).json()["header"]?["signer"]?.text
    try loseState()
    // A trusted signer shows whose the archives are, and nothing of their contents.
    if !trusted.isEmpty { _ = try run(["key", "trust", #require(signer)], status: 0) }
    let pruned = try run(["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(pruned.text.contains("two"), "\(pruned.text)")
    let left = try names("target")
    for archive in [first, second] {
      let name = try #require(archive["archive"]?.text?.split(separator: "/").last)
      #expect(left.contains(String(name)), "\(left)")
    }
  }

  @Test func `put-back places files at home, and the next backup continues the vault`() throws {
    _ = try run(["create"], status: 0)
    try loseState()
    try machine.remove("home/files/two")
    let passphrase = ["-p", machine.path("passphrase")]
    let looked = try run(["put-back", "--dry-run"] + passphrase, status: 0)
    #expect(looked.text.contains("~/files/two") || looked.text.contains("home/files/two"), "\(looked.text)")
    #expect(!machine.exists("home/files/two"))
    _ = try run(["put-back"] + passphrase, status: 0)
    #expect(try machine.read("home/files/two") == Array(Self.content("two").utf8))
    #expect(try run(["create", "--json"], status: 0).json()["sequence"] == .number(2))
  }

  @Test func `put-back places nothing at home if a second key leaves the passphrase without proof`() throws {
    let passphrase = ["-p", machine.path("passphrase")]
    _ = try run(["create", "--recipient", Self.recipient] + passphrase, status: 0)
    let signer = try run(["show", "latest", "--json"], status: 0).json()["header"]?["signer"]?.text
    try loseState()
    try machine.remove("home/files/two")
    _ = try run(["put-back"] + passphrase, status: 23)
    #expect(!machine.exists("home/files/two"))
    _ = try run(["key", "trust", #require(signer)], status: 0)
    _ = try run(["put-back"] + passphrase, status: 0)
    #expect(machine.exists("home/files/two"))
  }

  @Test func `a changed passphrase does not hide what is gone since`() throws {
    _ = try run(["create"], status: 0)
    try loseState()
    try machine.write("quite another passphrase, and a long one", to: "new")
    let changed = try run(
      [
        "key", "change-passphrase", "latest", "--update-passphrase-file", "--new-passphrase-from",
        machine.place("new"), "-p", machine.path("passphrase"),
      ] + Machine.quick, status: 0)
    #expect(changed.text.contains("number 2"), "\(changed.text)")
    try machine.remove("home/files/two")
    let next = try run(["create", "--json"], status: 3)
    let losses = try next.json()["losses"]?.elements ?? []
    #expect(losses.count == 1 && losses[0]["sequence"] == .number(2), "\(losses)")
  }
}
