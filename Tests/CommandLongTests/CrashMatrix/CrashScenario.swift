import FuekiSystem
import TestSupport
import Testing

/// A command whose every call is to be cut short, and what must hold whatever becomes of it.
struct CrashScenario: Sendable {
  let name: String
  /// The folders that a cut of the power may change.
  var folders = ["state", "target"]
  /// The paths below the machine's root that the command may change.
  ///
  /// An asterisk at the end matches any rest.
  let changes: [String]
  /// Whether archives may go; the newest and the oldest never.
  var removesArchives = false
  /// A file with the possible repair of the newest archive, which is damaged; nil if no archive changes.
  var mends: String?
  /// The path that a child program may change.
  var programChanges: String?
  /// How it may end when it is run again after it was cut short; 40 is that it had come to its end, 10 that there is
  /// nothing to go on with.
  var rerunStatuses: Set<Int32> = [0]
  /// The next command after a finished run; nil to run the same again.
  var next: (@Sendable (Machine) -> [String])?
  /// Brings a machine to where the command begins.
  var prepare: @Sendable (Machine) throws -> Void = { _ in }
  /// Preparations on every machine before the command, because they depend on the machine's place.
  var begin: @Sendable (Machine) throws -> Void = { _ in }
  let arguments: @Sendable (Machine) -> [String]
  /// The user's commands after an interruption at this call, in order until one succeeds; nil to run the same again.
  var attempts: (@Sendable (Machine, _ number: Int) -> [[String]])?
  /// Whether what the command is for is done.
  let isDone: @Sendable (_ machine: Machine, _ before: [String]) throws -> Bool
  /// Returns the scenario's own faults in the files of an interrupted run, in addition to the common ones.
  var faultsLeft: @Sendable (Machine, Fault) throws -> [String] = { _, _ in [] }
  /// Which of the calls are counted and tried.
  var counts: @Sendable (CountedCall) -> Bool = { _ in true }

  static let all = [
    create, prune, addKey, changePassphrase, changeStoredPassphrase, initialise, importing, install,
  ]

  /// Runs that wait for another program, and look how far it is: how often depends on its time.
  static let beside = [createParity, mend]

  private static let walletMemory = ["data/wallet.sqlite-shm", "data/wallet.sqlite-wal"]
  static let archiving = ["target", "state"] + walletMemory
  static let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"

  static let create = CrashScenario(
    name: "create", changes: archiving, prepare: prepareUnattended,
    arguments: { createArguments($0) },
    isDone: { try $0.archives().count > $1.count })

  static let createParity = CrashScenario(
    name: "create --parity", changes: archiving, programChanges: "/state/mending/",
    prepare: prepareUnattended,
    arguments: { createArguments($0) + ["--parity", "5%"] },
    isDone: { machine, before in
      guard let newest = try machine.archives().last, !before.contains(newest) else { return false }
      let files = try machine.names(in: "target").filter { "target/\($0)".hasPrefix("\(newest).") }
      return files.count == 2
    })

  static let mend = CrashScenario(
    name: "mend", changes: ["target", "state"], mends: "whole", programChanges: "/state/mending/",
    prepare: { machine in
      try prepareUnattended(machine)
      try succeed(machine, createArguments(machine) + ["--parity", "5%"])
      guard let newest = try machine.archives().last else { return }
      var bytes = try machine.read(newest)
      try machine.write(bytes, to: "whole")
      bytes[20_000] ^= 1
      try machine.write(bytes, to: newest)
    },
    arguments: { ["repair", "latest", "--target", $0.target] },
    isDone: { machine, _ in try machine.read(machine.archives().last ?? "") == machine.read("whole") },
    faultsLeft: { machine, _ in
      let kept = try machine.names(in: "target").filter { $0.contains(".damaged-") }
      let isWhole = try machine.read(machine.archives().last ?? "") == machine.read("whole")
      return isWhole && kept.isEmpty ? ["the damaged file is gone"] : []
    })

  static let prune = CrashScenario(
    name: "prune", changes: ["target", "state"], removesArchives: true,
    prepare: { machine in
      try prepareUnattended(machine)
      for _ in 0..<2 { try succeed(machine, createArguments(machine)) }
    },
    arguments: { ["prune", "--target", $0.target, "--keep-last", "1"] },
    // Only the oldest one opens with a passphrase.
    isDone: { try $0.archives() == [$1.first, $1.last].compactMap { $0 } })

