import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Sources that the comparison with the wallet in use cannot look at.
struct UnseenSourceTests {
  private func configured(_ path: String) throws -> Machine {
    let machine = try Machine()
    for name in ["one", "two"] {
      try machine.write(ImportedFiles.keystore, to: "home/keys/\(name)/UTC--\(name)")
    }
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n\n[[source]]\nkind = \"keystore\"\npath = \"\(path)\"\n",
      to: "home/.config/fueki-backup/config.toml")
    let made = try machine.create(["--accept=synced-keys"])
    try #require(made.status == 0, "\(made.errors)")
    return machine
  }

  @Test func `a drill in its sandbox finds the sources of a pattern`() throws {
    let machine = try configured("~/keys/*/UTC--*")
    let drill = try machine.run(["drill", "--json"] + machine.secretsToRead, status: 0)
    #expect(try drill.json()["live"] == .object([:]), "\(drill.text)")
    #expect(try drill.json()["live_not_compared"]?.elements.isEmpty == true)
  }

  @Test(
    .enabled(if: CurrentUser.identifier == 0, "this machine's user cannot give files to another one"),
    arguments: ["drill", "diff latest --live"])
  func `a place that cannot be looked at is not compared, and never removed`(_ command: String) throws {
    let machine = try configured("~/keys/*/UTC--*")
    let keys = machine.path("home/keys")
    for change in [["chown", "65534", keys], ["chmod", "700", keys]] {
      try #require(try BuiltBinary.run(program: "/bin/\(change[0])", Array(change.dropFirst())).status == 0)
    }
    let rights = "-dac_override,-dac_read_search"
    let run = try machine.run(
      command.split(separator: " ").map(String.init) + machine.secretsToRead,
      through: ["/usr/bin/setpriv", "--bounding-set", rights, "--inh-caps", rights], status: 3)
    #expect(run.errors.contains("not compared"), "\(run.errors)")
    #expect(!run.text.contains("removed"), "\(run.text)")
  }
}
