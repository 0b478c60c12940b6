import FuekiSystem
import TestSupport
import Testing

/// Things that a restored archive lacks, and that an earlier one has.
struct EarlierArchiveTests {
  private static func files(_ machine: Machine, _ names: [String]) -> [String] {
    names.flatMap { ["--from", "file:\(machine.path("home/wallets/\($0).dat"))"] }
  }

  private static func create(
    _ machine: Machine, _ from: [String], _ more: [String] = [], status: Int32 = 0
  ) throws {
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys"] + from + machine.archiveSecret
        + Machine.quick + more, status: status)
  }

  /// Makes two archives: the second lacks one file, and has a newer version of another.
  private static func machine() throws -> (machine: Machine, other: [String: String]) {
    let machine = try Machine(isPrepared: false)
    for name in ["one", "two", "three"] {
      try machine.write("canary \(name), whole", to: "home/wallets/\(name).dat")
    }
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    // The loss of the third is accepted.
    try create(machine, files(machine, ["one", "two", "three"]))
    try machine.write("canary one, changed since", to: "home/wallets/one.dat")
    try create(machine, files(machine, ["one"]), ["--accept=loss=~/wallets/three.dat"], status: 3)
    return (machine, try machine.places(of: "new"))
  }

  private static func restore(_ machine: Machine) -> [String] {
    ["restore", "latest", "--no-resync", "--target", machine.target, "--files", "home"] + machine.secrets
  }

  /// Runs a command as a person would who copies its line.
  private static func run(
    _ line: some StringProtocol, _ machine: Machine, _ other: [String: String]
  ) throws -> RunResult {
    let script = "fueki-backup() { '\(try PreparedMachine.binary())' \"$@\"; }; \(line)"
    return try BuiltBinary.run(
      program: "/bin/bash", ["-c", script],
      environment: other.merging(["TMPDIR": machine.path("tmp")]) { own, _ in own }, cwd: machine.root)
  }

  private static func commands(_ run: RunResult) -> [Substring] {
    run.text.split(separator: "\n").filter { $0.hasPrefix("  fueki-backup restore ") }
  }

  @Test func `the command that a restore prints brings what it lacks, and nothing else`() throws {
    let (machine, other) = try Self.machine()
    let run = try machine.run(Self.restore(machine), environment: other, status: 0)
    #expect(run.errors.contains(") has file ~/wallets/two.dat, which this archive lacks"), "\(run.errors)")
    #expect(!machine.exists("new-home/wallets/two.dat"))
    let lines = Self.commands(run)
    #expect(lines.count == 1, "\(run.text)")
    try machine.write("canary one, of the new machine", to: "new-home/wallets/one.dat")
    for line in lines {
      let result = try Self.run(line, machine, other)
      #expect(result.status == 0, "\(line): \(result.text) \(result.errors)")
    }
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
    #expect(try machine.read("new-home/wallets/one.dat") == Array("canary one, of the new machine".utf8))
    #expect(try machine.names(in: "new-home/wallets") == ["one.dat", "two.dat"])
    // The next archive of the new machine has it again, and says that no source takes the file that was changed here.
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys"] + machine.secrets, environment: other,
      status: 3)
  }

  @Test func `a wallet and its keys come back from an earlier archive, and the later one's stay`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try machine.write(ImportedFiles.electrum, to: "home/wallets/savings")
    try machine.write("canary one, whole", to: "home/wallets/one.dat")
    let from =
      ["--from", "electrum:\(machine.path("home/wallets/savings"))", "--include-private-keys"]
      + Self.files(machine, ["one"])
    try Self.create(machine, from)
    // A wallet of other keys in the same place.
    try machine.write(
      """
      {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "keystore": {"type": "bip32",
      "xpub": "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"}}
      """, to: "home/wallets/savings")
    try Self.create(machine, from, status: 3)
    let other = try machine.places(of: "new")
    let run = try machine.run(Self.restore(machine), environment: other, status: 0)
    let line = try #require(Self.commands(run).first, "\(run.text)")
    #expect(line.contains("--item wallets:") && line.contains("--item private-keys:"), "\(line)")
    let result = try Self.run(line, machine, other)
    #expect(result.status == 0, "\(line): \(result.text) \(result.errors)")
    let next = try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys", "--json"] + machine.secrets,
      environment: other, status: 0)
    #expect(try next.json()["sections"]?["wallets"] == .number(2), "\(next.text)")
  }

  @Test func `the document lists the archive, the thing and the command`() throws {
    let (machine, other) = try Self.machine()
    let run = try machine.run(Self.restore(machine) + ["--json"], environment: other, status: 0)
    let earlier = try run.json()["earlier"]
    #expect(earlier?.elements.count == 1 && earlier?[0]?["sequence"] == .number(1), "\(run.text)")
    #expect(earlier?[0]?["things"]?.elements.count == 1, "\(run.text)")
    #expect(earlier?[0]?["things"]?[0]?["name"] == .string("~/wallets/two.dat"), "\(run.text)")
    let words = (earlier?[0]?["command"]?.elements ?? []).compactMap(\.text)
    #expect(words.first == "fueki-backup" && words.contains("--item"), "\(words)")
    let result = try machine.run(Array(words.dropFirst()), environment: other)
    #expect(result.status == 0, "\(words): \(result.errors)")
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
  }

  @Test func `--yes brings it, and a file whose place is taken goes next to it`() throws {
    let (machine, other) = try Self.machine()
    try machine.write("another file of that name", to: "new-home/wallets/two.dat")
    let run = try machine.run(Self.restore(machine) + ["--yes"], environment: other, status: 0)
    #expect(try machine.read("new-home/wallets/two.dat") == Array("another file of that name".utf8))
    let beside = try machine.names(in: "new-home/wallets").first { $0.hasPrefix("two.dat.restored-") }
    let name = try #require(beside)
    #expect(try machine.read("new-home/wallets/\(name)") == Array("canary two, whole".utf8))
    #expect(Self.commands(run).isEmpty)
  }

  @Test(.enabled(if: Typist.isPossible))
  func `on a terminal a yes brings it, and a no prints the command`() throws {
    let (machine, other) = try Self.machine()
    let question = "bring file ~/wallets/two.dat from number 1, yes or no [yes]:"
    let declined = try machine.type([(question, "no")], Self.restore(machine), environment: other)
    #expect(declined.status == 0 && declined.text.contains("--item "), "\(declined.text)")
    #expect(!machine.exists("new-home/wallets/two.dat"))
    try machine.remove("new-data")
    try machine.type([(question, "")], Self.restore(machine), environment: other, status: 0)
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
    #expect(try machine.read("new-home/wallets/one.dat") == Array("canary one, changed since".utf8))
  }

  @Test func `an archive that is not there any more is named with the folders, and the status is 3`() throws {
    let (machine, other) = try Self.machine()
    let first = try #require(machine.archives().first)
    try Directory.makePrivateDirectories(machine.path("drawer"))
    try machine.copy(first, to: "drawer/kept.fueki")
    try machine.remove(first)
    let run = try machine.run(Self.restore(machine), environment: other, status: 3)
    #expect(run.text.contains("NOT HERE: number 1 (") && run.text.contains(machine.target), "\(run.text)")
    // The advice holds: the folder that has it is enough, whatever its name is.
    try machine.run(
      Self.restore(machine) + ["--target", machine.path("drawer"), "--yes"], environment: other, status: 0)
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
  }

  @Test func `a damaged copy is passed over for a whole one, and without one the status is 3`() throws {
    let (machine, other) = try Self.machine()
    let first = try #require(machine.archives().first)
    let whole = try machine.damage(first)
    let alone = try machine.run(Self.restore(machine) + ["--yes"], environment: other)
    #expect(
      alone.status == 3 && alone.errors.contains("nothing was brought"), "\(alone.text) \(alone.errors)")
    #expect(Self.commands(alone).first?.contains("--salvage") == true, "\(alone.text)")
    #expect(!machine.exists("new-home/wallets/two.dat"))
    try machine.remove("new-data")
    try machine.write(whole, to: "second/copy.fueki")
    try machine.run(
      Self.restore(machine) + ["--target", machine.path("second"), "--yes"], environment: other, status: 0)
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
  }

  @Test(.enabled(if: Typist.isPossible))
  func `the passphrase of an archive under another one is asked for, and its command names no file`() throws {
    let machine = try Machine(isPrepared: false)
    for name in ["one", "two"] { try machine.write("canary \(name), whole", to: "home/wallets/\(name).dat") }
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try Self.create(machine, Self.files(machine, ["one", "two"]))
    try machine.write("quite another passphrase of 41 characters", to: "passphrase")
    try Self.create(machine, Self.files(machine, ["one"]), ["--accept=new-passphrase"], status: 3)
    let other = try machine.places(of: "new")
    let run = try machine.run(Self.restore(machine), environment: other, status: 0)
    let line = try #require(Self.commands(run).first)
    #expect(!line.contains(" --passphrase-from"), "\(line)")
    try machine.run(Self.restore(machine) + ["--yes"], environment: other, status: 3)
    try machine.type(
      [("passphrase (", Machine.passphrase)], Self.restore(machine) + ["--yes"], environment: other, status: 0
    )
    #expect(try machine.read("new-home/wallets/two.dat") == Array("canary two, whole".utf8))
  }

  @Test func `--item takes only what restore prints, and names what the archive lacks`() throws {
    let (machine, other) = try Self.machine()
    let restore = ["restore", "latest", "--no-resync", "--target", machine.target] + machine.secrets
    let wrong = try machine.run(restore + ["--item", "my seed words"], environment: other)
    #expect(wrong.status == 64 && !wrong.errors.contains("my seed words"), "\(wrong.errors)")
    let id = String(repeating: "0", count: 32)
    let none = try machine.run(restore + ["--item", "files:\(id)"], environment: other)
    #expect(none.status == 10 && none.errors.contains("files:\(id)"), "\(none.errors)")
    #expect(!machine.exists("new-data"))
  }

  @Test func `one file is put back by its place, and no other`() throws {
    let (machine, other) = try Self.machine()
    let first = try #require(machine.archives().first)
    let put = ["put-back", machine.path(first), "--target", machine.target, "--trusted-signer", "any"]
    let files = ["--files", machine.path("new-home")] + machine.archiveSecret
    let none = try machine.run(put + files + ["--path", "~/wallets/none"], environment: other)
    #expect(none.status == 10 && none.errors.contains("~/wallets/none"), "\(none.errors)")
    try machine.run(put + files + ["--path", "~/wallets/two.dat"], environment: other, status: 0)
    #expect(try machine.names(in: "new-home/wallets") == ["two.dat"])
  }

  @Test func `restore leaves out what --exclude names`() throws {
    let machine = try Machine()
    let run = try machine.restore(
      to: "restored", ["--exclude", "history", "--no-resync", "--json"], status: 0)
    let restored = try run.json()["restored"]
    #expect(restored?["wallets"] != nil && restored?["transactions"] == nil, "\(run.text)")
  }
}
