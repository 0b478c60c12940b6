/// SQLite databases with logs that a stranger wrote.
///
/// Their program was killed during a change, so that SQLite has to finish or to undo it.
package enum HostileDatabase {
  /// The reason to skip a test that makes one; nil if this machine can.
  package static var obstacle: String? {
    InstalledProgram.path("python3") == nil ? "this machine has no python3" : nil
  }

  private static let interrupted = """
    import os, signal, sqlite3, struct, subprocess, sys
    path, journal = sys.argv[1:3]
    if os.fork() == 0:
      base = sqlite3.connect(path, isolation_level=None)
      base.execute("PRAGMA page_size = 4096")
      base.execute("PRAGMA journal_mode = " + journal)
      base.execute("PRAGMA cache_size = 5")
      base.execute("CREATE TABLE t(x)")
      base.execute("INSERT INTO t VALUES ('kept')")
      base.execute("BEGIN")
      for number in range(300):
        base.execute("INSERT INTO t VALUES (randomblob(900))")
      if journal == "WAL": base.execute("COMMIT")
      os.kill(os.getpid(), signal.SIGKILL)
    os.wait()

    """

  /// Makes a database whose journal names a file.
  ///
  /// SQLite takes the file for one of a change of several databases, and removes it after the rollback.
  package static func make(_ path: String, journalNaming victim: String) throws {
    let script = """
      name = os.fsencode(sys.argv[3])
      total = sum(byte - 256 if byte > 127 else byte for byte in name) & 0xffffffff
      with open(path + "-journal", "ab") as file:
        file.write(struct.pack(">I", 0x40000000 // 4096 + 1) + name + struct.pack(">II", len(name), total))
        file.write(bytes.fromhex("d9d505f920a163d7"))
      """
    try run(script, [path, "DELETE", victim])
  }

  /// Makes a database whose write-ahead log states this many pages after its last change; nil for the true number.
  package static func make(_ path: String, logStating pages: UInt32?) throws {
    let script = """
      log = bytearray(open(path + "-wal", "rb").read())
      order = ">" if log[3] & 1 else "<"
      def summed(data, sums):
        first, second = sums
        for one, two in struct.iter_unpack(order + "II", data):
          first = (first + one + second) & 0xffffffff
          second = (second + two + first) & 0xffffffff
        return first, second
      sums = summed(log[:24], (0, 0))
      assert sums == struct.unpack(">II", log[24:32])
      for place in range(32, len(log), 24 + 4096):
        if log[place + 8:place + 16] != log[16:24]: break
        if sys.argv[3]:
          pages = struct.pack(">I", int(sys.argv[3]))
          if any(log[place + 4:place + 8]): log[place + 4:place + 8] = pages
          # The database's first page states the number, too.
          if log[place:place + 4] == struct.pack(">I", 1): log[place + 52:place + 56] = pages
        sums = summed(log[place:place + 8], sums)
        sums = summed(log[place + 24:place + 24 + 4096], sums)
        log[place + 16:place + 24] = struct.pack(">II", *sums)
      open(path + "-wal", "r+b").write(log)
      """
    try run(script, [path, "WAL", pages.map(String.init) ?? ""])
  }

  private static func run(_ script: String, _ arguments: [String]) throws {
    let run = try BuiltBinary.run(
      program: "/usr/bin/env", ["python3", "-c", interrupted + script] + arguments)
    guard run.status == 0 else { throw NotMade(run: run) }
  }

  /// The script failed.
  package struct NotMade: Error {
    package let run: RunResult
  }
}
