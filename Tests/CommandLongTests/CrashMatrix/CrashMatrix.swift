import FuekiSystem
import Synchronization
import TestSupport
import Testing

/// A command, cut short at every call that was counted.
final class CrashMatrix: Sendable {
  /// The report of a case whose call did not occur.
  static let notHit = "was not hit"

  struct Case: Sendable, CustomStringConvertible {
    let call: CountedCall
    let fault: Fault

    var description: String { "\(fault.rawValue) at \(call.name) \(call.number), \(call.shape)" }
  }

  let scenario: CrashScenario
  let calls: [CountedCall]
  /// Calls of other threads and children on the machine's files, which get no faults.
  let strayCalls: [String]
  private let base: Machine
  private let before: [String: [UInt8]]
  private let archivesBefore: [String]
  private let storeBefore: [UInt8]
  private static let store = "data/wallet.sqlite"
  /// Runs that change nothing leave the same behind: what comes after them has to be looked at once.
  private let hasTriedUnchanged = Mutex(false)

  /// Counts the calls, in a run that goes well.
  init(_ scenario: CrashScenario) throws {
    self.scenario = scenario
    base = try Machine()
    try scenario.prepare(base)
    // Files outside of the machine: the trace, and the state of the runs that inspect the result.
    try Directory.makePrivateDirectories(base.path("harness"))
    before = try Self.snapshot(base)
    archivesBefore = try base.archives()
    storeBefore = try Self.dump(base, "data")

    let machine = try Self.machine(scenario, base)
    let trace = try Self.trace(scenario, machine, ["-e", CallCount.expression])
    calls = CallCount.calls(in: trace, root: machine.root).filter(scenario.counts)
    let second = try Self.machine(scenario, base)
    let all = try Self.trace(scenario, second, ["-f", "-e", CallCount.expression])
    strayCalls = CallCount.others(in: all, root: second.root).filter { call in
      !(scenario.programChanges.map(call.contains) ?? false)
    }
    guard try scenario.isDone(machine, archivesBefore) else { throw NotDone(command: scenario.name) }
  }

  struct NotDone: Error {
    let command: String
  }

  /// Every call with everything that can go wrong at it.
  var cases: [Case] { calls.flatMap { call in call.faults.map { Case(call: call, fault: $0) } } }

  /// Runs cases, some in parallel, and returns each one's problems.
  func run(_ cases: [Case]) throws -> [(one: Case, problems: [String])] {
    let workers = OrderedWorkers<(Case, [String])>(width: Processors.count, window: 2 * Processors.count)
    var results: [(one: Case, problems: [String])] = []
    for one in cases {
      if workers.isFull, let result = try workers.next() { results.append(result) }
      workers.submit {
        do {
          return (one, try self.problems(of: one))
        } catch {
          return (one, ["could not be tried: \(error)"])
        }
      }
    }
    while let result = try workers.next() { results.append(result) }
    return results
  }

  /// Makes the order of dictionaries constant, because the order of a database's first writes depends on it.
  private static let sameOrder = ["SWIFT_DETERMINISTIC_HASHING": "1"]

  private static func machine(_ scenario: CrashScenario, _ base: Machine) throws -> Machine {
    let machine = try Machine(copying: base.root)
    try scenario.begin(machine)
    return machine
  }

  private static func trace(
    _ scenario: CrashScenario, _ machine: Machine, _ options: [String]
  ) throws -> [UInt8] {
    let strace = [Strace.program, "-qq", "-y", "-o", machine.path("harness/trace")] + options
    let run = try machine.run(scenario.arguments(machine), through: strace, environment: sameOrder)
    guard run.status == 0 else { throw PreparedMachine.Failed(run: run) }
    return try machine.read("harness/trace")
  }

  private static func snapshot(_ machine: Machine) throws -> [String: [UInt8]] {
    var all: [String: [UInt8]] = [:]
    for name in try machine.names(in: ".") where name != "harness" {
      let isFolder = (try? Directory.open(machine.path(name))) != nil
      all[name] = isFolder ? [] : try machine.read(name)
      if isFolder { all.merge(try machine.snapshot(of: name)) { $1 } }
    }
    return all
  }

  // MARK: one case

  /// Returns the problems before, at or after the fault; empty if every promise was kept.
  private func problems(of one: Case) throws -> [String] {
    // The same call is met again unless what a run does depends on more than what it finds.
    for _ in 0..<6 {
      let machine = try Self.machine(scenario, base)
      let strace = [
        Strace.program, "-qq", "-y", "-o", machine.path("harness/trace"), "-e", "trace=\(one.call.name)",
        "-e",
        "inject=\(one.call.name):\(one.fault.rawValue):when=\(one.call.number)",
      ]
      let run = try machine.run(scenario.arguments(machine), through: strace, environment: Self.sameOrder)
      // The trace is missing if the machine was too busy to start the run.
      let trace = (try? machine.read("harness/trace")) ?? []
      guard CallCount.isHit(one.call, by: one.fault, in: trace, root: machine.root) else { continue }
      return try problems(after: run, one, machine)
    }
    return [Self.notHit]
  }

