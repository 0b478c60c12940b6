import FuekiSystem
import TestSupport
import Testing

/// A wallet's database that SQLite calls damaged is archived unchanged, and the report mentions it.
struct DamagedDatabaseTests {
  private static let schema = "CREATE TABLE coins(id INTEGER PRIMARY KEY, note TEXT);"

  /// Makes a database with a log next to it whose header contradicts its pages.
  private func damage(_ name: String, in machine: borrowing Machine) throws {
    let script = """
      import sqlite3, sys
      path = sys.argv[1]
      base = sqlite3.connect(path)
      base.execute("PRAGMA page_size = 4096")
      base.executescript(sys.argv[2])
      base.executemany("INSERT INTO coins(note) VALUES (?)", [("coin %d" % i * 20,) for i in range(2000)])
      base.commit()
      base.close()
      with open(path, "r+b") as file:
          # The page size.
          file.seek(16)
          file.write(bytes([0x77, 0x77]))
      with open(path + "-wal", "wb") as log:
          log.write(b"what was not ended")
      """
    let made = try BuiltBinary.run(
      program: "/usr/bin/env", ["python3", "-c", script, machine.path(name), Self.schema],
      cwd: machine.target)
    try #require(made.status == 0, "\(made.errors)")
  }

  @Test func `all of its bytes are kept and come back, and it is called damaged`() throws {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("wallet"))
    try damage("wallet/coins.db", in: machine)
    let before = try ["coins.db", "coins.db-wal"].map { try machine.read("wallet/\($0)") }
    let made = try machine.run(
      ["create", "--from", "file:wallet", "--target", machine.target, "--accept=synced-keys"]
        + machine.archiveSecret + Machine.quick, status: 60)
    let said = made.text + made.errors
    #expect(said.contains("file \"coins.db\": NOT SOUND"), "\(said)")
    #expect(!said.contains("coins.db-wal\": NOT SOUND") && !said.contains("whole, not proved"), "\(said)")
    try machine.run(
      ["restore", "latest", "--datadir", machine.path("new"), "--keychain-passphrase-from"]
        + [machine.place("passphrase"), "--files", machine.path("back"), "--target", machine.target]
        + machine.archiveSecret + Machine.quick, status: 0)
    let names = try Self.files(below: machine.path("back"))
    for (name, bytes) in zip(["coins.db", "coins.db-wal"], before) {
      let path = try #require(names.first { $0.hasSuffix("/\(name)") }, "\(names)")
      #expect(try File.openRegular(path).readAll(limit: 1 << 24) == bytes)
    }
  }

  private static func files(below path: String) throws -> [String] {
    let found = try BuiltBinary.run(program: "/usr/bin/env", ["find", path, "-type", "f"], cwd: "/")
    return found.text.split(separator: "\n").map(String.init)
  }
}
