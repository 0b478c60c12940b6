import FuekiSystem
import TestSupport
import Testing

/// A change of the passphrase, and the file from which backups take it.
struct PassphraseFileTests {
  private static let new = "another passphrase, as good as the first"

  /// A machine whose configuration names a file with the passphrase, as `init` writes it.
  private func machine() throws -> Machine {
    let machine = try Machine()
    try machine.write(Self.new, to: "new")
    try machine.write(Machine.passphrase, to: "stored")
    try machine.write(
      "[[target]]\npath = \"target\"\nkind = \"local\"\n[[vault]]\npassphrase_file = \"stored\"\n",
      to: "config.toml")
    return machine
  }

  private func configured(_ machine: Machine) -> [String] { ["--config", machine.path("config.toml")] }

  private func change(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("new")]
        + configured(machine) + machine.archiveSecret + Machine.quick + more)
  }

  private func create(_ machine: Machine) throws -> RunResult {
    try machine.run(["create"] + configured(machine) + machine.keychainSecret + Machine.quick)
  }

  private func stored(_ machine: Machine) throws -> String {
    try machine.text("stored")
  }

  @Test func `an option writes the new passphrase into the file, and the next backup takes it`() throws {
    let machine = try machine()
    let run = try change(machine, ["--update-passphrase-file", "--json"]).expect(0)
    #expect(try run.json()["passphrase_file"]?.text == machine.path("stored"))
    #expect(try stored(machine) == Self.new && !machine.exists("stored.new"))
    #expect(try File.open(machine.path("stored")).status().permissions == 0o600)
    #expect(!run.errors.contains("stored (passphrase_file"), "\(run.errors)")
    try create(machine).expect(0)
    let archives = try machine.archives()
    #expect(archives.count == 3)
    let contents = ["verify", "--depth", "contents"]
    #expect(
      try machine.run(contents + [machine.path(archives[2]), "-p", machine.path("new")]).status
        == 0)
    #expect(try machine.run(contents + [machine.path(archives[0])] + machine.archiveSecret).status == 0)
  }

  @Test func `without it the command, status and doctor tell what the next backup will do`() throws {
    let machine = try machine()
    #expect(try create(machine).status == 0)
    #expect(try machine.run(["status"] + configured(machine)).status == 0)
    let run = try change(machine).expect(0)
    #expect(run.errors.contains("makes no archive and ends with 12"), "\(run.errors)")
    #expect(run.errors.contains("\(machine.path("stored")) (passphrase_file in "), "\(run.errors)")
    #expect(try stored(machine) == Machine.passphrase)

    let status = try machine.run(["status"] + configured(machine))
    let words = status.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(status.status == 60 && words.contains("does not open the newest archive"), "\(status.text)")
    #expect(words.contains("ends with 12") && words.contains("To repair it"), "\(words)")
    #expect(!status.text.contains(Machine.passphrase))
    let doctor = try machine.run(["doctor", "--json"] + configured(machine) + machine.keychainSecret)
    let check = try doctor.json()["checks"]?.elements.first {
      $0["name"]?.text == "secret \(machine.path("stored"))"
    }
    #expect(doctor.status == 60 && check?["result"] == .string("failed"), "\(doctor.text)")
    #expect(check?["remedy"]?.text?.contains("as its only line") == true)
    #expect(try create(machine).status == 12)

    // After following the advice.
    try machine.write(Self.new + "\n", to: "stored")
    #expect(try machine.run(["status"] + configured(machine)).status == 0)
    try machine.run(["doctor", "--json"] + configured(machine) + machine.keychainSecret, status: 0)
    #expect(try create(machine).status == 0)
  }

  @Test func `a file that others can read has one status`() throws {
    let machine = try machine()
    #expect(try create(machine).status == 0)
    try machine.write(try machine.read("stored"), to: "stored", permissions: 0o644)
    let status = try machine.run(["status"] + configured(machine))
    let words = status.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(status.status == 60 && words.contains("others can read"), "\(words)")
    #expect(words.contains("makes no archive and ends with 64"), "\(words)")
    #expect(try create(machine).status == 64)
  }

  @Test func `a configured file that is gone is a problem before the night`() throws {
    let machine = try machine()
    #expect(try create(machine).status == 0)
    try machine.remove("stored")
    let status = try machine.run(["status"] + configured(machine))
    #expect(status.status == 60 && status.text.contains("is not there"), "\(status.text)")
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `on a terminal it asks`() throws {
    let machine = try machine()
    let arguments =
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("new")]
      + configured(machine) + machine.archiveSecret + Machine.quick
    try machine.type([("into that file", "yes")], arguments, status: 0)
    #expect(try stored(machine) == Self.new)
    #expect(try create(machine).status == 0)
  }

  @Test func `a change that was cut off after its archive was made is finished by the next backup`() throws {
    let machine = try machine()
    #expect(try change(machine).status == 0)
    // The state after a power cut between the archive's name and the file's.
    try machine.write(Self.new, to: "stored.new")
    #expect(try machine.run(["status"] + configured(machine)).status == 0)
    let next = try create(machine)
    #expect(next.status == 0 && next.errors.contains("was cut off"), "\(next.errors)")
    #expect(try stored(machine) == Self.new && !machine.exists("stored.new"))
    // One that was cut off before leaves a successor that opens nothing, and the next change replaces it.
    try machine.write("never used by any archive at all", to: "stored.new")
    #expect(try create(machine).status == 0)
    try machine.write(Self.new, to: "passphrase")
    try machine.write("a third passphrase, as good as those two", to: "new")
    #expect(try change(machine, ["--update-passphrase-file"]).status == 0)
    #expect(try stored(machine) == "a third passphrase, as good as those two")
    #expect(!machine.exists("stored.new"))
  }

  @Test func `a change that fails leaves the file as it was`() throws {
    let machine = try machine()
    for name in try machine.names(in: "state") where name.hasPrefix("signing-") {
      try machine.remove("state/\(name)")
    }
    let run = try change(machine, ["--update-passphrase-file"])
    #expect(run.status == 64 && run.errors.contains("use --sign-key"), "\(run.errors)")
    #expect(try stored(machine) == Machine.passphrase && !machine.exists("stored.new"))
    #expect(try machine.archives().count == 1)
  }

  @Test func `there has to be a file to update`() throws {
    let machine = try machine()
    let run = try machine.run(
      ["key", "change-passphrase", "latest", "--target", machine.target, "--update-passphrase-file"]
        + ["--new-passphrase-from", machine.place("new")] + machine.archiveSecret + Machine.quick)
    #expect(run.status == 64 && run.errors.contains("passphrase_file"), "\(run.errors)")
    #expect(try machine.archives().count == 1)
  }

  @Test func `a link to the file stays a link`() throws {
    let machine = try machine()
    try machine.write(Machine.passphrase, to: "kept")
    try machine.remove("stored")
    _ = try BuiltBinary.run(program: "/bin/ln", ["-s", machine.path("kept"), machine.path("stored")])
    #expect(try change(machine, ["--update-passphrase-file"]).status == 0)
    #expect(try Directory.open(machine.root).status(of: "stored").kind == .symbolicLink)
    #expect(try machine.text("kept") == Self.new)
  }
}

