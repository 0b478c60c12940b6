import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Wallets of other programs, found on a machine and backed up.
struct DiscoverTests {
  static let electrum = "home/.electrum/wallets"
  static let keystore = "home/.ethereum/keystore"
  private static let configuration = "home/.config/fueki-backup/config.toml"

  func machine(isPrepared: Bool = true) throws -> Machine {
    let machine = try Machine(isPrepared: isPrepared)
    for folder in [Self.electrum, Self.keystore] {
      try Directory.makePrivateDirectories(machine.path(folder))
    }
    try machine.write(ImportedFiles.electrum, to: "\(Self.electrum)/default_wallet")
    try machine.write(ImportedFiles.keystore, to: "\(Self.keystore)/UTC--one")
    return machine
  }

  private func text(_ machine: Machine) throws -> String {
    try machine.text(Self.configuration)
  }

  func configure(_ text: String, on machine: Machine) throws {
    try Directory.makePrivateDirectories(machine.path("home/.config/fueki-backup"))
    try machine.write(text, to: Self.configuration)
  }

  @Test func `what is there is listed, with what covers it`() throws {
    let machine = try machine()
    let run = try machine.run(["discover", "--json"])
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.discover/1"))
    let places = json["places"]?.elements ?? []
    #expect(places.map { $0["program"]?.text } == ["electrum", "geth"])
    #expect(places.map { $0["encrypted"]?.text } == ["unknown", "yes"])
    #expect(places[0]["uncovered"]?.elements == [.string(machine.path("\(Self.electrum)/default_wallet"))])
    #expect(places[0]["path"] == .string(machine.path(Self.electrum)))
    let text = try machine.run(["discover"]).text
    #expect(text.contains("Electrum: ~/.electrum/wallets\n") && text.contains("not backed up"))
    // No secret is read, so none can be printed.
    #expect(!run.text.contains("canary") && !text.contains("canary"))
  }

  @Test func `an empty home has nothing, which is no failure`() throws {
    let machine = try Machine(isPrepared: false)
    let run = try machine.run(["discover"])
    #expect(run.status == 0 && run.text.contains("no wallet found"), "\(run.errors)")
    #expect(try machine.run(["discover", "--json"]).json()["places"]?.elements.isEmpty == true)
    #expect(try machine.run(["discover", "--home", machine.path("nowhere")]).status == 10)
  }

