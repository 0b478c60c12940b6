import FuekiSystem
import TestSupport
import Testing

struct PruneTests {
  private func prune(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(["prune", "--target", machine.target] + more)
  }

  @Test func `without a rule nothing is removed`() throws {
    let machine = try Machine()
    let run = try prune(machine, [])
    #expect(run.status == 64 && run.errors.contains("--keep-"))
    for wrong in [
      ["--keep-last", "0"], ["--keep-last", "-1"], ["--keep-within", "7"], ["--keep-daily", "x"],
    ] {
      #expect(try prune(machine, wrong).status == 64, "\(wrong)")
    }
    #expect(try machine.archives().count == 1)
  }

  @Test func `what is shown is what goes`() throws {
    let machine = try Machine()
    for _ in 0..<3 { #expect(try machine.create().status == 0) }
    let before = try machine.archives()
    let preview = try prune(machine, ["--keep-last", "2", "--dry-run"]).expect(0)
    #expect(try machine.archives() == before)
    #expect(preview.text.contains("nothing was removed"))
    let lines = preview.text.split(separator: "\n")
    #expect(lines.filter { $0.hasPrefix("  remove ") }.count == 2)
    #expect(lines.filter { $0.hasPrefix("  keep ") }.count == 2)

    try machine.write("notes", to: "target/notes.fueki")
    let run = try prune(machine, ["--keep-last", "2", "--json"]).expect(0)
    #expect(try Set(machine.archives()) == Set(before.suffix(2) + ["target/notes.fueki"]))
    let target = try #require(try run.json()["targets"]?[0])
    #expect(target["removed"]?.elements.count == 2 && target["left"]?.elements.count == 1)
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(5))
    #expect(try machine.restore().status == 0)
  }