/// A change of keys in all targets, and on a machine that was restored.
struct KeyTargetTests {
  private static let recipient = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"

  private func fueki(_ machine: Machine, in folder: String) throws -> [String] {
    try machine.names(in: folder).filter { $0.hasSuffix(".fueki") }.sorted()
  }

  @Test func `every configured target gets the new archive, and a missing target is listed`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    try machine.write("another passphrase, as good as the first", to: "new")
    try machine.write(
      "[[target]]\npath = \"target\"\n[[target]]\npath = \"second\"\n[[vault]]\nlabel = \"wallet\"\n",
      to: "config.toml")
    let configured = ["--config", machine.path("config.toml")]
    #expect(try machine.run(["create"] + configured + machine.secrets).status == 0)
    let changed = try machine.run(
      ["key", "change-passphrase", "latest", "--target", machine.target, "--json"]
        + ["--new-passphrase-from", machine.place("new")] + configured + machine.archiveSecret
        + Machine.quick, status: 0)
    #expect(try changed.json()["targets"]?.elements.count == 2)
    #expect(try changed.json()["failed_targets"]?.elements == [])
    let newest = try #require(fueki(machine, in: "second").last)
    #expect(try newest == fueki(machine, in: "target").last)
    let new = ["-p", machine.path("new")]
    let contents = ["verify", machine.path("second/\(newest)"), "--depth", "contents"]
    #expect(try machine.run(contents + new).status == 0)

    try BuiltBinary.run(program: "/bin/mv", [machine.path("second"), machine.path("away")]).expect(0)
    let partly = try machine.run(
      ["key", "add", "latest", "--recipient", Self.recipient] + configured + new, status: 3)
    #expect(
      partly.errors.contains("\(machine.path("second")) does not have the new archive"), "\(partly.errors)")
    #expect(partly.errors.contains("opens with the old keys"), "\(partly.errors)")
    #expect(partly.errors.contains("only this archive opens with the new key"), "\(partly.errors)")
    #expect(try fueki(machine, in: "target").count == 4)
    // It gets what comes next.
    _ = try BuiltBinary.run(program: "/bin/mv", [machine.path("away"), machine.path("second")])
    try machine.run(["create"] + configured + new + machine.keychainSecret + Machine.quick, status: 0)
    #expect(try fueki(machine, in: "second").last == fueki(machine, in: "target").last)
  }

  @Test func `a restored machine changes its keys with a key of its own, and signs its drills`() throws {
    let machine = try Machine()
    try machine.write("another passphrase, as good as the first", to: "new")
    let other = ["FUEKI_STATE": machine.path("new-state"), "FUEKI_DATADIR": machine.path("new-data")]
    let target = ["--target", machine.target]
    try machine.run(
      ["restore", "latest", "--no-resync"] + target + machine.secrets, environment: other, status: 0)
    let changed = try machine.run(
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("new")] + target
        + machine.archiveSecret + Machine.quick, environment: other, status: 0)
    #expect(changed.errors.contains("made a key that signs this vault's archives"), "\(changed.errors)")
    let new = ["-p", machine.path("new")] + machine.keychainSecret
    try machine.run(["create"] + target + new + Machine.quick, environment: other, status: 0)
    let listed = try machine.run(["list", machine.target, "--json"], environment: other).json()
    #expect(listed["archives"]?.elements.map { $0["whose"] } == Array(repeating: .string("mine"), count: 3))

    let drill = try machine.run(["drill", "--json"] + target + new, environment: other, status: 0)
    let shown = try machine.run(["show", "latest", "--json"] + target, environment: other).json()
    let signer = try #require(shown["header"]?["signer"]?.text)
    #expect(try drill.json()["signer"]?.text == signer, "\(drill.text)")
  }
}
