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
    for name in ["home/.electrum/wallets", "home/keys", "new-home"] {
      try Directory.makePrivateDirectories(machine.path(name))
    }
    try machine.write(ImportedFiles.electrum, to: wallet)
    try machine.write("the words of another wallet", to: "home/keys/words")
    other = [
      "HOME": machine.path("new-home"), "FUEKI_STATE": machine.path("new-state"),
      "FUEKI_DATADIR": machine.path("new-data"),
    ]
  }

  private var settings: [String] { ["--config", machine.path("config.toml")] }

  /// Sets the machine up with the wallets that are found and a folder of files.
  private func setUp(addsWallets: Bool = true) throws -> RunResult {
    let run = try machine.run(
      ["init", "--target", machine.target, "--target-kind", "local", "--no-passphrase"] + settings
        + (addsWallets ? ["--add-wallets"] : []))
    #expect(run.status == 0, "\(run.errors)")
    let text = String(decoding: try machine.read("config.toml"), as: UTF8.self)
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
    let made = try create()
    #expect(made.status == 0, "\(made.text)\(made.errors)")
    expectNoStore(made)
    let drill = try machine.run(["drill"] + settings + machine.archiveSecret)
    #expect(drill.status == 0 && drill.text.contains("has not changed"), "\(drill.text)\(drill.errors)")
    expectNoStore(drill)
    let diff = try machine.run(
      ["diff", "latest", "--live", "--exit-code"] + settings + machine.archiveSecret)
    #expect(diff.status == 0, "\(diff.text)\(diff.errors)")
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
      ["restore", "--target", machine.target, "--files", "home"] + machine.archiveSecret, environment: other)
    #expect(restored.status == 0, "\(restored.text)\(restored.errors)")
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
    let text = String(decoding: try machine.read("new.toml"), as: UTF8.self)
    #expect(text.contains("kind = \"file\"\npath = \"~/keys\""), "\(text)")
    let new = ["--config", machine.path("new.toml")]
    let next = try machine.run(
      ["create"] + new + machine.archiveSecret + Machine.quick, environment: other)
    #expect(next.status == 0, "\(next.text)\(next.errors)")
    for command in [["drill"] + machine.archiveSecret, ["status"], ["doctor"]] {
      let run = try machine.run(command + new, environment: other)
      #expect(run.status == 0, "\(command): \(run.text)\(run.errors)")
    }
    let again = try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret, environment: other)
    #expect(again.status == 0 && again.text.contains("there already"), "\(again.text)\(again.errors)")

    // The third machine needs no keychain either, though the second had an empty store.
    let third = [
      "HOME": machine.path("third-home"), "FUEKI_STATE": machine.path("third-state"),
      "FUEKI_DATADIR": machine.path("third-data"),
    ]
    try Directory.makePrivateDirectories(machine.path("third-home"))
    let last = try machine.run(
      ["restore", "--target", machine.target, "--files", "home"] + machine.archiveSecret, environment: third)
    #expect(last.status == 0, "\(last.text)\(last.errors)")
    #expect(try machine.read("third-home/keys/words") == machine.read("home/keys/words"))
    #expect(!machine.exists("third-data/keychain.sealed"))
    let found = try machine.run(
      ["discover", "--add", "--config", machine.path("third.toml")], environment: third)
    #expect(found.text.contains("added file:~/keys"), "\(found.text)\(found.errors)")
    let settings = String(decoding: try machine.read("third.toml"), as: UTF8.self)
    #expect(settings.contains("path = \"~/keys\"") && settings.contains("path = \"~/.electrum/wallets\""))
  }

  /// A restore that was stopped after its last record continues with put-back alone, too.
  @Test func `the sources of files that put-back restored are proposed`() throws {
    _ = try setUp()
    #expect(try create().status == 0)
    let put = try machine.run(
      ["put-back", "--target", machine.target] + machine.archiveSecret, environment: other)
    #expect(put.status == 0, "\(put.text)\(put.errors)")
    let found = try machine.run(
      ["discover", "--add", "--config", machine.path("new.toml")], environment: other)
    #expect(found.text.contains("added file:~/keys"), "\(found.text)\(found.errors)")
  }

  @Test func `a configuration without a store continues the vault next to a restored one`() throws {
    _ = try setUp(addsWallets: false)
    #expect(try create().status == 0)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    let restored = try machine.run(
      ["restore", "--target", machine.target, "--files", "home"] + machine.secrets, environment: other)
    #expect(restored.status == 0, "\(restored.text)\(restored.errors)")
    #expect(machine.exists("new-data/keychain.sealed"))
    let next = try machine.run(
      ["create", "--json"] + settings + machine.archiveSecret + Machine.quick, environment: other)
    #expect(next.status == 0, "\(next.text)\(next.errors)")
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
    let given = try machine.run(
      ["restore", "--target", machine.target, "--files", "home", "--datadir", machine.path("given")]
        + machine.secrets, environment: other)
    #expect(given.status == 0, "\(given.text)\(given.errors)")
    #expect(machine.exists("given/keychain.sealed"))
  }

  @Test func `discover says what is backed up besides the wallets that it knows`() throws {
    try machine.remove("home/.electrum")
    _ = try setUp(addsWallets: false)
    let run = try machine.run(["discover"] + settings)
    #expect(run.status == 0 && run.text.contains("also backed up: file:~/keys"), "\(run.text)")
    #expect(!run.text.contains("no wallet found"))
    let made = try create()
    #expect(made.status == 0, "\(made.text)\(made.errors)")
    for command in [["status"], ["doctor"], ["drill"] + machine.archiveSecret] {
      let run = try machine.run(command + settings)
      #expect(run.status == 0, "\(command): \(run.text)\(run.errors)")
      expectNoStore(run)
    }
  }
}