  @Test func `nothing that verifies is left alone exits with 20 and removes nothing`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    for archive in try machine.archives() {
      try machine.damage(archive)
    }
    #expect(try prune(machine, ["--keep-last", "1"]).status == 20)
    #expect(try machine.archives().count == 2)
  }

  @Test func `a copy with other seals of an unsigned archive removes no real one`() throws {
    let machine = try Machine()
    let signed = try #require(machine.archives().first)
    for _ in 0..<2 { #expect(try machine.create(["--unsigned"]).status == 0) }
    let newest = try #require(machine.archives().last)
    try machine.write(machine.read(newest).withOtherSeals, to: "target/0.fueki")
    let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    let name = String(newest.dropFirst("target/".count))
    #expect(list.compactMap { $0["other_bytes_than"]?.text } == [name])
    let run = try prune(machine, ["--keep-last", "1"])
    #expect(run.status == 3 && run.errors.contains("damaged or forged"), "\(run.text) \(run.errors)")
    #expect(try machine.archives().contains(newest) && machine.exists("target/0.fueki"))
    #expect(try machine.restore().status == 0)
    try machine.remove("target/0.fueki")
    #expect(try prune(machine, ["--keep-last", "1"]).status == 0)
    // The newest signed one stays, too: nothing tells which machine made one without a signature.
    #expect(try machine.archives() == [signed, newest])
  }

  @Test func `an exact copy under another name goes, and a real archive never for it`() throws {
    let machine = try Machine()
    let own = try #require(machine.archives().first)
    try machine.copy(own, to: "target/0.fueki")
    let run = try prune(machine, ["--keep-last", "1", "--json"]).expect(0)
    #expect(try machine.archives() == [own])
    let removed = try run.json()["targets"]?[0]?["removed"]?[0]
    #expect(removed?["copy_of"]?.text == String(own.dropFirst("target/".count)))
  }

  @Test func `newer archives that this machine has never seen do not drive out its own`() throws {
    let machine = try Machine()
    let own = try #require(machine.archives().first)
    try machine.copy("state", to: "state-before")
    for _ in 0..<2 { #expect(try machine.create(["--unsigned"]).status == 0) }
    try machine.remove("state")
    try machine.copy("state-before", to: "state")
    let run = try prune(machine, ["--keep-last", "1"]).expect(0)
    #expect(run.errors.contains("is a stranger's, so it was neither counted nor removed"), "\(run.errors)")
    #expect(try machine.archives().contains(own) && machine.archives().count == 3)
    // This does not apply to an adopted one.
    #expect(try machine.create(["--adopt"]).status == 0)
    #expect(try prune(machine, ["--keep-last", "1"]).status == 0)
    #expect(try machine.archives().count == 1)
  }

  @Test(arguments: [["--keep-daily", "7"], ["--keep-within", "1y"], ["--keep-last", "1"]])
  func `a clock that has gone back removes nothing`(_ rule: [String]) throws {
    let machine = try Machine()
    for _ in 0..<2 { #expect(try machine.create().status == 0) }
    let before = try machine.archives()
    let run = try machine.run(
      ["prune", "--target", machine.target] + rule,
      through: ["/usr/bin/faketime", "-f", "2020-01-01 00:00:00"],
      environment: ["TZ": "UTC"])
    #expect(run.status == 3 && run.errors.contains("clock has gone back"), "\(run.text) \(run.errors)")
    #expect(try machine.archives() == before)
    #expect(try prune(machine, ["--keep-last", "1"]).status == 0)
    #expect(try machine.archives() == [before[2]])
  }

  @Test func `where signers are trusted, what others signed is neither counted nor removed`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    try machine.write("[[vault]]\nsign_key = \"keys/signing.key\"\n", to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    // This machine's own signature is a stranger's to a machine that knows only the configuration.
    try machine.remove("state")
    let strangers = try machine.archives()
    let nothing = try prune(machine, ["--keep-last", "1"] + config)
    #expect(nothing.status == 0 && nothing.errors.contains("a stranger's"), "\(nothing.errors)")
    // Its passphrase would prove it.
    try machine.write("a passphrase that opens none of them", to: "passphrase")
    for _ in 0..<2 { #expect(try machine.create(config).status == 0) }
    try prune(machine, ["--keep-last", "1"] + config).expect(0)
    #expect(try machine.archives().count == 2 && machine.archives().contains(strangers[0]))
  }

  @Test func `where nothing shows that an archive is mine, none is removed`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let before = try machine.archives()
    try machine.remove("state")
    let run = try prune(machine, ["--keep-last", "1"])
    #expect(run.status == 3 && run.errors.contains("nothing shows"), "\(run.errors)")
    #expect(try machine.archives() == before)
  }

  @Test func `a target that is away does not stop the others`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let run = try prune(machine, ["--target", machine.path("away"), "--keep-last", "1"])
    #expect(run.status == 3 && run.errors.contains("away"))
    #expect(try machine.archives().count == 1)
    #expect(try machine.run(["prune", "--target", machine.path("away"), "--keep-last", "1"]).status == 10)
  }
}

/// Runs that want the same target at once.
struct LockTests {
  /// Starts a command and does not wait for it.
  private func start(_ machine: Machine, _ arguments: [String], log: String) throws -> Int32 {
    let variables = [
      "HOME=\(machine.path("home"))", "FUEKI_STATE=\(machine.state)", "FUEKI_DATADIR=\(machine.data)",
      "TMPDIR=\(machine.path("tmp"))", "PATH=/usr/bin:/bin", "SWIFT_BACKTRACE=enable=no",
    ]
    var command = ChildCommand(
      executable: try PreparedMachine.binary(), arguments: ["fueki-backup"] + arguments,
      environment: variables.map { Array($0.utf8) }, directory: machine.root)
    let output = try Directory.open(machine.root).createFile(log)
    let input = try File.open("/dev/null")
    command.streams = (input.descriptor, output.descriptor, output.descriptor)
    return try command.start()
  }

  @Test func `who holds the lock is named, and can be waited for`() throws {
    let machine = try Machine()
    // The passphrase comes after the lock, and only when it is asked for by a file.
    let slow = try start(
      machine,
      [
        "create", "--target", machine.target, "-p",
        "command:touch begun; while [ -e begun ] && [ ! -e go ]; do sleep 0.05; done; cat passphrase",
      ]
        + machine.keychainSecret + Machine.quick, log: "slow")
    let deadline = SystemClock.monotonicSeconds + 60
    while !machine.exists("begun"), SystemClock.monotonicSeconds < deadline {
      SystemClock.sleep(seconds: 0.02)
    }
    let refused = try machine.create(status: 11)
    #expect(refused.errors.contains("create, process \(slow), since 20"))
    try machine.create(["--wait", "0s"], status: 11)
    let waiting = ["create", "--target", machine.target, "--wait", "5m", "--progress", "json"]
    let patient = try start(machine, waiting + machine.secrets, log: "patient")
    // It reports that it waits.
    while try !machine.text("patient").contains("waiting for another run"),
      SystemClock.monotonicSeconds < deadline
    {
      SystemClock.sleep(seconds: 0.02)
    }
    try machine.write("", to: "go")
    #expect(try ChildEnding.wait(for: slow) == .exited(0))
    let ending = try ChildEnding.wait(for: patient)
    let printed = try machine.read("patient")
    #expect(ending == .exited(0), "\(String(decoding: printed, as: UTF8.self))")
    let list = try machine.run(["list", machine.target, "--json"]).json()
    #expect(list["archives"]?.elements.compactMap { $0["sequence"]?.number }.sorted() == [1, 2, 3])
    #expect(try machine.create(["--wait", "soon"]).status == 64)
  }

  @Test(.timeLimit(.minutes(60)))
  func `twenty runs at once lose no archive and list none by half`() throws {
    let machine = try Machine()
    let create = ["create", "--target", machine.target, "--wait", "9m", "-q"] + machine.secrets
    let prune = ["prune", "--target", machine.target, "--keep-last", "4", "--wait", "9m", "-q"]
    let verify = ["verify", machine.target, "-q"]
    let commands = [create, create, prune, create, verify, create, prune, verify, create, create]
    var processes: [(number: Int, process: Int32, isVerify: Bool)] = []
    for (number, command) in (commands + commands).enumerated() {
      processes.append((number, try start(machine, command, log: "log\(number)"), command == verify))
    }
    for (number, process, isVerify) in processes {
      // The others run meanwhile.
      let list = try machine.run(["list", machine.target, "--json"], status: 0)
      let states = Set(try (list.json()["archives"]?.elements ?? []).compactMap { $0["state"]?.text })
      #expect(states == ["complete"])
      let ending = try ChildEnding.wait(for: process)
      let log = try machine.text("log\(number)")
      // A file may be removed between being listed and being read: then it could not be read, and is not damaged.
      #expect(ending == .exited(0) || (isVerify && ending == .exited(1)), "\(number): \(ending) \(log)")
    }
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let sequences = (list["archives"]?.elements ?? []).compactMap { $0["sequence"]?.number }
    #expect(sequences.max() == 13)
    #expect(Set(sequences).isSuperset(of: [10, 11, 12, 13]))
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
    #expect(try machine.run(["verify", machine.target]).status == 0)
  }
}
