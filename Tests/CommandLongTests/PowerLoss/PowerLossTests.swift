import FuekiSystem
import TestSupport
import Testing

/// The power is cut after any call of a run, and what was not synced is lost, or is not.
///
/// A run's calls are logged with all that they write, and each prefix of them is replayed into a model of the disk.
@Suite(.serialized, .enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
struct PowerLossTests {
  /// How many states of the disk are looked at where not all are.
  private static let sampleSize = 7

  /// All that the disk may hold at any moment of a run, each once.
  private func cuts(_ scenario: CrashScenario, _ base: Machine) throws -> (calls: Int, left: [DiskLeft]) {
    let machine = try Machine(copying: base.root)
    let names = LoggedCall.names.map { "?\($0)" }.joined(separator: ",")
    try machine.run(
      scenario.arguments(machine),
      through: [
        Strace.program, "-qq", "-xx", "-s", "1000000000", "-o", machine.path("harness/trace"), "-e",
        "trace=\(names)",
      ], status: 0)
    let trace = try machine.text("harness/trace")
    var files: [String: [UInt8]] = [:]
    for folder in scenario.folders { files.merge(try base.snapshot(of: folder)) { $1 } }
    var disk = DiskModel(root: machine.root, folders: scenario.folders, files: files)

    var left: [DiskLeft] = []
    var calls = 0
    func look(isAfterTheEnd: Bool = false) {
      for bytes in DiskModel.Bytes.allCases {
        for target in DiskModel.Names.allCases {
          for state in DiskModel.Names.allCases {
            // A passphrase's folder is as late as the target, or as early.
            let files = disk.left(bytes, ["target": target, "state": state, "secrets": target])
            guard !left.contains(where: { $0.isAfterTheEnd == isAfterTheEnd && $0.files == files }) else {
              continue
            }
            left.append(DiskLeft(files: files, calls: calls, isAfterTheEnd: isAfterTheEnd))
          }
        }
      }
    }
    for line in trace.split(separator: "\n") {
      guard let call = LoggedCall(line), try disk.take(call) else { continue }
      calls += 1
      look()
    }
    look(isAfterTheEnd: true)
    // The model says at the end what the real folders do.
    let real = try scenario.folders.reduce(into: [String: [UInt8]]()) { all, folder in
      all.merge(try machine.snapshot(of: folder)) { $1 }
    }
    #expect(disk.left(.kept, [:]) == real, "the replay differs from what was run")
    return (calls, left)
  }

  @Test(arguments: [
    CrashScenario.create, CrashScenario.prune, CrashScenario.addKey, CrashScenario.changePassphrase,
    CrashScenario.changeStoredPassphrase,
  ])
  func `whenever the power is cut, what was durable is there and the next backup goes on`(
    _ scenario: CrashScenario
  ) throws {
    let base = try Machine()
    try scenario.prepare(base)
    try Directory.makePrivateDirectories(base.path("harness"))
    let (calls, left) = try cuts(scenario, base)
    let chosen =
      TestSeed.sample(left.filter { !$0.isAfterTheEnd }, of: Self.sampleSize) + left.filter(\.isAfterTheEnd)

    var wrong = 0
    for one in chosen {
      let problems = try problems(one, scenario, base)
      guard !problems.isEmpty else { continue }
      wrong += 1
      Issue.record("\(scenario.name), after \(one.calls) calls: \(problems.joined(separator: "; "))")
    }
    let part = TestSeed.isFull ? "all" : "\(chosen.count) (FUEKI_SEED=\(TestSeed.value)) of"
    print("power loss: \(scenario.name): \(calls) calls, \(part) \(left.count) disks, \(wrong) failures")
  }

  private func problems(_ left: DiskLeft, _ scenario: CrashScenario, _ base: Machine) throws -> [String] {
    let machine = try Machine(copying: base.root)
    let before = try machine.archives()
    for folder in scenario.folders {
      try machine.remove(folder)
      try Directory.makePrivateDirectories(machine.path(folder))
    }
    for (path, bytes) in left.files { try machine.write(bytes, to: path) }

    var problems: [String] = []
    for path in before where left.files[path] != (try base.read(path)) {
      let mayGo = scenario.removesArchives && path != before.first && path != before.last
      if !mayGo || left.files[path] != nil { problems.append("\(path) was lost, or is another") }
    }
    if left.isAfterTheEnd, try !scenario.isDone(machine, before) {
      problems.append("what was done is undone")
    }
    problems += try CrashMatrix.archiveProblems(machine)
    if scenario.folders.contains("secrets") { problems += try scenario.faultsLeft(machine, .kill) }
    let next = try machine.run(scenario.next?(machine) ?? CrashScenario.createArguments(machine))
    if next.status != 0 { problems.append("the next backup: \(next.status), \(next.errors)") }
    let remaining = try scenario.folders.flatMap { try machine.names(in: $0) }
    if remaining.contains(where: { $0.hasSuffix(".tmp") }) { problems.append("left for ever: \(remaining)") }
    return problems + (try CrashMatrix.archiveProblems(machine)).map { "afterwards: \($0)" }
  }
}
