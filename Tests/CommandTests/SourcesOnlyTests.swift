import FuekiSystem
import TestSupport
import Testing

/// The life of a user with other programs' wallets and no Fueki wallet, on this machine and on its successor.
struct SourcesOnlyTests {
  private let machine: Machine
  private let other: [String: String]
  private let wallet = "home/.electrum/wallets/default_wallet"

  init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: wallet)
    try machine.write("the words of another wallet", to: "home/keys/words")
    other = try machine.places(of: "new")
  }

  private var settings: [String] { ["--config", machine.path("config.toml")] }

  /// Sets the machine up with the wallets that are found and a folder of files.
  private func setUp(addsWallets: Bool = true) throws -> RunResult {
    let run = try machine.run(
      ["init", "--target", machine.target, "--target-kind", "local", "--no-passphrase"] + settings
        + (addsWallets ? ["--add-wallets"] : []), status: 0)
    let text = try machine.text("config.toml")
    let files = "\n[[source]]\nkind = \"file\"\npath = \"~/keys\"\n"
    let vault = addsWallets ? text : text.replacing("[[vault]]\n", with: "[[vault]]\nfrom = []\n")
    try machine.write(vault + files, to: "config.toml")
    return run
  }

  private func create() throws -> RunResult {
    try machine.run(["create"] + settings + machine.archiveSecret + Machine.quick)
  }

  /// Checks that a run mentions neither a Fueki wallet nor its keychain, because neither exists here.
  private func expectNoStore(_ run: RunResult, _ line: Int = #line) {
    for words in ["keychain", "there is no wallet", "import a wallet", "fueki-backup import", "DATADIR"] {
      #expect(!(run.text + run.errors).contains(words), "\(words), line \(line): \(run.text)\(run.errors)")
    }
  }

  @Test func `init, create, drill, status, doctor and the kit speak of no Fueki wallet`() throws {
    expectNoStore(try setUp())
    let made = try create().expect(0)
    expectNoStore(made)
    let drill = try machine.run(["drill"] + settings + machine.archiveSecret)
    #expect(drill.status == 0 && drill.text.contains("has not changed"), "\(drill.text)\(drill.errors)")
    expectNoStore(drill)
    try machine.run(
      ["diff", "latest", "--live", "--exit-code"] + settings + machine.archiveSecret, status: 0)
    for command in [["status"], ["doctor"], ["kit", "print"], ["verify", "latest"]] {
      let run = try machine.run(command + settings)
      #expect(run.status == 0, "\(command): \(run.text)\(run.errors)")
      expectNoStore(run)
    }
  }

  @Test func `on a new machine the files come back with the archive's passphrase alone`() throws {
    _ = try setUp()
    #expect(try create().status == 0)
    let restored = try machine.run(
      ["restore", "--target", machine.target, "--files", "home"] + machine.archiveSecret, environment: other,
      status: 0)
    #expect(restored.errors.contains("no keychain is made"), "\(restored.errors)")
    for name in [".electrum/wallets/default_wallet", "keys/words"] {
      #expect(try machine.read("new-home/\(name)") == machine.read("home/\(name)"))
    }
    #expect(!machine.exists("new-data/keychain.sealed"))

    // The new machine goes on: its own configuration, with the same sources.
    let copied = try machine.run(
      ["init", "--add-wallets", "--target", machine.target, "--target-kind", "local", "--no-passphrase"]
        + ["--config", machine.path("new.toml")], environment: other)
    #expect(copied.status == 0 && copied.errors.contains("restored here: ~/keys"), "\(copied.errors)")
    let text = try machine.text("new.toml")
    #expect(text.contains("kind = \"file\"\npath = \"~/keys\""), "\(text)")
    let new = ["--config", machine.path("new.toml")]
    try machine.run(
      ["create"] + new + machine.archiveSecret + Machine.quick, environment: other, status: 0)
    for command in [["drill"] + machine.archiveSecret, ["status"], ["doctor"]] {
      let run = try machine.run(command + new, environment: other)
      #expect(run.status == 0, "\(command): \(run.text)\(run.errors)")
    }
    let again = try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret, environment: other)
    #expect(again.status == 0 && again.text.contains("there already"), "\(again.text)\(again.errors)")

    // The third machine needs no keychain either, though the second had an empty store.
    let third = try machine.places(of: "third")
    try machine.run(
      ["restore", "--target", machine.target, "--files", "home"] + machine.archiveSecret, environment: third,
      status: 0)
    #expect(try machine.read("third-home/keys/words") == machine.read("home/keys/words"))
    #expect(!machine.exists("third-data/keychain.sealed"))
    let found = try machine.run(
      ["discover", "--add", "--config", machine.path("third.toml")], environment: third)
    #expect(found.text.contains("added file:~/keys"), "\(found.text)\(found.errors)")
    let settings = try machine.text("third.toml")
    #expect(settings.contains("path = \"~/keys\"") && settings.contains("path = \"~/.electrum/wallets\""))
  }

  /// A restore that was stopped after its last record continues with put-back alone, too.
  @Test func `the sources of files that put-back restored are proposed`() throws {
    _ = try setUp()
    #expect(try create().status == 0)
    try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret, environment: other, status: 0)
    let found = try machine.run(
      ["discover", "--add", "--config", machine.path("new.toml")], environment: other)
    #expect(found.text.contains("added file:~/keys"), "\(found.text)\(found.errors)")
  }

  @Test func `a configuration without a store continues the vault next to a restored one`() throws {
    _ = try setUp(addsWallets: false)
    #expect(try create().status == 0)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try machine.run(
      ["restore", "--target", machine.target, "--files", "home"] + machine.secrets, environment: other,
      status: 0)
    #expect(machine.exists("new-data/keychain.sealed"))
    let next = try machine.run(
      ["create", "--json"] + settings + machine.archiveSecret + Machine.quick, environment: other, status: 0)
    #expect(try next.json()["sequence"] == .number(2))
  }

  @Test func `a keychain is made where something opens it, and without files nothing is called done`() throws
  {
    _ = try setUp()
    #expect(try create().status == 0)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    let waiting = try machine.run(
      ["restore", "--target", machine.target] + machine.archiveSecret, environment: other)
    #expect(waiting.status == 3 && waiting.text.contains("LEFT IN THE ARCHIVE: ~/keys/words"))
    #expect(waiting.errors.contains("no keychain is made"))
    try machine.run(
      ["restore", "--target", machine.target, "--files", "home", "--datadir", machine.path("given")]
        + machine.secrets, environment: other, status: 0)
    #expect(machine.exists("given/keychain.sealed"))
  }

  @Test func `discover says what is backed up besides the wallets that it knows`() throws {
    try machine.remove("home/.electrum")
    _ = try setUp(addsWallets: false)
    let run = try machine.run(["discover"] + settings)
    #expect(run.status == 0 && run.text.contains("also backed up: file:~/keys"), "\(run.text)")
    #expect(!run.text.contains("no wallet found"))
    try create().expect(0)
    for command in [["status"], ["doctor"], ["drill"] + machine.archiveSecret] {
      let run = try machine.run(command + settings)
      #expect(run.status == 0, "\(command): \(run.text)\(run.errors)")
      expectNoStore(run)
    }
  }
}
