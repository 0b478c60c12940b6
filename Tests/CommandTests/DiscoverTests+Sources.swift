import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Sources that take the wallets found.
extension DiscoverTests {
  @Test(arguments: [
    ("bitcoin-core", ".bitcoin", ".bitcoin/wallets/a/b/wallet.dat"),
    ("monero", "Monero/wallets", "Monero/wallets/main/main.keys"),
    ("file", "", ".electrum/wallets/default_wallet"),
  ])
  func `a wallet that a source takes from folders below it is backed up`(
    _ kind: String, _ source: String, _ wallet: String
  ) throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/\(PathParts(wallet).folder)"))
    try machine.write(ImportedFiles.electrum, to: "home/\(wallet)")
    #expect(try uncovered(machine) == [machine.path("home/\(wallet)")])
    try configure("[[source]]\nkind = \"\(kind)\"\npath = \"~/\(source)\"\n", on: machine)
    #expect(try uncovered(machine).isEmpty)
    #expect(try machine.run(["doctor"]).text.contains("in no backup") == false)
  }

  @Test func `a source takes no wallet of another kind, and none behind a link`() throws {
    let machine = try machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/.bitcoin/wallets"))
    try machine.write(ImportedFiles.electrum, to: "elsewhere/wallet.dat")
    try Directory.open(machine.path("home/.bitcoin/wallets")).makeSymbolicLink(
      "a", to: machine.path("elsewhere"))
    try configure("[[source]]\nkind = \"bitcoin-core\"\npath = \"~\"\n", on: machine)
    #expect(
      try Set(uncovered(machine)) == [
        machine.path("\(Self.electrum)/default_wallet"), machine.path("\(Self.keystore)/UTC--one"),
        machine.path("home/.bitcoin/wallets/a/wallet.dat"),
      ])
  }

  private func uncovered(_ machine: Machine) throws -> [String] {
    try machine.run(["discover", "--json"]).json()["places"]?.elements
      .flatMap { $0["uncovered"]?.elements.compactMap(\.text) ?? [] } ?? []
  }

  @Test
  func `wallets whose names are equal after normalisation, or not UTF-8, are added, taken and put back`()
    throws
  {
    let pair = try LostMachine()
    let names = ["caf\u{E9}", "cafe\u{301}", "caf\u{10FEE9}"].map { ".electrum/wallets/\($0)" }
    let folders = ["k\u{E9}", "ke\u{301}", "k\u{10FEE9}"].map { "home/keys/\($0)" }
    for name in names { try pair.write(Array(ImportedFiles.electrum.utf8), to: "home/\(name)") }
    for folder in folders { try pair.write(Array(folder.utf8), to: "\(folder)/f") }
    #expect(try pair.machine.run(["discover", "--add"]).status == 0)
    #expect(try uncovered(pair.machine).isEmpty)
    let sources = folders.map { "file:\(pair.machine.path($0))" }
    try pair.create(["all"] + sources)
    try pair.restore()
    let run = try pair.putBack().expect(0)
    for name in names + folders.map({ "\($0.dropFirst(5))/f" }) { try pair.expectSame(name) }
    #expect(run.text.contains("caf\\xe9"), "\(run.text)")
  }

  @Test func `a table of a configuration names a path that is not UTF-8`() throws {
    let machine = try Machine(isPrepared: false)
    let names = ["k\u{E9}", "ke\u{301}", "k\u{10FEE9}"]
    for name in names {
      try machine.write(name, to: "home/\(name)/f")
    }
    let paths = ["k\u{E9}", "ke\u{301}", "k\\U0010FEE9"]
    try configure(
      "[[vault]]\nfrom = []\n" + paths.map { "[[source]]\nkind = \"file\"\npath = \"~/\($0)\"\n" }.joined(),
      on: machine)
    let run = try machine.run(["create", "--dry-run", "--json"])
    let sources = try run.json()["sources"]?.elements.compactMap { $0["name"]?.text?.pathBytes }
    #expect(sources == names.map { "file:\(machine.path("home/\($0)"))".pathBytes }, "\(run.errors)")
  }

  @Test func `all takes everything that is found`() throws {
    let machine = try machine()
    let run = try machine.run(["create", "--dry-run", "--json", "--from", "all"])
    #expect(run.errors.isEmpty, "\(run.errors)")
    let names = try run.json()["sources"]?.elements.compactMap { $0["name"]?.text }
    #expect(
      names == [
        "electrum:\(machine.path(Self.electrum))", "keystore:\(machine.path(Self.keystore))",
      ])
  }

  @Test(arguments: [
    ("kind = \"electrum\"", "needs a kind and a path"), ("kind = \"what\"\npath = \"a\"", "one of"),
    ("kind = \"electrum\"\npath = \"a\"\ninclude_private_keys = \"yes\"", "true or false"),
    ("kind = \"electrum\"\npath = \"a\"\nvaults = [\"b\"]", "no [[vault]] has the name"),
  ])
  func `a table that says too little or wrong is named with its line`(_ table: String, _ what: String) throws
  {
    let machine = try Machine(isPrepared: false)
    try configure("[[source]]\n\(table)\n", on: machine)
    let run = try machine.run(["config", "validate"])
    #expect(run.status == 64 && run.errors.contains(what), "\(run.errors)")
    #expect(run.errors.contains("config.toml, line "))
  }
}
