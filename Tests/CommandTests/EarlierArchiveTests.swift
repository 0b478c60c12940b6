import FuekiSystem
import TestSupport
import Testing

/// Things that a restored archive lacks, and that an earlier one has.
struct EarlierArchiveTests {
  /// Two archives: the second lacks a file.
  private static func machine() throws -> (machine: Machine, other: [String: String]) {
    let machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/wallets"))
    try Directory.makePrivateDirectories(machine.path("new-home"))
    for name in ["one", "two"] { try machine.write("canary \(name), whole", to: "home/wallets/\(name)") }
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    for names in [["one", "two"], ["one"]] {
      let from = names.flatMap { ["--from", "file:\(machine.path("home/wallets/\($0)"))"] }
      let run = try machine.run(
        ["create", "--target", machine.target] + from + machine.archiveSecret + Machine.quick)
      #expect(run.status == (names.count == 2 ? 0 : 3), "\(run.text) \(run.errors)")
      try machine.write("canary one, changed since", to: "home/wallets/one")
    }
    return (
      machine,
      [
        "HOME": machine.path("new-home"), "FUEKI_STATE": machine.path("new-state"),
        "FUEKI_DATADIR": machine.path("new-data"),
      ]
    )
  }

  @Test func `the commands that a restore prints bring what it lacks, as they are printed`() throws {
    let (machine, other) = try Self.machine()
    let run = try machine.run(
      ["restore", "latest", "--no-resync", "--target", machine.target, "--files", "home"] + machine.secrets,
      environment: other)
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    #expect(run.errors.contains(") has file ~/wallets/two, which this archive lacks"), "\(run.errors)")
    let lines = run.text.split(separator: "\n").filter { $0.hasPrefix("  fueki-backup ") }
    #expect(lines.count == 2, "\(run.text)")
    for line in lines {
      let binary = try PreparedMachine.binary()
      let script = "fueki-backup() { '\(binary)' \"$@\"; }; \(line)"
      let result = try BuiltBinary.run(
        program: "/bin/bash", ["-c", script],
        environment: other.merging(["TMPDIR": machine.path("tmp")]) { own, _ in own }, cwd: machine.root)
      #expect(result.status == 0, "\(line): \(result.text) \(result.errors)")
    }
    #expect(try machine.read("new-home/wallets/two") == Array("canary two, whole".utf8))
    #expect(try machine.read("new-home/wallets/one") == Array("canary one, changed since".utf8))
    // The next archive of the new machine has it again.
    let next = try machine.run(["create", "--target", machine.target] + machine.secrets, environment: other)
    #expect(next.status == 0, "\(next.text) \(next.errors)")
  }

  @Test(.enabled(if: Typist.isPossible))
  func `on a terminal a yes brings it, and a no prints the commands`() throws {
    let (machine, other) = try Self.machine()
    let arguments =
      ["restore", "latest", "--no-resync", "--target", machine.target, "--files", "home"] + machine.secrets
    let question = "bring file ~/wallets/two from number 1, yes or no [yes]:"
    let declined = try machine.type([(question, "no")], arguments, environment: other)
    #expect(declined.status == 0 && declined.text.contains("put-back "), "\(declined.text)")
    #expect(!machine.exists("new-home/wallets/two"))
    try machine.remove("new-data")
    let run = try machine.type([(question, "")], arguments, environment: other)
    #expect(run.status == 0, "\(run.text)")
    #expect(try machine.read("new-home/wallets/two") == Array("canary two, whole".utf8))
    #expect(try machine.read("new-home/wallets/one") == Array("canary one, changed since".utf8))
  }

  @Test func `one file is put back by its place, and no other`() throws {
    let (machine, other) = try Self.machine()
    let first = try #require(machine.archives().first)
    let put = ["put-back", machine.path(first), "--target", machine.target, "--trusted-signer", "any"]
    let files = ["--files", machine.path("new-home")] + machine.archiveSecret
    let none = try machine.run(put + files + ["--path", "~/wallets/three"], environment: other)
    #expect(none.status == 10 && none.errors.contains("~/wallets/three"), "\(none.errors)")
    let run = try machine.run(put + files + ["--path", "~/wallets/two"], environment: other)
    #expect(run.status == 0, "\(run.text) \(run.errors)")
    #expect(try machine.names(in: "new-home/wallets") == ["two"])
  }

  @Test func `restore leaves out what --exclude names`() throws {
    let machine = try Machine()
    let run = try machine.restore(to: "restored", ["--exclude", "history", "--no-resync", "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let restored = try run.json()["restored"]
    #expect(restored?["wallets"] != nil && restored?["transactions"] == nil, "\(run.text)")
  }
}
