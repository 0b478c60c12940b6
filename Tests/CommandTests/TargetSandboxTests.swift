import FuekiSystem
import TestSupport
import Testing

/// The sandbox of the commands that report on targets, change the archives in them, or make the recovery kit.
@Suite(.enabled(if: Sandbox.version != nil, "this kernel has no Landlock"))
struct TargetSandboxTests {
  private static let commands = [
    "status", "doctor", "prune", "prune --dry-run", "copy", "key add", "key remove", "key change-passphrase",
    "key trust", "key retire", "kit print", "kit test", "kit bundle",
  ]

  /// A machine with two archives, a configuration, a signer, a new passphrase, and a program to bundle.
  ///
  /// The vault has no id in the configuration: its store is asked for it, and SQLite's connections begin threads.
  private func machine() throws -> Machine {
    let machine = try Machine()
    try #require(machine.create().status == 0)
    try Directory.makePrivateDirectories(machine.path("other"))
    try machine.write(
      """
      [[target]]
      path = "\(machine.target)"
      kind = "local"
      [[vault]]
      datadir = "\(machine.data)"
      passphrase_file = "\(machine.path("config/passphrase"))"
      """, to: "config/config.toml")
    try machine.write(Machine.passphrase, to: "config/passphrase")
    try machine.write("canary Zq8 of the archive, 41 bytes long", to: "new")
    try machine.write("#!/bin/sh\necho fueki-restore 0.1.0\n", to: "program", permissions: 0o755)
    let signer = ["key", "new-signer", "--no-passphrase", "--output", machine.path("signing.key")]
    try #require(machine.run(signer).status == 0)
    return machine
  }

  private func arguments(_ command: String, _ machine: Machine) -> [String] {
    let words = command.split(separator: " ").map(String.init)
    let new = ["latest", "--new-passphrase-from", "file:\(machine.path("new"))"] + Machine.quick
    let more: [String] =
      switch command {
      case "status": ["--html", "page.html", "--prometheus", "metrics.prom"]
      case "doctor": machine.keychainSecret
      case "prune", "prune --dry-run": ["--keep-last", "1"]
      case "copy": ["--target", machine.target, "--target", machine.path("other"), "--all"]
      case "key add": new + machine.archiveSecret
      case "key remove": ["latest", "--slot", "1"] + machine.archiveSecret
      case "key change-passphrase": new + ["--update-passphrase-file"] + machine.archiveSecret
      case "key trust", "key retire": [machine.path("signing.pub")]
      case "kit print": ["--output", "kit.txt", "--include-passphrase"] + machine.archiveSecret
      case "kit test":
        ["--vault-digits", "0", "--signer-digits", "0", "--archive-number", "1", "--archive-digits", "0"]
          + machine.archiveSecret
      case "kit bundle": [machine.target, "--program", machine.path("program")]
      default: []
      }
    return words + more + ["--config", machine.path("config/config.toml")]
  }

  private static func status(_ command: String) -> Int32? {
    switch command {
    // The status depends on the findings.
    case "status", "doctor": nil
    case "kit test": 60
    // It is the only one.
    case "key remove": 64
    default: 0
    }
  }

  /// The names of all files, those of archives without what is of a moment, and the permissions of none.
  private func files(_ machine: Machine) throws -> [String] {
    var names: [String] = []
    for folder in [".", "target", "other", "config", "state"] {
      names += try machine.names(in: folder).map { name in
        "\(folder)/" + (name.hasSuffix(".fueki") ? "archive" : name)
      }
    }
    return names.sorted()
  }