  static let initialise = CrashScenario(
    name: "init", changes: ["home/.config"] + walletMemory, rerunStatuses: [0, 40],
    arguments: {
      ["init", "--target", $0.target, "--target-kind", "local", "--no-passphrase", "--recipient", recipient]
        + $0.keychainSecret
    },
    isDone: { machine, _ in
      try machine.exists("home/.config/fueki-backup/signing.pub")
        && machine.run(["config", "validate"]).status == 0
    })

  static let importing = CrashScenario(
    name: "import", changes: ["data", "state/lock"],
    prepare: { machine in
      try prepareUnattended(machine)
      try machine.write(ImportedFiles.keystore, to: "keystores/UTC--one")
    },
    arguments: { ["import", $0.path("keystores")] },
    isDone: { machine, _ in try counts(machine).files == 1 },
    faultsLeft: { machine, _ in
      let (files, transactions) = try counts(machine)
      return transactions == 50 && (files ?? 0) <= 1
        ? [] : ["the data has \(files ?? 0) files and \(transactions ?? 0) transactions"]
    })

  static let install = CrashScenario(
    name: "install", changes: ["prefix"],
    prepare: { machine in
      // The program's own pages and schemas, but few of them.
      try Directory.makePrivateDirectories(machine.path("tree/man"))
      try Directory.makePrivateDirectories(machine.path("tree/Sources/fueki-backup/Schemas"))
      try Directory.makePrivateDirectories(machine.path("tree/TestVectors"))
      let paths = [
        "man/fueki-backup.1", "Sources/fueki-backup/Schemas/list-1.json", "TestVectors/reader.py",
      ]
      for path in paths {
        try machine.write(TestVectors.file("../\(path)"), to: "tree/\(path)")
      }
    },
    arguments: { ["install", "--prefix", $0.path("prefix"), "--from", $0.path("tree")] },
    isDone: { machine, _ in
      let parts = ["prefix/share/fueki-backup/SHA256SUMS", "prefix/bin/fueki-backup"]
      guard parts.allSatisfy(machine.exists) else { return false }
      let sums = try BuiltBinary.run(
        program: "/usr/bin/sha256sum", ["--check", "--strict", "--quiet", "SHA256SUMS"],
        cwd: machine.path("prefix/share/fueki-backup"))
      let version = try BuiltBinary.run(program: machine.path("prefix/bin/fueki-backup"), ["--version"])
      return sums.status == 0 && version.status == 0
    })

  /// An unattended machine: without a passphrase to derive, a case is quick.
  static func prepareUnattended(_ machine: Machine) throws {
    try machine.write([UInt8](repeating: 7, count: 64), to: "keychain.key")
    let made = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", machine.path("identity")])
    let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", machine.path("identity")])
    guard made.status == 0, shown.status == 0 else { throw PreparedMachine.Failed(run: made) }
    try machine.write(shown.text.filter { !$0.isWhitespace }, to: "recipient")
    try succeed(
      machine,
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("restored")]
        + machine.archiveSecret + ["--keychain-key-file", machine.path("keychain.key")])
    try machine.remove("data")
    let moved = try BuiltBinary.run(program: "/bin/mv", [machine.path("restored"), machine.data])
    guard moved.status == 0 else { throw PreparedMachine.Failed(run: moved) }
    try succeed(machine, createArguments(machine))
    // The backup's changes to the store are still in a log, which SQLite may copy at any close.
    let script = """
      import sqlite3, sys
      sqlite3.connect(sys.argv[1]).execute('PRAGMA wal_checkpoint(TRUNCATE)')
      """
    let carried = try BuiltBinary.run(
      program: "/usr/bin/python3", ["-c", script, machine.path("data/wallet.sqlite")])
    guard carried.status == 0 else { throw PreparedMachine.Failed(run: carried) }
  }

  static func createArguments(_ machine: Machine) -> [String] {
    ["create", "--target", machine.target, "--recipients-file", machine.path("recipient")]
      + ["--keychain-key-file", machine.path("keychain.key")]
  }

  static func succeed(_ machine: Machine, _ arguments: [String]) throws {
    let run = try machine.run(arguments)
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
  }

  private static func counts(_ machine: Machine) throws -> (files: Double?, transactions: Double?) {
    let dry = try machine.run(
      ["create", "--dry-run", "--json", "--keychain-key-file", machine.path("keychain.key")])
    guard dry.status == 0 else { throw PreparedMachine.Failed(run: dry) }
    let included = try dry.json()["sources"]?[0]?["included"]
    return (included?["files"]?.number, included?["transactions"]?.number)
  }
}
