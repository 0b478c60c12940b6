import FuekiSystem
import TestSupport
import Testing

/// The files that belong to a database: they go with it and come back with it, and come and go unmissed.
struct DatabasePartTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write("[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n", to: "config.toml")
  }

  private func create(_ sources: String...) throws -> RunResult {
    try machine.run(
      ["create", "--config", machine.path("config.toml")]
        + sources.flatMap { source in ["--from", source] } + machine.archiveSecret + Machine.quick)
  }

  /// Restores the newest archive's files below a folder, and returns their bytes by their paths there.
  private func restoredFiles() throws -> [String: [UInt8]] {
    try machine.run(
      ["restore", "latest", "--datadir", machine.path("new"), "--keychain-passphrase-from"]
        + [machine.place("passphrase"), "--files", machine.path("back"), "--target", machine.target]
        + machine.archiveSecret + Machine.quick, status: 0)
    return try machine.snapshot(of: "back")
  }

  /// The first page of a Berkeley database, as a wallet of the old kind has it.
  private static let berkeley: [UInt8] = {
    var page = [UInt8](repeating: 0, count: 512)
    page.replaceSubrange(12..<16, with: [0x62, 0x31, 0x05, 0])
    page.replaceSubrange(16..<24, with: [9, 0, 0, 0, 0, 2, 0, 0])
    page[25] = 9
    return page
  }()

  private func makeWallet(in folder: String) throws {
    try machine.write(Self.berkeley, to: "\(folder)/wallet.dat")
    for number in 1...2 {
      try machine.write("committed keys \(number)", to: "\(folder)/database/log.000000000\(number)")
    }
    try machine.write("no log", to: "\(folder)/database/notes")
  }

  private func link(_ name: String, to target: String) throws {
    let made = try BuiltBinary.run(
      program: "/usr/bin/env", ["ln", "-s", machine.path(target), machine.path(name)])
    try #require(made.status == 0)
  }

  // MARK: Berkeley DB

  @Test(arguments: [
    ("bitcoin-core", "home/.bitcoin/wallet.dat"), ("bitcoin-core", "home/.bitcoin"),
    ("file", "home/.bitcoin/wallet.dat"),
  ]) func `a Berkeley wallet goes with its logs and comes back with them`(_ kind: String, _ path: String)
    throws
  {
    try makeWallet(in: "home/.bitcoin")
    try create("\(kind):\(machine.path(path))").expect(0)
    let files = try restoredFiles()
    let wallet = try #require(files.keys.first { $0.hasSuffix("/.bitcoin/wallet.dat") }, "\(files.keys)")
    let folder = wallet.dropLast("wallet.dat".count)
    #expect(files[wallet] == Self.berkeley)
    for number in 1...2 {
      #expect(files["\(folder)database/log.000000000\(number)"] == Array("committed keys \(number)".utf8))
    }
    #expect(files["\(folder)database/notes"] == nil)
  }

  @Test func `the logs are found next to the real file and go back next to the link's place`() throws {
    try makeWallet(in: "disk")
    try Directory.makePrivateDirectories(machine.path("home/.bitcoin"))
    try link("home/.bitcoin/wallet.dat", to: "disk/wallet.dat")
    try create("bitcoin-core:\(machine.path("home/.bitcoin/wallet.dat"))").expect(0)
    let files = try restoredFiles()
    let log = files.first { $0.key.hasSuffix("/.bitcoin/database/log.0000000002") }
    #expect(log?.value == Array("committed keys 2".utf8), "\(files.keys)")
  }

  @Test func `a log that is gone the next night is not missing, and a wallet that is gone is`() throws {
    try makeWallet(in: "home/.bitcoin")
    try makeWallet(in: "home/other")
    let sources = [
      "bitcoin-core:\(machine.path("home/.bitcoin"))", "bitcoin-core:\(machine.path("home/other"))",
    ]
    #expect(try create(sources[0], sources[1]).status == 0)
    try machine.remove("home/.bitcoin/database/log.0000000001")
    let second = try create(sources[0], sources[1])
    #expect(second.status == 0 && !second.text.contains("MISSING"), "\(second.text) \(second.errors)")
    try machine.remove("home/.bitcoin")
    let third = try create(sources[1])
    #expect(third.status == 3 && third.text.contains("MISSING: file ~/.bitcoin/wallet.dat"), "\(third.text)")
    #expect(!third.text.contains("MISSING: file ~/.bitcoin/database"), "\(third.text)")
  }

  // MARK: SQLite and LevelDB

  @Test func `a log of SQLite goes with a database that SQLite cannot open, and may be gone later`() throws {
    try machine.write("an encrypted database", to: "home/app/wallet.db")
    try machine.write("what was written last", to: "home/app/wallet.db-wal")
    let source = "file:\(machine.path("home/app/wallet.db"))"
    #expect(try create(source).status == 0)
    let files = try restoredFiles()
    #expect(files.first { $0.key.hasSuffix("/wallet.db-wal") }?.value == Array("what was written last".utf8))
    try machine.remove("home/app/wallet.db-wal")
    let next = try create(source)
    #expect(next.status == 0 && !next.text.contains("MISSING"), "\(next.text) \(next.errors)")
  }

  @Test func `what a link's database has in its log alone is in the archive`() throws {
    try Directory.makePrivateDirectories(machine.path("disk"))
    let script = """
      import os, sqlite3, sys
      base = sqlite3.connect(sys.argv[1])
      base.execute("PRAGMA journal_mode = WAL")
      base.execute("PRAGMA wal_autocheckpoint = 0")
      base.execute("CREATE TABLE coins(note TEXT)")
      base.execute("INSERT INTO coins VALUES ('only in the log')")
      base.commit()
      os._exit(0)
      """
    let made = try BuiltBinary.run(
      program: "/usr/bin/env", ["python3", "-c", script, machine.path("disk/coins.db")], cwd: machine.target)
    try #require(made.status == 0 && machine.exists("disk/coins.db-wal"), "\(made.errors)")
    try Directory.makePrivateDirectories(machine.path("home/app"))
    try link("home/app/coins.db", to: "disk/coins.db")
    try create("file:\(machine.path("home/app/coins.db"))").expect(0)
    let file = try restoredFiles().first { $0.key.hasSuffix("/coins.db") }
    #expect(file.map { String(decoding: $0.value, as: UTF8.self).contains("only in the log") } == true)
  }

  @Test func `tables and logs that LevelDB replaces are not missing`() throws {
    for name in ["CURRENT", "MANIFEST-000001", "000003.log", "LOG", "LOCK"] {
      try machine.write("content of \(name)", to: "home/level/\(name)")
    }
    let source = "file:\(machine.path("home/level"))"
    #expect(try create(source).status == 0)
    for name in ["MANIFEST-000001", "000003.log", "LOCK"] { try machine.remove("home/level/\(name)") }
    for name in ["MANIFEST-000004", "000005.ldb"] { try machine.write(name, to: "home/level/\(name)") }
    let second = try create(source)
    #expect(second.status == 0 && !second.text.contains("MISSING"), "\(second.text) \(second.errors)")
    try machine.remove("home/level/CURRENT")
    let third = try create(source)
    #expect(third.status == 3 && third.text.contains("MISSING: file ~/level/CURRENT"), "\(third.text)")
  }
}
