import FuekiSystem
import TestSupport
import Testing

/// The sandbox of the commands that parse what strangers may have written, as the kernel sees it.
@Suite(.enabled(if: Sandbox.version != nil, "this kernel has no Landlock"))
struct SandboxTests {
  /// A machine with two archives, another wallet's file, and a guardian's share.
  private func machine() throws -> Machine {
    let machine = try Machine()
    try #require(machine.create().status == 0)
    try machine.write(ImportedFiles.contacts["first.json"] ?? "", to: "first.json")
    let split = [
      "guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("guardians"),
    ]
    try #require(machine.run(split).status == 0)
    return machine
  }

  private static let commands = [
    "verify", "list", "show", "export", "import", "diff", "diff --live", "key-shares check",
    "guardians check", "guardians combine", "key list", "checkpoint export", "restore", "restore --dry-run",
    "put-back",
  ]

  /// A run of a command that does all that it can; what it writes goes to places of this name.
  private func arguments(_ command: String, _ machine: Machine, to name: String) throws -> [String] {
    let target = ["--target", machine.target]
    let words = command.split(separator: " ").map(String.init)
    switch command {
    case "verify":
      return words + [machine.target, "--depth", "contents", "--report", "junit=\(name).xml"]
        + machine.archiveSecret
    case "list": return words + [machine.target]
    case "show": return words + ["latest"] + target + machine.archiveSecret
    case "export":
      return words + ["latest", "--output", name, "--include-secrets"] + target + machine.archiveSecret
    case "import": return words + ["first.json", "--datadir", name]
    case "diff": return words + (try machine.archives()) + machine.archiveSecret
    case "diff --live": return ["diff", "latest", "--live"] + target + machine.secretsToRead
    case "key-shares check": return words + ["latest"] + target + machine.archiveSecret
    case "guardians check":
      let sheets = try machine.names(in: "guardians").filter {
        $0.hasSuffix(".txt") && !$0.hasPrefix("guardians")
      }
      return words + sheets.map { "guardians/\($0)" }
    case "guardians combine":
      let sheets = try machine.names(in: "guardians").filter {
        $0.hasSuffix(".txt") && !$0.hasPrefix("guardians")
      }
      return words + sheets.map { "guardians/\($0)" } + ["--output", "\(name).key"]
    case "key list": return words + ["latest"] + target + machine.archiveSecret
    case "restore", "restore --dry-run":
      return words + ["latest", "--no-resync", "--datadir", name, "--files", "\(name).files"] + target
        + machine.secrets
    case "put-back": return words + ["latest", "--files", name] + target + machine.archiveSecret
    case "checkpoint export": return words + target + ["--output", "\(name).line", "--svg", "\(name).svg"]
    default: return words
    }
  }

