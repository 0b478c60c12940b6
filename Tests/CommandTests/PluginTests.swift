import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Age's plugins, by the program.
@Suite(.enabled(if: InstalledProgram.path("python3") != nil, "no python3 on this machine"))
struct PluginTests {
  private static let folder = "\(SourceTree.path)/Tests/Plugins"
  private static let path = ["PATH": "\(folder):/usr/bin:/bin"]

  /// Writes an identity file, and returns the recipient.
  private func make(_ mode: String, on machine: Machine) throws -> String {
    let made = try BuiltBinary.run(program: "\(Self.folder)/age-plugin-fuekitest", ["--make", mode]).expect(0)
    try machine.write(made.text, to: "identity.txt")
    return try #require(made.text.split(separator: "\n").first?.split(separator: " ").last.map(String.init))
  }

  private func create(
    _ recipient: String, on machine: Machine, _ environment: [String: String] = Self.path
  ) throws -> RunResult {
    try machine.run(
      ["create", "--target", machine.target, "--json", "--recipient", recipient] + machine.keychainSecret,
      environment: environment)
  }

  @Test func `a plugin's recipient seals archives, and its identity opens them`() throws {
    let machine = try Machine()
    let recipient = try make("looks-around", on: machine)
    // This plugin refuses where it sees one of this program's variables, which a machine's run always has.
    let made = try create(recipient, on: machine).expect(0)
    let sealing = try made.json()["long_term"]
    #expect(sealing?["sealed"] == .bool(false) && sealing?["weak_slots"]?[0] == .number(1))
    let archive = machine.path(try #require(machine.archives().last))
    let shown = try machine.run(["show", archive])
    #expect(
      shown.text.contains("\nsealed for the long term: unknown: an age plugin made slot 1"), "\(shown.text)")
    let listed = try machine.run(["key", "list", archive])
    #expect(listed.text.hasPrefix("slot 1  age-plugin, opens everything\n"), "\(listed.text)")
    let verify = ["verify", archive, "--depth", "contents", "--identity", machine.path("identity.txt")]
    try machine.run(verify, environment: Self.path, status: 0)
    let lost = try machine.run(verify)
    #expect(lost.status == 12 && lost.text.contains("age-plugin-fuekitest is not in any folder of PATH"))
  }

  @Test func `a folder of PATH that is not absolute is not looked in`() throws {
    let machine = try Machine()
    let recipient = try make("honest", on: machine)
    try Directory.makePrivateDirectories(machine.path("bin"))
    _ = try BuiltBinary.run(
      program: "/bin/cp", ["\(Self.folder)/age-plugin-fuekitest", machine.path("bin")])
    let made = try create(recipient, on: machine, ["PATH": "bin:.:/usr/bin:/bin"])
    #expect(made.status == 1 && made.text.contains("not in any folder of PATH"), "\(made.text)")
    #expect(try create(recipient, on: machine, ["PATH": "\(machine.path("bin")):/usr/bin:/bin"]).status == 0)
  }

  @Test func `the plugin says that its stanzas are for the long term, or the configuration does`() throws {
    let machine = try Machine()
    let strong = try create(try make("post-quantum", on: machine), on: machine)
    #expect(try strong.json()["long_term"]?["sealed"] == .bool(true), "\(strong.errors)")

    let recipient = try make("honest", on: machine)
    let vault = "[[vault]]\nrecipients = [\"\(recipient)\"]\n"
    func listed(_ text: String) throws -> RunResult {
      try machine.write(text, to: "config.toml")
      return try machine.run(["key", "list", "--config", machine.path("config.toml")])
    }
    #expect(try listed(vault).text.contains("sealed for the long term: no"))
    let declared = vault + "[[recipient]]\nrecipient = \"\(recipient)\"\npost_quantum = true\n"
    #expect(try listed(declared).text.contains("sealed for the long term: yes"))
    let doctor = try machine.run(
      ["doctor", "-v", "--config", machine.path("config.toml")], environment: Self.path)
    #expect(doctor.text.contains("age-plugin-fuekitest is on PATH"), "\(doctor.text)")
    let made = try machine.run(
      ["create", "--target", machine.target, "--json", "--config", machine.path("config.toml")]
        + machine.keychainSecret, environment: Self.path)
    #expect(try made.json()["long_term"]?["sealed"] == .bool(true), "\(made.errors)")
    let wrong = try listed("[[recipient]]\nrecipient = \"age1nothing\"\n")
    #expect(wrong.status == 64 && wrong.errors.contains("[[recipient]]"), "\(wrong.status) \(wrong.errors)")
  }

  @Test func `a plugin's words are shown as a stranger's, and a question needs a terminal`() throws {
    let machine = try Machine()
    let refused = try create(try make("refuses", on: machine), on: machine)
    #expect(refused.status == 1 && refused.text.contains("age-plugin-fuekitest refuses"))
    #expect(!refused.errors.contains("\u{1b}") && !refused.text.contains("\u{1b}"))
    let greased = try create(try make("greases", on: machine), on: machine)
    #expect(greased.status == 0 && greased.errors.contains("age-plugin-fuekitest says: hello"))
    #expect(!greased.errors.contains("\u{1b}"))
    let archives = try machine.archives()
    let asked = try create(try make("asks", on: machine), on: machine)
    #expect(asked.status == 1 && asked.text.contains("no terminal to answer on"), "\(asked.text)")
    #expect(try machine.archives() == archives)
  }
}
