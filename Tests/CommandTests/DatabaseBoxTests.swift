import FuekiSystem
import TestSupport
import Testing

/// The processes that copy other programs' databases for `create`.
@Suite(
  .enabled(
    if: Sandbox.version != nil && ReaderBox.canFilterCalls, "this kernel has no Landlock or no seccomp"),
  .enabled(if: HostileDatabase.obstacle == nil, Comment(rawValue: HostileDatabase.obstacle ?? "")))
struct DatabaseBoxTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("wallet"))
  }

  private func create(through: [String] = []) throws -> RunResult {
    try machine.run(
      ["create", "--from", "file:\(machine.path("wallet"))", "--target", machine.target]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick, through: through)
  }

  /// Restores the newest archive's files, and returns their bytes by their names.
  private func restored() throws -> [String: [UInt8]] {
    try machine.run(
      ["put-back", "latest", "--files", machine.path("back"), "--target", machine.target]
        + machine.archiveSecret, status: 0)
    var files: [String: [UInt8]] = [:]
    for (path, bytes) in try machine.snapshot(of: "back") {
      files[String(path.split(separator: "/").last ?? "")] = bytes
    }
    return files
  }

  /// A program that has a row in its database's newest pages, and keeps the database open.
  private static let program = """
    import sqlite3, sys, time
    path, journal, lock, ready = sys.argv[1:]
    base = sqlite3.connect(path, isolation_level=None)
    base.execute("PRAGMA journal_mode = " + journal)
    base.execute("PRAGMA locking_mode = " + lock)
    base.execute("CREATE TABLE t(x)")
    base.execute("INSERT INTO t VALUES ('newest row')")
    open(ready, "w").close()
    time.sleep(600)
    """

  private func start(_ journal: String, locking: String = "NORMAL") throws -> Int32 {
    let process = try ChildCommand(
      executable: "/usr/bin/python3",
      arguments: ["python3", "-c", Self.program, machine.path("wallet/a.db"), journal, locking]
        + [machine.path("ready")],
      environment: [Array("PATH=/usr/bin:/bin".utf8)]
    ).start()
    while !machine.exists("ready") { SystemClock.sleep(seconds: 0.01) }
    return process
  }

  private func end(_ process: Int32) {
    _ = try? BuiltBinary.run(program: "/bin/kill", ["-9", "\(process)"])
    _ = try? ChildEnding.wait(for: process)
  }

  @Test(arguments: ["WAL", "DELETE"])
  func `a database that its program has open is copied in a box, with its newest row`(_ journal: String)
    throws
  {
    let process = try start(journal)
    defer { end(process) }
    let made = try create().expect(0)
    #expect(!machine.exists("wallet/a.db-wal") || made.text.contains("a.db-wal"), "\(made.text)")
    let files = try restored()
    let copy = try #require(files["a.db"])
    try machine.write(copy, to: "copy.db")
    let query = "import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute('select x from t'))"
    let read = try BuiltBinary.run(
      program: "/usr/bin/env", ["python3", "-c", query, machine.path("copy.db")])
    #expect(read.text.contains("newest row") && files["a.db-wal"] == nil, "\(read.text) \(files.keys)")
    #expect(try machine.names(in: "state").allSatisfy { !$0.contains("fueki-copy") })
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `the process with the keys does not open a database through SQLite`() throws {
    let process = try start("WAL")
    defer { end(process) }
    let calls = "trace=open,openat,fcntl,landlock_restrict_self"
    let made = try create(
      through: [Strace.program, "-f", "-qq", "-y", "-o", machine.path("trace"), "-e", calls])
    #expect(made.status == 0, "\(made.text) \(made.errors)")
    let lines = try machine.text("trace").split(separator: "\n")
    let boxed = Set(
      lines.filter { $0.contains("landlock_restrict_self") }.map { String($0.prefix { $0 != " " }) })
    let opening = lines.filter { $0.contains("a.db-shm") && $0.contains("O_RDWR") }
    #expect(!opening.isEmpty && opening.allSatisfy { boxed.contains(String($0.prefix { $0 != " " })) })
    let locking = lines.filter { $0.contains("F_SETLK,") && $0.contains("a.db") }
    #expect(!locking.isEmpty && !locking.contains { $0.contains("EPERM") }, "\(locking)")
  }

  /// Kills the process that copies a database as soon as there is a copy.
  ///
  /// Only that process has a limit on the size of files.
  private static let killer = """
    import glob, os, sys
    mark, copies, done = sys.argv[1:]
    while not glob.glob(copies): pass
    for folder in glob.glob("/proc/[0-9]*"):
      try:
        words, limits = [open(folder + name).read() for name in ("/cmdline", "/limits")]
      except OSError:
        continue
      if mark in words and not "Max file size unlimited" in " ".join(limits.split()):
        os.kill(int(folder[6:]), 9)
        open(done, "a").write(folder + " ")
    """

  @Test func `a database whose copying process is killed is kept and listed, and leaves nothing`() throws {
    // Its program does not let go of it, so that the copying process waits.
    let process = try start("DELETE", locking: "EXCLUSIVE")
    defer { end(process) }
    let before = try machine.read("wallet/a.db")
    let killer = try ChildCommand(
      executable: "/usr/bin/python3",
      arguments: ["python3", "-c", Self.killer, machine.target, machine.path("state/.fueki-copy-*/copy")]
        + [machine.path("killed")],
      environment: [Array("PATH=/usr/bin:/bin".utf8)]
    ).start()
    defer { end(killer) }
    let made = try create()
    #expect(try machine.read("killed").split(separator: UInt8(ascii: " ")).count == 1)
    #expect(made.status == 3, "\(made.status) \(made.text) \(made.errors)")
    let finding = "file \"a.db\": kept, not read: the reader of this wallet failed"
    #expect(made.text.contains(finding) && made.text.contains("signal 9"), "\(made.text) \(made.errors)")
    #expect(try machine.names(in: "state").allSatisfy { !$0.contains("fueki-copy") })
    #expect(try restored()["a.db"] == before)
  }

  @Test func `a database with a hostile journal removes no file, and is kept with the journal`() throws {
    try machine.write("of the person", to: "precious")
    try HostileDatabase.make(
      machine.path("wallet/journal.db"), journalNaming: machine.path("precious"))
    let names = ["journal.db", "journal.db-journal"]
    let before = try names.map { try machine.read("wallet/\($0)") }
    let made = try create().expect(60)
    #expect(try machine.read("precious") == Array("of the person".utf8))
    #expect(made.errors.contains("file \"journal.db\": NOT SOUND"), "\(made.errors)")
    let files = try restored()
    for (name, bytes) in zip(names, before) { #expect(files[name] == bytes, "\(name)") }
  }
}