  @Test(arguments: commands)
  func `a command in its sandbox does what it does without`(_ command: String) throws {
    let (one, two) = (try machine(), try machine())
    let inside = try one.run(arguments(command, one) + ["--json"])
    let outside = try two.run(arguments(command, two) + ["--json", "--no-sandbox"])
    #expect(inside.status == outside.status, "\(inside.text) \(inside.errors) \(outside.text)")
    let status = Self.status(command) ?? inside.status
    #expect(inside.status == status, "\(inside.text) \(inside.errors)")
    #expect(try inside.json()["sandbox"]?["on"] == .bool(true), "\(inside.text)")
    #expect(try outside.json()["sandbox"]?["reason"] == .string("option"), "\(outside.text)")
    #expect(try files(one) == files(two))
    for text in [inside.text, inside.errors] { #expect(!text.contains("ermission"), "\(text)") }
    switch command {
    case "prune": #expect(try one.archives().count == 1)
    case "prune --dry-run", "key remove": #expect(try one.archives().count == 2)
    case "copy": #expect(try one.names(in: "other").filter { $0.hasSuffix(".fueki") }.count == 2)
    case "key add": #expect(try one.archives().count == 3)
    case "key change-passphrase": #expect(try one.read("config/passphrase") == one.read("new"))
    case "status": #expect(one.exists("page.html") && one.exists("metrics.prom"))
    case "kit bundle": #expect(one.exists("target/fueki-restore-0.1.0"))
    case "kit print": #expect(one.exists("kit.txt"))
    case "doctor":
      let checks = try [inside, outside].map { run in
        try (run.json()["checks"]?.elements ?? []).map { check in
          "\(check["name"]?.text ?? "") \(check["result"]?.text ?? "")"
            .replacing(one.root, with: "").replacing(two.root, with: "")
        }
      }
      #expect(checks[0] == checks[1] && checks[0].count > 15)
    default: break
    }
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)), arguments: commands)
  func
    `a command has no thread when it enters its sandbox, starts and reaches nothing in it, and its calls are known`(
      _ command: String
    ) throws
  {
    let machine = try machine()
    let run = try machine.run(
      arguments(command, machine),
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace")])
    if let status = Self.status(command) { #expect(run.status == status, "\(run.errors)") }
    let text = try machine.text("trace")
    #expect(BoxedCalls(text).unknown(startingPrograms: false) == [])
    let trace = ThreadTrace(text)
    #expect(trace.restrictions == 1)
    #expect(trace.threadsAtRestriction == [])
    #expect(trace.programsAfter == [])
    let after = text.split(separator: "\n").drop { !$0.contains("landlock_restrict_self") }
    #expect(!after.contains { $0.contains("socket(") && !$0.contains(" = -1 E") }, "\(after)")
  }

  @Test func `hooks run around a prune in its sandbox, and know the vault`() throws {
    let machine = try machine()
    try machine.write("env | grep FUEKI_ > \(machine.path("seen"))-$FUEKI_HOOK", to: "hook.sh")
    let hooks = ["before", "after"].map { "\($0) = \"sh \(machine.path("hook.sh"))\"" }
    let settings = try machine.text("config/config.toml")
    try machine.write(
      "\(settings)\n[hooks]\n\(hooks.joined(separator: "\n"))\n", to: "config/config.toml")
    let run = try machine.run(arguments("prune", machine) + ["--json"], status: 0)
    #expect(try run.json()["sandbox"]?["on"] == .bool(true), "\(run.text)")
    #expect(machine.exists("seen-before"))
    let facts = try machine.text("seen-after")
    #expect(facts.contains("FUEKI_VAULT=") && facts.contains("FUEKI_TARGETS=\(machine.target)"), "\(facts)")
    #expect(try machine.archives().count == 1)
  }

  @Test func `a signer that is accepted in the sandbox is listed at once`() throws {
    let machine = try machine()
    let run = try machine.run(arguments("key trust", machine) + ["-v"])
    let key = try machine.text("signing.pub")
    #expect(run.errors.contains("in a sandbox") && run.status == 0, "\(run.errors)")
    let listed = run.text.split(separator: "\n").compactMap { line in
      line.hasPrefix("signer ") ? line.dropFirst(7) : nil
    }
    #expect(listed.contains { key.contains($0) }, "\(run.text) \(key)")
  }
}
