import FuekiSystem
import TestSupport
import Testing

/// The system calls that a run's sandboxed process and what it starts make, as `strace -f` shows them.
struct BoxedCalls {
  private(set) var names: Set<String> = []

  init(_ text: String) {
    var boxed: Set<Substring> = []
    for line in text.split(separator: "\n") {
      let id = line.prefix { $0 != " " }
      let call = line.drop { $0 != " " }.drop { $0 == " " }
      if call.hasPrefix("landlock_restrict_self("), boxed.isEmpty {
        boxed.insert(id)
        continue
      }
      guard boxed.contains(id) else { continue }
      let name = call.prefix { $0 != "(" }
      if name.allSatisfy({ $0.isLetter || $0.isNumber || $0 == "_" }) { names.insert(String(name)) }
      guard
        ["clone", "fork", "vfork"].contains(where: { call.hasPrefix($0) || call.hasPrefix("<... \($0)") }),
        let made = call.split(separator: " ").last, made.allSatisfy(\.isNumber)
      else { continue }
      boxed.insert(made)
    }
  }

  /// Those that the table has not; the C library does without the two others.
  func unknown(startingPrograms: Bool) -> [String] {
    let known =
      Sandbox.calls(startingPrograms: false) + (startingPrograms ? Sandbox.calls(startingPrograms: true) : [])
    return names.subtracting(known + ["clone3", "socket"]).sorted()
  }
}

/// The table of the system calls of commands in their sandbox, and a kernel that can only filter them.
@Suite(.enabled(if: Sandbox.version != nil, "this machine's kernel has no Landlock"))
struct BoxedCallTests {
  @Test func `the threat model lists the calls that the filter lets through, and no other`() throws {
    let page = String(
      decoding: try TestVectors.file("../Sources/FuekiBackup/FuekiBackup.docc/ThreatModel.md"), as: UTF8.self)
    let table = try #require(page.split(separator: "| why | calls |").last)
    let rows = table.split(separator: "\n").prefix { $0.hasPrefix("|") }
    let listed = Set(rows.flatMap { row in row.matches(of: /`([a-z_0-9]+)`/).map { String($0.1) } })
    let known = Set([false, true].flatMap { Sandbox.calls(startingPrograms: $0) })
    #expect(known.count > 100 && known.subtracting(listed) == [])
    #if arch(x86_64)
      #expect(listed.subtracting(known) == [])
    #endif
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `without Landlock a run has its filter, and warns`() throws {
    let machine = try Machine()
    let lacking = [
      Strace.program, "-f", "-qq", "-o", "/dev/null", "-e", "trace=landlock_create_ruleset",
      "-e", "inject=landlock_create_ruleset:error=EOPNOTSUPP",
    ]
    let restore = ["restore", "latest", "--target", machine.target, "--no-resync"]
    for arguments in [
      ["verify", machine.target, "--json"],
      restore + ["--datadir", machine.path("new"), "--json"] + machine.secrets,
    ] {
      let run = try machine.run(arguments, through: lacking, status: 0)
      #expect(run.errors.contains("half a sandbox: the kernel has no Landlock"), "\(run.errors)")
      let sandbox = try run.json()["sandbox"]
      #expect(sandbox?["on"] == .bool(false) && sandbox?["seccomp"] == .bool(true), "\(run.text)")
      #expect(sandbox?["reason"] == .string("kernel"), "\(run.text)")
    }
  }
}
