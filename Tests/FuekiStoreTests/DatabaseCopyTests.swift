import FuekiStore
import FuekiSystem
import GRDB
import TestSupport
import Testing

/// Copies of databases that another program is writing.
struct DatabaseCopyTests {
  private static let python = "/usr/bin/python3"

  /// A ledger in which each transaction moves an amount between two accounts and adds a note.
  ///
  /// Every committed state has the same sum and one note per transaction.
  private static let writer = """
    import sqlite3, sys, time
    path, journal, ready = sys.argv[1:]
    books = sqlite3.connect(path, isolation_level=None, timeout=30)
    books.execute("PRAGMA journal_mode = " + journal)
    books.execute("CREATE TABLE accounts(id INTEGER PRIMARY KEY, balance INTEGER)")
    books.execute("CREATE TABLE notes(id INTEGER PRIMARY KEY, moved INTEGER, filler BLOB)")
    books.execute("INSERT INTO accounts VALUES (1, 1000000), (2, 0)")
    open(ready, "w").close()
    while True:
      books.execute("BEGIN IMMEDIATE")
      for _ in range(20):
        books.execute("UPDATE accounts SET balance = balance - 1 WHERE id = 1")
        books.execute("INSERT INTO notes(moved, filler) VALUES (1, randomblob(300))")
        books.execute("UPDATE accounts SET balance = balance + 1 WHERE id = 2")
      books.execute("COMMIT")
      time.sleep(0.002)
    """

  private static func start(_ arguments: [String]) throws -> Int32 {
    try ChildCommand(
      executable: python, arguments: ["python3", "-c", writer] + arguments,
      environment: [Array("PATH=/usr/bin:/bin".utf8)]
    ).start()
  }

  private static func end(_ process: Int32) {
    _ = try? BuiltBinary.run(program: "/bin/kill", ["-9", "\(process)"])
    _ = try? ChildEnding.wait(for: process)
  }

  /// Reads a copy as a separate database file.
  private static func books(_ copy: consuming File, in folder: borrowing TemporaryDirectory) throws -> Row? {
    let bytes = try copy.readAll(limit: .max - 1)
    try folder.write(bytes, to: "copy")
    defer { for name in ["copy", "copy-wal", "copy-shm"] { try? folder.open().remove(name) } }
    return try DatabaseQueue(path: folder.path("copy")).read { database in
      #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
      return try Row.fetchOne(
        database,
        sql: """
          SELECT (SELECT sum(balance) FROM accounts) AS total, (SELECT count(*) FROM notes) AS notes,
            (SELECT balance FROM accounts WHERE id = 2) AS moved
          """)
    }
  }

