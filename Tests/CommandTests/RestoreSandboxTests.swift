import FuekiSystem
import Glibc
import TestSupport
import Testing

/// The sandbox in which `restore` and `put-back` read archives.
@Suite(.enabled(if: Sandbox.version != nil, "this kernel has no Landlock"))
struct RestoreSandboxTests {
  @Test func `a restore that fails leaves none of the directories that it made before its sandbox`() throws {
    let machine = try Machine()
    try machine.write("another passphrase of some length", to: "wrong")
    let run = try machine.run(
      ["restore", "latest", "-v", "--target", machine.target, "-p", machine.path("wrong")]
        + ["--datadir", machine.path("one/two/data"), "--files", machine.path("three/four"), "--yes"]
        + machine.keychainSecret)
    #expect(run.status == 12 && run.errors.contains("in a sandbox"), "\(run.errors)")
    #expect(!machine.exists("one") && !machine.exists("three"))
  }

  @Test func `a preview in the sandbox makes no state`() throws {
    let machine = try Machine()
    let elsewhere = ["FUEKI_STATE": machine.path("elsewhere/state")]
    let target = ["latest", "-v", "--dry-run", "--target", machine.target]
    let restore = ["restore"] + target + ["--datadir", machine.path("new")] + machine.secrets
    let place = ["put-back"] + target + ["--files", machine.path("files")] + machine.archiveSecret
    for arguments in [restore, place] {
      let run = try machine.run(arguments, environment: elsewhere)
      #expect(run.status == 0 && run.errors.contains("in a sandbox"), "\(run.text) \(run.errors)")
      #expect(!machine.exists("elsewhere") && !machine.exists("new") && !machine.exists("files"))
    }
  }

  @Test func `both say in their documents that they have a sandbox, or that the user wanted none`() throws {
    let machine = try Machine()
    let restore =
      ["restore", "latest", "--target", machine.target, "--no-resync", "--json"] + machine.secrets
    let place = ["put-back", "latest", "--target", machine.target, "--json"] + machine.archiveSecret
    let cases = [
      restore + ["--datadir", machine.path("new"), "--dry-run"],
      restore + ["--datadir", machine.path("new")],
      place + ["--files", machine.path("files")], place + ["--files", "none"],
    ]
    for arguments in cases {
      let run = try machine.run(arguments)
      #expect(try run.json()["sandbox"]?["on"] == .bool(true), "\(arguments) \(run.errors) \(run.text)")
    }
    let open = try machine.run(restore + ["--datadir", machine.path("other"), "--no-sandbox"])
    #expect(try open.json()["sandbox"]?["reason"] == .string("option"), "\(open.text)")
  }

  @Test func `a program that works in a folder is seen from the sandbox`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.electrum, to: "home/.electrum/wallets/savings")
    let source = "electrum:\(machine.path("home/.electrum/wallets/savings"))"
    try machine.create(["--from", source, "--accept=synced-keys"], status: 0)
    try machine.remove("home/.electrum/wallets/savings")
    try machine.write("text", to: "home/.electrum/open")
    let held = try File.open(machine.path("home/.electrum/open"))
    let put = ["put-back", "latest", "-v", "--target", machine.target] + machine.archiveSecret
    let run = try machine.run(put)
    withExtendedLifetime(held.descriptor) {}
    #expect(run.status == 11 && run.errors.contains("in a sandbox"), "\(run.text) \(run.errors)")
    #expect(run.text.contains("\(getpid())") || run.errors.contains("\(getpid())"), "\(run.text)")
    #expect(!machine.exists("home/.electrum/wallets/savings"))
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `in the sandbox of a restore nothing is executed and no socket is made`() throws {
    let machine = try Machine()
    let calls = "trace=execve,socket,landlock_restrict_self,prctl,fork,vfork,clone"
    try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target, "--datadir", machine.path("new")]
        + machine.secrets,
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace"), "-e", calls], status: 0)
    let lines = try machine.text("trace").split(separator: "\n")
    let own = lines.first?.prefix { $0 != " " } ?? ""
    let mine = lines.filter { $0.prefix { $0 != " " } == own }
    let entered = try #require(mine.firstIndex { $0.contains("landlock_restrict_self") })
    #expect(mine[entered...].contains { $0.contains("SECCOMP_MODE_FILTER") || $0.contains("PR_SET_SECCOMP") })
    // The system's lookup of a user asks for a socket, and gets none.
    let granted = mine[entered...].filter { !$0.contains(" = -1 E") }
    #expect(!granted.contains { $0.contains("execve(") || $0.contains("socket(") }, "\(granted)")
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `a drill opens its archive in the sandbox, after the commands that print passwords`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(ImportedFiles.keystore, to: "keys/UTC--one")
    try machine.write("echo asked >> \(machine.path("asked"))\necho secret\n", to: "password.sh")
    let settings = try machine.configure(
      onlySource: "keystore", at: machine.path("keys"),
      passwordCommand: "sh \(machine.path("password.sh"))")
    try machine.run(["create"] + settings + machine.archiveSecret + Machine.quick, status: 0)
    try machine.remove("asked")
    let calls = "trace=execve,socket,landlock_restrict_self"
    let run = try machine.run(
      ["drill", "--json"] + settings + machine.archiveSecret,
      through: [Strace.program, "-f", "-qq", "-o", machine.path("trace"), "-e", calls], status: 0)
    #expect(try run.json()["sandbox"]?["on"] == .bool(true), "\(run.text)")
    #expect(machine.exists("asked"))
    let lines = try machine.text("trace").split(separator: "\n")
    let own = lines.first?.prefix { $0 != " " } ?? ""
    let mine = lines.filter { $0.prefix { $0 != " " } == own }
    let entered = try #require(mine.firstIndex { $0.contains("landlock_restrict_self") })
    let granted = mine[entered...].filter { !$0.contains(" = -1 E") }
    #expect(!granted.contains { $0.contains("execve(") || $0.contains("socket(") }, "\(granted)")
    // The folders for the practice restore are gone.
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix(".fueki-drill-") })
  }
}
