import TestSupport

/// Wallets' stores as another program changes them.
package enum Wallets {
  package static let python = "/usr/bin/python3"
  package static let canBeEdited = Installed.runs(python, ["-c", "import sqlite3"])

  /// The first column of a query's rows, in one line.
  package static func query(_ machine: Machine, _ name: String, _ sql: String) throws -> String {
    let script = """
      import sqlite3, sys
      rows = sqlite3.connect(sys.argv[1]).execute(sys.argv[2]).fetchall()
      print(' '.join(str(row[0]) for row in rows))
      """
    let run = try BuiltBinary.run(
      program: python, ["-c", script, machine.path("\(name)/wallet.sqlite"), sql])
    return String(run.text.drop(while: \.isWhitespace).prefix { !$0.isNewline })
  }

  /// Runs SQL in the store of a machine's data directory.
  package static func edit(_ machine: Machine, _ name: String, _ sql: String) throws {
    let script = """
      import sqlite3, sys
      wallet = sqlite3.connect(sys.argv[1])
      wallet.executescript(sys.argv[2])
      wallet.commit()
      wallet.close()
      """
    let run = try BuiltBinary.run(
      program: python, ["-c", script, machine.path("\(name)/wallet.sqlite"), sql])
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
  }
}