  @Test(
    .enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"),
    arguments: ["WAL", "DELETE"])
  func `each copy of a database that is written to has whole transactions`(_ journal: String) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let process = try Self.start([folder.path("books"), journal, folder.path("ready")])
    defer { Self.end(process) }
    while try !folder.open().contains("ready") { SystemClock.sleep(seconds: 0.01) }
    var counts: [Int] = []
    // On a busy machine the writer is rarely scheduled.
    while counts.count < 50 || (Set(counts).count <= 10 && counts.count < 5_000) {
      let copy = try DatabaseCopy.take(of: folder.path("books"), in: scratch.path)
      let row = try #require(try Self.books(copy, in: scratch))
      let (total, notes, moved): (Int, Int, Int) = (row["total"], row["notes"], row["moved"])
      #expect(total == 1_000_000 && notes == moved && notes % 20 == 0, "\(row)")
      counts.append(notes)
    }
    #expect(counts == counts.sorted() && Set(counts).count > 10, "the writer has to have written: \(counts)")
    #expect(try scratch.open().list().isEmpty)
  }

  @Test func `a database at rest is copied byte for byte, and nothing is left beside it`() throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let pool = try DatabasePool(path: folder.path("a"))
    try pool.write { try $0.execute(sql: "CREATE TABLE t(x); INSERT INTO t VALUES (7)") }
    try pool.close()
    let before = try folder.open().list()
    let copy = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    #expect(try copy.readAll(limit: .max - 1) == folder.read("a"))
    #expect(try copy.permissions() == 0o600)
    #expect(try folder.open().list() == before && scratch.open().list().isEmpty)
  }

  /// Databases at rest, and one held open by its program.
  ///
  /// Journal modes are set at creation.
  @Test(
    .enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"),
    arguments: [
      "DELETE", "TRUNCATE", "PERSIST", "WAL",
    ], [false, true])
  func `a database without a writer is copied byte for byte`(_ journal: String, _ isOpen: Bool) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let script = """
      import sqlite3, sys, time
      path, journal, ready = sys.argv[1:]
      books = sqlite3.connect(path, isolation_level=None)
      books.execute("PRAGMA journal_mode = " + journal)
      books.execute("CREATE TABLE t(x)")
      for number in range(300):
        books.execute("INSERT INTO t VALUES (randomblob(900))")
      books.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      open(ready, "w").close()
      time.sleep(600 if \(isOpen ? "True" : "False") else 0)
      """
    let process = try ChildCommand(
      executable: Self.python,
      arguments: ["python3", "-c", script, folder.path("a"), journal, folder.path("ready")],
      environment: [Array("PATH=/usr/bin:/bin".utf8)]
    ).start()
    if isOpen {
      while try !folder.open().contains("ready") { SystemClock.sleep(seconds: 0.01) }
    } else {
      _ = try ChildEnding.wait(for: process)
    }
    defer { if isOpen { Self.end(process) } }
    let before = try folder.read("a")
    let copy = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    #expect(try copy.readAll(limit: .max - 1) == before)
    #expect(try folder.read("a") == before)
    #expect(try scratch.open().list().isEmpty)
  }

  /// A writer killed after writing some of a transaction's pages.
  private static let cutOff = """
    import os, signal, sqlite3, sys
    path, journal = sys.argv[1:]
    books = sqlite3.connect(path, isolation_level=None)
    books.execute("PRAGMA journal_mode = " + journal)
    books.execute("PRAGMA cache_size = 5")
    books.execute("CREATE TABLE t(x)")
    books.execute("INSERT INTO t VALUES ('kept')")
    books.execute("BEGIN")
    for number in range(300):
      books.execute("INSERT INTO t VALUES (randomblob(900))")
    os.kill(os.getpid(), signal.SIGKILL)
    """

  @Test(
    .enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"),
    arguments: ["DELETE", "WAL"])
  func `what a program that was cut off had begun is taken back in the copy alone`(_ journal: String) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let run = try BuiltBinary.run(
      program: Self.python, ["-c", Self.cutOff, folder.path("a"), journal])
    #expect(run.status == 137)
    let log = journal == "WAL" ? "a-wal" : "a-journal"
    let before = (try folder.read("a"), try folder.read(log))
    let copy = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    try scratch.write(copy.readAll(limit: .max - 1), to: "copy")
    let rows = try DatabaseQueue(path: scratch.path("copy")).read { database in
      #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
      return try String.fetchAll(database, sql: "SELECT x FROM t")
    }
    #expect(rows == ["kept"])
    #expect(try folder.read("a") == before.0 && folder.read(log) == before.1)
    let left = try scratch.open().list().compactMap(\.text).filter { !$0.hasPrefix("copy") }
    #expect(left.isEmpty)
  }

  @Test(.enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"))
  func `a database that its program keeps to itself is not copied, and that is told`() throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let script = """
      import sqlite3, sys, time
      books = sqlite3.connect(sys.argv[1], isolation_level=None)
      books.execute("PRAGMA locking_mode = EXCLUSIVE")
      books.execute("CREATE TABLE t(x)")
      open(sys.argv[2], "w").close()
      time.sleep(600)
      """
    let process = try ChildCommand(
      executable: Self.python,
      arguments: ["python3", "-c", script, folder.path("a"), folder.path("ready")],
      environment: [Array("PATH=/usr/bin:/bin".utf8)]
    ).start()
    defer { Self.end(process) }
    while try !folder.open().contains("ready") { SystemClock.sleep(seconds: 0.01) }
    #expect(throws: DatabaseCopyError.busy(path: folder.path("a"))) {
      _ = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path, patience: 0.1)
    }
    #expect(try scratch.open().list().isEmpty)
  }

  @Test func `what cannot be copied is told`() throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    try folder.write(Array("SQLite format 3\0 and nothing of it".utf8), to: "broken")
    #expect(throws: DatabaseCopyError.damaged(path: folder.path("broken"))) {
      _ = try DatabaseCopy.take(of: folder.path("broken"), in: scratch.path)
    }
    #expect(throws: DatabaseCopyError.self) {
      _ = try DatabaseCopy.take(of: folder.path("none"), in: scratch.path)
    }
    #expect(try scratch.open().list().isEmpty)
  }

  @Test(.enabled(if: HostileDatabase.obstacle == nil, Comment(rawValue: HostileDatabase.obstacle ?? "")))
  func `a journal that names a file has no file removed`() throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    try folder.write([1, 2, 3], to: "precious")
    try HostileDatabase.make(folder.path("a"), journalNaming: folder.path("precious"))
    #expect(throws: DatabaseCopyError.damaged(path: folder.path("a"))) {
      _ = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    }
    #expect(try folder.read("precious") == [1, 2, 3])
    #expect(try scratch.open().list().isEmpty)
    // SQLite itself would have removed it.
    let base = try DatabaseQueue(path: folder.path("a"))
    _ = try base.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM t") }
    #expect(try !folder.open().contains("precious"))
  }

  @Test(
    .enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"),
    arguments: [false, true])
  func `an index that is a link to another file is not written`(_ isSymbolic: Bool) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let run = try BuiltBinary.run(program: Self.python, ["-c", Self.cutOff, folder.path("a"), "WAL"])
    #expect(run.status == 137)
    try folder.open().remove("a-shm")
    let bytes = [UInt8](repeating: 7, count: 100_000)
    try folder.write(bytes, to: "precious")
    if isSymbolic {
      try folder.open().makeSymbolicLink("a-shm", to: "precious")
    } else {
      try folder.open().link("precious", as: "a-shm")
    }
    #expect(throws: DatabaseCopyError.damaged(path: folder.path("a"))) {
      _ = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    }
    #expect(try folder.read("precious") == bytes)
  }

  @Test(
    .enabled(if: HostileDatabase.obstacle == nil, Comment(rawValue: HostileDatabase.obstacle ?? "")),
    arguments: [false, true])
  func `a log that states more pages than there are bytes is not copied`(_ hasIndex: Bool) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let stated: [(name: String, pages: UInt32?)] = [("sound", nil), ("hostile", 1 << 30)]
    for (name, pages) in stated {
      try HostileDatabase.make(folder.path(name), logStating: pages)
      if !hasIndex { try folder.open().remove("\(name)-shm") }
    }
    // Its checksums are right, so that SQLite believes the log.
    let copy = try DatabaseCopy.take(of: folder.path("sound"), in: scratch.path)
    #expect(try copy.size() > 300 * 900)
    #expect(throws: DatabaseCopyError.damaged(path: folder.path("hostile"))) {
      _ = try DatabaseCopy.take(of: folder.path("hostile"), in: scratch.path)
    }
    #expect(try scratch.open().list().isEmpty)
  }

  @Test(
    .enabled(if: InstalledProgram.path("python3") != nil, "this machine has no python3"),
    arguments: ["DELETE", "WAL"])
  func `a log of holes is not copied`(_ journal: String) throws {
    let folder = try TemporaryDirectory()
    let scratch = try TemporaryDirectory()
    let run = try BuiltBinary.run(program: Self.python, ["-c", Self.cutOff, folder.path("a"), journal])
    #expect(run.status == 137)
    let log = journal == "WAL" ? "a-wal" : "a-journal"
    try folder.open().openFileForWriting(log).truncate(to: 1 << 40)
    #expect(throws: DatabaseCopyError.damaged(path: folder.path("a"))) {
      _ = try DatabaseCopy.take(of: folder.path("a"), in: scratch.path)
    }
    #expect(try scratch.open().list().isEmpty)
  }
}