  /// Returns a run's output without the parts that differ between two runs.
  private func told(_ run: RunResult, _ name: String) -> [String] {
    [run.text, run.errors].map { $0.replacing(name, with: "NAME").replacing(#/\d+\.\d s/#, with: "S") }
  }

  @Test(arguments: commands)
  func `a command in its sandbox does what it does without`(_ command: String) throws {
    let machine = try machine()
    let inside = try machine.run(arguments(command, machine, to: "inside"))
    let outside = try machine.run(arguments(command, machine, to: "outsid") + ["--no-sandbox"])
    #expect(inside.status == 0 && outside.status == 0, "\(inside.errors) \(outside.errors)")
    #expect(told(inside, "inside") == told(outside, "outsid"))
    let written = try machine.names(in: ".").filter { $0.hasPrefix("inside") }
    let expected =
      ["verify": 1, "export": 1, "import": 1, "checkpoint export": 2, "guardians combine": 1, "restore": 1][
        command] ?? 0
    #expect(written.count == expected, "\(written)")
    for name in written where !name.hasSuffix(".xml") && command != "import" && command != "restore" {
      let other = name.replacing("inside", with: "outsid")
      guard command == "export" else {
        // The checkpoint of one archive is one line.
        #expect(try machine.read(name) == machine.read(other))
        continue
      }
      let (one, two) = (try machine.snapshot(of: name), try machine.snapshot(of: other))
      #expect(
        one.count > 10
          && Array(one.keys).map { $0.dropFirst(6) }.sorted() == two.keys.map { $0.dropFirst(6) }.sorted())
      for (path, bytes) in one { #expect(two["outsid" + path.dropFirst(6)] == bytes, "\(path)") }
    }
    // Where the command remembers what it did.
    if command == "verify" {
      let activity = try machine.text("state/activity.json")
      #expect(activity.contains("\"verify\""))
    }
    let detail = try machine.run(arguments(command, machine, to: "thirds") + ["-v"])
    #expect(detail.errors.contains("in a sandbox (Landlock "), "\(detail.errors)")
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)), arguments: commands)
  func `a command has no thread when it enters its sandbox, its programs have run, and its calls are known`(
    _ command: String
  )
    throws
  {
    let machine = try machine()
    // A vault without an id: its store is asked for it, and SQLite's connections begin threads.
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      [[vault]]
      datadir = "\(machine.data)"
      trusted_signers = ["\(String(repeating: "5a", count: 32))"]
      """, to: "config.toml")
    var arguments = try arguments(command, machine, to: "inside")
    if let place = arguments.firstIndex(of: "-p") {
      arguments[place + 1] = "command:cat passphrase"
    }
    if !command.hasPrefix("guardians") { arguments += ["--config", machine.path("config.toml")] }
    let calls = "trace=clone,clone3,exit,execve,landlock_restrict_self,prctl"
    try machine.run(
      arguments, through: [Strace.program, "-f", "-qq", "-o", machine.path("trace")], status: 0)
    let text = try machine.text("trace")
    #expect(BoxedCalls(text).unknown(startingPrograms: command == "verify") == [])
    let trace = ThreadTrace(text)
    #expect(trace.restrictions == 1)
    #expect(trace.threadsAtRestriction == [])
    #expect(trace.threadsEver > 0)
    #expect(trace.programs.first == (arguments.contains("-p") ? "/bin/sh" : nil))
    #expect(trace.programsAfter == [])

    try machine.run(
      self.arguments(command, machine, to: "outsid") + ["--no-sandbox"],
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace"), "-e", calls], status: 0)
    #expect(ThreadTrace(try machine.text("trace")).restrictions == 0)
  }

  @Test(arguments: ["--try-sandbox", "--try-restore-sandbox"])
  func `on a worker thread the program cannot read, create, connect or execute`(_ trial: String) throws {
    let machine = try Machine()
    try machine.write("a key", to: "home/.ssh/id_ed25519")
    // A restore may write to all of the directory that has the data directory.
    let data = ["--datadir", machine.path("store/data")]
    let names = ["read", "create", "connect", "execute"].map { "sandbox-\($0)" }
    func results(_ options: [String]) throws -> (status: Int32, [String: JSONValue?]) {
      let run = try machine.run(["doctor", trial, "--target", machine.target, "--json"] + data + options)
      let checks = try run.json()["checks"]?.elements ?? []
      return (
        run.status, Dictionary(uniqueKeysWithValues: checks.map { ($0["name"]?.text ?? "", $0["result"]) })
      )
    }
    let inside = try results([])
    #expect(inside.status == 0)
    for name in names + ["sandbox"] { #expect(inside.1[name] == .string("ok"), "\(name)") }
    let outside = try results(["--no-sandbox"])
    #expect(outside.status == 60)
    for name in names { #expect(outside.1[name] == .string("failed"), "\(name)") }
    #expect(try machine.names(in: "home") == [".ssh"])
    // An archive in the home folder opens nothing else there.
    try machine.copy(machine.archives()[0], to: "home/one.fueki")
    for target in [machine.path("home"), machine.root, "/"] {
      let run = try machine.run(["doctor", trial, "--target", target, "--json"] + data)
      #expect(run.status == 0, "\(target): \(run.text)")
    }
  }

  @Test func `a run without its sandbox warns and gives the reason, in its document too`() throws {
    let machine = try Machine()
    let remote = try machine.run(["list", "rclone:nowhere:at/all", "--json"])
    #expect(remote.errors.contains("no sandbox: rclone"), "\(remote.errors)")
    // A remote that is configured and not needed is no reason.
    let path = try machine.archives()[0]
    let named = try machine.run(["show", path, "--target", "rclone:nowhere:at/all", "-v"], status: 0)
    #expect(named.errors.contains("in a sandbox"), "\(named.errors)")
    let quiet = try machine.run(["list", "rclone:nowhere:at/all", "--json", "--quiet"])
    #expect(!quiet.errors.contains("no sandbox"), "\(quiet.errors)")
    #expect(try remote.json()["sandbox"]?["reason"] == .string("remote"))
    let asked = try machine.run(["verify", machine.target, "--no-sandbox", "--json"])
    #expect(try asked.errors.isEmpty && asked.json()["sandbox"]?["reason"] == .string("option"))
    let inside = try machine.run(["verify", machine.target, "--json"])
    #expect(try inside.errors.isEmpty && inside.json()["sandbox"]?["on"] == .bool(true))
    #expect(try inside.json()["sandbox"]?["landlock"]?.number ?? 0 > 0)
    #expect(try inside.json()["sandbox"]?["seccomp"] == .bool(true))
    let search = try machine.run(["discover", "--json"])
    #expect(try search.json()["sandbox"]?["reason"] == .string("command"))
  }

  @Test(.enabled(if: InstalledProgram.path("par2") != nil, "this machine has no par2"))
  func `the program that mend starts is in the sandbox`() throws {
    let machine = try Machine()
    try #require(machine.create(["--parity", "10%"]).status == 0)
    let archive = try #require(try machine.archives().last)
    var bytes = try machine.read(archive)
    bytes[20_000] ^= 1
    try machine.write(bytes, to: archive)
    // It stands for a par2 that recovery files have taken over.
    try machine.write("SECRET", to: "home/.ssh/id_ed25519")
    let stolen = machine.path("target/stolen")
    try machine.write(
      "#!/bin/sh\ncat \(machine.path("home/.ssh/id_ed25519")) > \(stolen)\nexit 1\n", to: "bin/par2",
      permissions: 0o755)
    let path = ["PATH": "\(machine.path("bin")):/usr/bin:/bin"]
    #expect(
      try machine.run(["repair", machine.path(archive), "--no-sandbox"], environment: path).status != 0)
    try #require(try machine.read("target/stolen") == Array("SECRET".utf8))
    try machine.remove("target/stolen")
    let run = try machine.run(["repair", machine.path(archive), "-v"], environment: path)
    #expect(run.status != 0 && run.errors.contains("in a sandbox"), "\(run.errors)")
    #expect(try !machine.exists("target/stolen") || machine.read("target/stolen").isEmpty)
    let real = try machine.run(["repair", machine.path(archive), "-v"])
    #expect(real.status == 0 && real.errors.contains("in a sandbox"), "\(real.errors)")
    guard Strace.isPermitted else { return }
    try machine.write(bytes, to: archive)
    try machine.run(
      ["repair", machine.path(archive)],
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace")], status: 0)
    let calls = BoxedCalls(try machine.text("trace"))
    #expect(calls.names.contains("execve") && calls.unknown(startingPrograms: true) == [])
  }

  @Test func `hooks run outside the sandbox, and know what was verified in it`() throws {
    let machine = try Machine()
    let path = try machine.archives()[0]
    try machine.write(
      "env | grep FUEKI_ > \(machine.path("seen"))-$FUEKI_HOOK",
      to: "hook.sh")
    let hooks = ["before", "after", "failed", "finally"].map { "\($0) = \"sh \(machine.path("hook.sh"))\"" }
    try machine.write("[hooks]\n\(hooks.joined(separator: "\n"))\n", to: "config.toml")
    let verify = ["verify", path, "--config", machine.path("config.toml"), "--json"]
    let run = try machine.run(verify)
    #expect(run.status == 0 && run.errors.isEmpty, "\(run.errors)")
    #expect(try run.json()["sandbox"]?["on"] == .bool(true), "\(run.text)")
    func seen(_ hook: String) throws -> String {
      try machine.text("seen-\(hook)")
    }
    #expect(try seen("before").contains("FUEKI_COMMAND=verify") && !machine.exists("seen-failed"))
    for hook in ["after", "finally"] {
      let facts = try seen(hook)
      #expect(
        facts.contains("FUEKI_STATUS=0") && facts.contains("FUEKI_ARCHIVE=\(machine.path(path))"), "\(facts)")
      #expect(facts.contains("FUEKI_ARCHIVE_ID=") && facts.contains("FUEKI_SEQUENCE="), "\(facts)")
    }
    var bytes = try machine.read(path)
    bytes[20_000] ^= 1
    try machine.write(bytes, to: path)
    let damaged = try machine.run(verify, status: 20)
    #expect(try damaged.json()["sandbox"]?["on"] == .bool(true), "\(damaged.text)")
    #expect(try seen("failed").contains("FUEKI_STATUS=20"))
    #expect(try seen("failed").contains("FUEKI_ERROR_ID=damaged"))
    // If the hook "before" fails, nothing is read.
    try machine.write("exit 3", to: "hook.sh")
    let unprepared = try machine.run(verify)
    #expect(unprepared.status == 1 && unprepared.text.contains("\\\"before\\\""), "\(unprepared.errors)")
  }
}

/// A run's threads, as `strace -f` shows them.
struct ThreadTrace {
  private(set) var restrictions = 0
  private(set) var threadsAtRestriction: Set<String> = []
  private(set) var threadsEver = 0
  private(set) var programs: [String] = []
  private(set) var programsAfter: [String] = []

  init(_ text: String) {
    var alive: Set<String> = []
    var main: Substring?
    // Whether each thread is currently starting another.
    var making: [Substring: Bool] = [:]
    for line in text.split(separator: "\n") {
      let id = line.prefix { $0 != " " }
      let call = line.drop { $0 != " " }.drop { $0 == " " }
      let isFirst = main == nil
      main = main ?? id
      if call.hasPrefix("clone") { making[id] = call.contains("CLONE_THREAD") }
      if call.hasPrefix("clone") || call.hasPrefix("<... clone"), id == main, making[id] == true,
        let made = call.split(separator: "=").last.map({ $0.drop { $0 == " " } }), made.allSatisfy(\.isNumber)
      {
        alive.insert(String(made))
        threadsEver += 1
      }
      if call.hasPrefix("exit(") { alive.remove(String(id)) }
      if call.hasPrefix("landlock_restrict_self(") {
        restrictions += 1
        threadsAtRestriction = alive
      }
      if call.hasPrefix("execve("), !isFirst, let program = call.split(separator: "\"").dropFirst().first {
        programs.append(String(program))
        if restrictions > 0 { programsAfter.append(String(program)) }
      }
    }
  }
}