  private func problems(
    after run: RunResult, _ one: Case, _ machine: Machine
  ) throws -> [String] {
    var problems: [String] = []
    func hold(_ holds: Bool, _ problem: @autoclosure () -> String) {
      if !holds { problems.append(problem()) }
    }
    hold(
      !run.timedOut && (one.fault == .kill ? run.status == 137 : run.status < 128),
      "ended with \(run.status): \(run.errors)")
    let after = try Self.snapshot(machine)
    problems += try changes(in: after, machine)
    let claimsDone = run.status == 0
    if claimsDone { hold(try scenario.isDone(machine, archivesBefore), "says that it is done, and is not") }
    if !claimsDone, isUnchanged(after), hasTriedUnchanged.withLock({ $0 }) { return problems }

    problems += try Self.archiveProblems(machine, mayBeDamaged: scenario.mends != nil)
    problems += try scenario.faultsLeft(machine, one.fault)
    problems += try goOn(machine, after: one.call)
    hold(try scenario.isDone(machine, archivesBefore), "run again, it is not done")
    let last = try Self.snapshot(machine)
    problems += try changes(in: last, machine).map { "run again: \($0)" }
    for path in last.keys where Self.isLeftover(path) { problems.append("left for ever: \(path)") }
    problems += try Self.archiveProblems(machine).map { "run again: \($0)" }
    if !claimsDone, isUnchanged(after), problems.isEmpty { hasTriedUnchanged.withLock { $0 = true } }
    return problems
  }

  /// Does what a person would, until one run says that it is done, or it is.
  private func goOn(_ machine: Machine, after call: CountedCall) throws -> [String] {
    let same = scenario.arguments(machine)
    let isDone = try scenario.isDone(machine, archivesBefore)
    let attempts =
      isDone ? [scenario.next?(machine) ?? same] : scenario.attempts?(machine, call.number) ?? [same]
    for arguments in attempts {
      let again = try machine.run(arguments)
      guard scenario.rerunStatuses.contains(again.status) else {
        return ["again: \(again.status), \(again.errors)"]
      }
      if try again.status == 0 || scenario.isDone(machine, archivesBefore) { break }
    }
    return []
  }

  private static func isLeftover(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".new") || name.hasSuffix(".tmp") || (name.hasPrefix(".") && name != ".config")
      || path.hasPrefix("state/restore-")
  }

  /// Returns the forbidden changes: any outside the command's files, and those of archives anywhere.
  private func changes(in after: [String: [UInt8]], _ machine: Machine) throws -> [String] {
    var changes: [String] = []
    for path in Set(before.keys).union(after.keys).sorted() where before[path] != after[path] {
      guard isChangeable(path) else {
        if try path != Self.store || Self.dump(machine, "data") != storeBefore {
          changes.append("\(path) has changed")
        }
        continue
      }
      guard path.hasPrefix("target/"), before[path] != nil else { continue }
      if let whole = scenario.mends, path == archivesBefore.last, after[path] == before[whole] { continue }
      let mayGo = scenario.removesArchives && path != archivesBefore.first && path != archivesBefore.last
      if after[path] != nil || !mayGo { changes.append("\(path) has changed, or is gone") }
    }
    return changes
  }

  /// Returns the store's contents.
  ///
  /// SQLite may write them to other places of its file at any close.
  static func dump(_ machine: Machine, _ name: String) throws -> [UInt8] {
    try machine.copy(name, to: "harness/data")
    defer { try? machine.remove("harness/data") }
    let script = """
      import sqlite3, sys
      for line in sqlite3.connect(sys.argv[1]).iterdump(): print(line)
      """
    let dump = try BuiltBinary.run(
      program: Wallets.python, ["-c", script, machine.path("harness/data/wallet.sqlite")])
    guard dump.status == 0 else { throw PreparedMachine.Failed(run: dump) }
    return dump.output
  }

  private func isChangeable(_ path: String) -> Bool {
    scenario.changes.contains { one in
      one.last == "*" ? path.hasPrefix(one.dropLast()) : path == one || path.hasPrefix("\(one)/")
    }
  }

  private func isUnchanged(_ after: [String: [UInt8]]) -> Bool {
    let fleeting = ["state/lock", "data/wallet.sqlite-shm"]
    return Set(before.keys).union(after.keys).allSatisfy { before[$0] == after[$0] || fleeting.contains($0) }
  }

  /// Everything that is listed is complete, everything that has an archive's name is listed, and all of it verifies.
  static func archiveProblems(_ machine: Machine, mayBeDamaged: Bool = false) throws -> [String] {
    // Not by a configuration that the command has just made: it trusts signed archives only.
    let environment = [
      "XDG_CONFIG_HOME": machine.path("harness/none"), "FUEKI_STATE": machine.path("harness/state"),
    ]
    let list = try machine.run(["list", machine.target, "--json"], environment: environment)
    guard list.status == 0 else { return ["list: \(list.status), \(list.errors)"] }
    let archives = try list.json()["archives"]?.elements ?? []
    var problems = archives.filter { $0["state"] != .string("complete") }.map { "listed: \($0)" }
    let named = try machine.archives().count
    if archives.count != named { problems.append("\(archives.count) archives are listed of \(named)") }
    guard named > 0 else { return problems }
    let verify = try machine.run(["verify", machine.target], environment: environment)
    if verify.status != 0, !(mayBeDamaged && verify.status == 20) {
      problems.append("verify: \(verify.status), \(verify.text) \(verify.errors)")
    }
    return problems
  }
}
