import FuekiSystem
import TestSupport
import Testing

/// A restore: into a new place, into a wallet's data directory, and a resumed one of either.
///
/// Wherever it is interrupted, the old contents or the restored ones are there, store and keychain together.
extension CrashScenario {
  static let restores = [restore, merge, resume, resumedMerge]

  static let restore = CrashScenario(
    name: "restore", changes: ["restored", ".restored.restoring-*", "state"], rerunStatuses: statuses,
    prepare: prepareUnattended,
    arguments: { restoreArguments($0, "restored") },
    attempts: { attempts($0, "restored", $1) },
    isDone: { machine, _ in try machine.exists("restored") && holdsAll(machine, "restored") },
    faultsLeft: { try faults($0, "restored", $1, old: { !$0.exists("restored") }) })

  /// Into a data directory that has one of the wallets, with its key shares, and a setting of its own.
  static let merge = CrashScenario(
    name: "restore (merge)", changes: mergeChanges, rerunStatuses: statuses, prepare: prepareMerge,
    arguments: { restoreArguments($0, "data") },
    attempts: { attempts($0, "data", $1) },
    isDone: { machine, _ in try isMerged(machine) },
    faultsLeft: { try faults($0, "data", $1, old: isOld) })

  static let resume = CrashScenario(
    name: "restore --resume", changes: restore.changes, rerunStatuses: statuses,
    prepare: prepareUnattended,
    begin: { try stop($0, "restored", at: stopOfRestore.get()) },
    arguments: { resumeArguments($0, "restored") },
    attempts: { machine, _ in attempts(machine, "restored", 0) },
    isDone: restore.isDone, faultsLeft: restore.faultsLeft)

  static let resumedMerge = CrashScenario(
    name: "restore --resume (merge)", changes: mergeChanges, rerunStatuses: statuses,
    prepare: prepareMerge,
    begin: { try stop($0, "data", at: stopOfMerge.get()) },
    arguments: { resumeArguments($0, "data") },
    attempts: { machine, _ in attempts(machine, "data", 0) },
    isDone: merge.isDone, faultsLeft: merge.faultsLeft)

  private static let mergeChanges = ["data", ".data.restoring-*", "data.before-restore-*", "state"]
  /// 10: there is no restore to resume.
  private static let statuses: Set<Int32> = [0, 10]

  // MARK: commands

  private static func secrets(_ machine: Machine) -> [String] {
    ["--identity", machine.path("identity"), "--keychain-key-file", machine.path("keychain.key")]
  }

  private static func restoreArguments(_ machine: Machine, _ name: String) -> [String] {
    ["restore", "latest", "--target", machine.target, "--datadir", machine.path(name)]
      + ["--no-resync"] + secrets(machine)
  }

  private static func resumeArguments(_ machine: Machine, _ name: String) -> [String] {
    ["restore", "--resume", "--no-resync", "--datadir", machine.path(name)] + secrets(machine)
  }

  /// Every other time a person asks to go on; where nothing was staged there is nothing to go on with.
  private static func attempts(_ machine: Machine, _ name: String, _ number: Int) -> [[String]] {
    let anew = restoreArguments(machine, name)
    return number.isMultiple(of: 2) ? [resumeArguments(machine, name), anew] : [anew]
  }

  // MARK: what is there

  /// Returns whether a data directory has exactly the archive's contents, apart from the given additions.
  private static func holdsAll(
    _ machine: Machine, _ name: String, besides setting: String? = nil
  ) throws -> Bool {
    let diff = try machine.run(
      ["diff", "latest", "--live", "--json", "--target", machine.target, "--datadir", machine.path(name)]
        + secrets(machine))
    guard diff.status == 0 else { return false }
    let sections = try diff.json()["sections"]
    for section in sections?.keys ?? [] {
      let one = sections?[section]
      let added = section == "settings" ? setting.map { [JSONValue.string($0)] } ?? [] : []
      guard one?["removed"] == .array([]), one?["changed"] == .array([]), one?["added"] == .array(added)
      else { return false }
    }
    return sections?["key-shares"] != nil && sections?["transactions"] != nil
  }

