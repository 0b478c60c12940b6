import FuekiSystem
import TestSupport
import Testing

/// The one-letter options.
struct ShortOptionTests {
  private static let letters = [
    "target": "t", "passphrase-from": "p", "dry-run": "n", "output": "o", "identity": "i", "recipient": "r",
    "yes": "y",
  ]

  private static func arguments(of command: OfferedCommand) -> [OfferedCommand.Argument] {
    (command.arguments ?? []) + (command.subcommands ?? []).flatMap(arguments)
  }

  @Test func `every command that has the long option has its letter`() {
    var count = 0
    for argument in OfferedCommand.all.flatMap(Self.arguments) {
      let names = argument.names ?? []
      for name in names where name.kind == "long" {
        guard let letter = Self.letters[name.name] else { continue }
        count += 1
        #expect(names.contains { $0.kind == "short" && $0.name == letter }, "\(name.name)")
      }
      for name in names where name.kind == "short" {
        let isOfTable = names.contains { Self.letters[$0.name] == name.name }
        #expect(isOfTable || ["q", "v", "h"].contains(name.name), "\(name.name)")
      }
    }
    #expect(count > 40, "\(count)")
  }

  @Test func `letters mean what the long options mean`() throws {
    let machine = try Machine()
    let long = try machine.run(
      [
        "restore", "latest", "--target", machine.target, "--datadir", machine.path("new"), "--dry-run",
        "--json",
      ]
        + machine.archiveSecret)
    let short = try machine.run(
      ["restore", "latest", "-t", machine.target, "--datadir", machine.path("new"), "-n", "--json", "-p"]
        + machine.archiveSecret.dropFirst())
    #expect(long.status == 0 && short.status == 0, "\(short.errors)")
    #expect(try short.json()["restored"] == long.json()["restored"])
    #expect(!machine.exists("new"))
  }

  @Test func `a command that is printed for later understands letters and other names`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    for name in ["one", "two"] { try machine.write("canary \(name), whole", to: "home/wallets/\(name)") }
    let one = ["--from", "file:\(machine.path("home/wallets/one"))"]
    let two = ["--from", "file:\(machine.path("home/wallets/two"))"]
    let more = ["-t", machine.target, "--accept=synced-keys"] + machine.archiveSecret + Machine.quick
    #expect(try machine.run(["backup"] + one + two + more).status == 0)
    #expect(try machine.run(["backup"] + one + more).status == 3)
    let run = try machine.run(
      [
        "extract", "latest", "--no-resync", "-t", machine.target, "--files", "home", "-p",
        machine.path("passphrase"),
      ]
        + machine.keychainSecret + Machine.quick,
      environment: try machine.places(of: "new"), status: 0)
    let line = run.text.split(separator: "\n").first { $0.hasPrefix("  fueki-backup restore ") } ?? ""
    #expect(line.contains("--passphrase-from file:\(machine.path("passphrase"))"), "\(run.text)")
    #expect(line.contains("--no-resync") && !line.contains("extract"), "\(line)")
    #expect(line.ranges(of: machine.target).count == 2, "the archive and its target, each once: \(line)")
  }
}