  @Test func `added wallets are in the next archive, on a machine with no wallet of Fueki's`() throws {
    let machine = try machine(isPrepared: false)
    try machine.run(["discover", "--add"], status: 0)
    #expect(try text(machine).contains("[[source]]\nkind = \"electrum\"\npath = \"~/.electrum/wallets\"\n"))
    let made = try machine.run(
      ["create", "--json", "--target", machine.target] + machine.archiveSecret + Machine.quick)
    // The target may be copied elsewhere, so unencrypted keys stay out.
    #expect(made.status == 3 && !made.errors.contains("warning"), "\(made.errors)")
    #expect(try made.json()["sections"]?["private-keys"] == nil)
    let sources = try made.json()["sources"]?.elements ?? []
    #expect(
      sources.map { $0["name"]?.text } == [
        "electrum:\(machine.path(Self.electrum))", "keystore:\(machine.path(Self.keystore))",
      ])
    #expect(sources[1]["included"]?["files"] == .number(1))
    // Now there is nothing to add, and adding it changes nothing.
    let before = try text(machine)
    #expect(try machine.run(["discover", "--add"]).text.contains("nothing to add"))
    #expect(try text(machine) == before)
    #expect(try machine.run(["discover"]).text.contains("backed up\n"))
  }

  @Test
  func `secrets in the clear are taken where the archive stays, and are left out where a table says so`()
    throws
  {
    let machine = try machine()
    let target = "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n\n"
    let source = "[[source]]\nkind = \"electrum\"\npath = \"~/.electrum/wallets\"\n"
    let other = "\n[[source]]\nkind = \"none\"\npath = \"~/.ethereum\"\n"
    func keys(_ more: String) throws -> JSONValue? {
      try configure(target + source + more + other, on: machine)
      let run = try machine.run(["create", "--dry-run", "--json"] + machine.keychainSecret)
      return try run.json()["sources"]?[1]?["included"]?["private-keys"]
    }
    #expect((try keys("")?.number ?? 0) > 0)
    #expect((try keys("include_private_keys = false\n")?.number ?? 0) == 0)
    // A user who wants them left out gets no warning every night.
    try machine.run(["create", "--dry-run"] + machine.keychainSecret, status: 0)
  }

  @Test func `adding keeps what the file says, and its permissions`() throws {
    let machine = try machine()
    let own =
      "# mine\n[[target]]\npath = \"\(machine.target)\"   # the disk\n\n[[source]]\n"
      + "kind = \"keystore\"\npath = \"~/.ethereum/key*\""
    try configure(own, on: machine)
    #expect(try machine.run(["discover", "--add"]).status == 0)
    let now = try text(machine)
    #expect(now.hasPrefix(own + "\n") && now.contains("kind = \"electrum\""))
    #expect(!now.dropFirst(own.count).contains("keystore"))
    let folder = try Directory.open(machine.path("home/.config/fueki-backup"))
    #expect(try folder.status(of: "config.toml").permissions & 0o777 == 0o600)
  }

  @Test func `of a place that is covered in part, what is not is added`() throws {
    let machine = try machine()
    try machine.write(ImportedFiles.electrum, to: "\(Self.electrum)/second")
    try configure(
      "[[source]]\nkind = \"electrum\"\npath = \"~/.electrum/wallets/second\"\n\n"
        + "[[source]]\nkind = \"none\"\npath = \"~/.ethereum\"\n", on: machine)
    #expect(try machine.run(["discover", "--add"]).status == 0)
    #expect(try text(machine).contains("path = \"~/.electrum/wallets/default_wallet\"\n"))
    #expect(try !text(machine).contains("keystore"))
  }

  @Test func `a source that is missing costs the status, and not the archive`() throws {
    let machine = try machine()
    try configure(
      "[[source]]\nkind = \"keystore\"\npath = \"~/.ethereum/keystore\"\n\n"
        + "[[source]]\nkind = \"keystore\"\npath = \"~/gone/*\"\n", on: machine)
    let run = try machine.create(["--json"], status: 3)
    let sources = try run.json()["sources"]?.elements ?? []
    #expect(sources.count == 3)
    #expect(sources[1]["complete"] == .bool(true) && sources[2]["complete"] == .bool(false))
    #expect(sources[2]["excluded"]?[0]?["what"] == .string(machine.path("home/gone/*")))
    let doctor = try machine.run(["doctor", "--json"]).json()["checks"]?.elements ?? []
    let check = doctor.first { $0["name"]?.text?.hasPrefix("source keystore:") == true }
    #expect(check?["result"] == .string("warning"))
  }

  @Test func `wallets in no backup are warned of, until a source takes them or leaves them out`() throws {
    let machine = try machine()
    func check() throws -> JSONValue? {
      let checks = try machine.run(["doctor", "--json"]).json()["checks"]?.elements ?? []
      return checks.first { $0["name"] == .string("wallets") }?["result"]
    }
    #expect(try check() == .string("warning"))
    try configure("[[source]]\nkind = \"none\"\npath = \"~/.e*\"\n", on: machine)
    #expect(try check() == .string("ok"))
  }

  @Test func `a backup warns of wallets in no backup, and is made all the same`() throws {
    let machine = try machine()
    let warning = "warning: 2 wallets on this machine in no backup: "
    let all = try machine.create()
    #expect(all.status == 0 && all.errors.contains(warning), "\(all.errors)")
    // A source of this run counts as backed up.
    let keystore = ["--from", "store", "--from", "keystore:~/.ethereum/keystore", "--dry-run"]
    let one = try machine.create(keystore, status: 0)
    #expect(one.errors.contains("1 wallet on this machine in no backup: Electrum"), "\(one.errors)")
    try configure("[[source]]\nkind = \"none\"\npath = \"~/.e*\"\n", on: machine)
    let none = try machine.create(["--json"])
    #expect(none.status == 0 && !none.errors.contains("in no backup"), "\(none.errors)")
    // Unreadable places are left to doctor, and cause no failure here.
    let blind = try machine.create([], environment: ["HOME": ""])
    #expect(blind.status == 0 && !blind.errors.contains("in no backup"), "\(blind.errors)")
  }

  @Test func `a database comes as it was at one moment, without the files of its log`() throws {
    let machine = try machine(isPrepared: false)
    try configure(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n\n[[vault]]\nfrom = []\n\n"
        + "[[source]]\nkind = \"file\"\npath = \"~/.bdk-bitcoin\"\n\n"
        + "[[source]]\nkind = \"none\"\npath = \"~/.e*\"\n", on: machine)
    try Directory.makePrivateDirectories(machine.path("home/.bdk-bitcoin"))
    let script = """
      import os, sqlite3, sys
      books = sqlite3.connect(sys.argv[1], isolation_level=None)
      books.execute("PRAGMA journal_mode = WAL")
      books.execute("CREATE TABLE t(x)")
      books.execute("INSERT INTO t VALUES (41)")
      os._exit(0)
      """
    let path = machine.path("home/.bdk-bitcoin/wallet.sqlite")
    let made = try BuiltBinary.run(program: Wallets.python, ["-c", script, path])
    #expect(made.status == 0 && machine.exists("home/.bdk-bitcoin/wallet.sqlite-wal"), "\(made.errors)")
    let run = try machine.run(["create", "--json"] + machine.archiveSecret + Machine.quick, status: 0)
    let source = try run.json()["sources"]?[0]
    #expect(source?["included"]?["secret-files"] == .number(1), "\(run.text)")
    #expect(source?["excluded"]?.elements.count == 2, "\(run.text)")
    // No copy stays behind.
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix(".fueki-") })
    try machine.run(
      ["export", "latest", "--include-secrets", "--output", machine.path("out")] + machine.archiveSecret,
      status: 0)
    var found: [String] = []
    try machine.visit("out") { path, entry in
      if entry.kind == .file, try machine.read(path).starts(with: Array("SQLite format 3".utf8)) {
        found.append(path)
      }
    }
    #expect(found.count == 1)
    let read = try BuiltBinary.run(
      program: Wallets.python,
      [
        "-c",
        "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('SELECT x FROM t').fetchone()[0])",
      ]
        + found.map { machine.path($0) })
    #expect(read.text == "41\n", "\(read.errors)")
  }
}