  private static func isMerged(_ machine: Machine) throws -> Bool {
    let previous = try machine.names(in: ".").filter { $0.hasPrefix("data.before-restore-") }
    guard previous.count == 1, try isSame(machine, previous[0], "before") else { return false }
    return try holdsAll(machine, "data", besides: "own")
  }

  private static func isOld(_ machine: Machine) throws -> Bool { try isSame(machine, "data", "before") }

  /// Whether two data directories hold the same, store and keychain.
  private static func isSame(_ machine: Machine, _ one: String, _ other: String) throws -> Bool {
    for file in ["keychain.sealed"]
    where try machine.read("\(one)/\(file)") != machine.read("\(other)/\(file)") {
      return false
    }
    return try CrashMatrix.dump(machine, one) == CrashMatrix.dump(machine, other)
  }

  /// Returns the faults of an interrupted restore.
  ///
  /// The old or the new contents must be complete, and a failed run must have removed its unencrypted copies, except
  /// those for --resume.
  private static func faults(
    _ machine: Machine, _ name: String, _ fault: Fault, old isOld: (Machine) throws -> Bool
  ) throws -> [String] {
    var faults: [String] = []
    let isNew = try machine.exists(name) && holdsAll(machine, name, besides: name == "data" ? "own" : nil)
    if try !isNew && !isOld(machine) { faults.append("\(name) is neither the old nor the new") }
    let left = try machine.names(in: ".").filter { $0.contains(".restoring-") }
    let isKept = try machine.names(in: "state").contains {
      $0.hasPrefix("restore-") && $0.hasSuffix(".json")
    }
    if fault != .kill, !left.isEmpty, !isKept { faults.append("left behind: \(left)") }
    return faults
  }

  // MARK: machines

  private static func prepareMerge(_ machine: Machine) throws {
    try prepareUnattended(machine)
    try succeed(
      machine,
      ["export", "latest", "--only", "wallets", "--output", machine.path("out"), "--target", machine.target]
        + ["--identity", machine.path("identity")])
    let script = "import json; print([json.loads(line)['id'] for line in open('out/wallets.jsonl')][0])"
    let listed = try BuiltBinary.run(program: Wallets.python, ["-c", script], cwd: machine.root)
    guard listed.status == 0 else { throw PreparedMachine.Failed(run: listed) }
    let id = listed.text.filter { !$0.isWhitespace }
    for name in ["data", "out"] { try machine.remove(name) }
    try succeed(machine, restoreArguments(machine, "data") + ["--wallet", id])
    try Wallets.edit(machine, "data", "INSERT INTO settings (key, value) VALUES ('own', 'value')")
    try machine.copy("data", to: "before")
  }

  /// A call of a restore at which some of the history is staged, and some is not.
  private static func stopPoint(
    _ name: String, _ prepare: (Machine) throws -> Void
  ) throws -> FaultPoint {
    let machine = try Machine()
    try prepare(machine)
    let points = try Strace.points(machine, places: [".restoring-"]) {
      try machine.run(restoreArguments(machine, name), through: $0)
    }
    let written = points.filter { $0.call == "pwrite64" && $0.line.contains("/wallet.sqlite>") }
    guard !written.isEmpty else { throw SystemError(.notFound, call: "pwrite64", path: name) }
    return written[written.count * 3 / 4]
  }

  private static let stopOfRestore = Result { try stopPoint("restored", prepareUnattended) }
  private static let stopOfMerge = Result { try stopPoint("data", prepareMerge) }

  private static func stop(_ machine: Machine, _ name: String, at point: FaultPoint) throws {
    let run = try machine.run(restoreArguments(machine, name), through: point.inject("signal=KILL"))
    let journals = try machine.names(in: "state").filter { $0.hasPrefix("restore-") }
    guard run.status == 137, journals.count == 1 else { throw PreparedMachine.Failed(run: run) }
  }
}
