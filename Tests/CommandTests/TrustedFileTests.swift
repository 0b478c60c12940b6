import FuekiSystem
import Glibc
import TestSupport
import Testing

/// Files that decide who can read backups: what others can change is not taken.
struct TrustedFileTests {
  // The identity of age's own test vectors, which belongs to no person.
  private static let recipient = "age1t7rxyev2z3rw82stdlrrepyc39nvn86l5078zqkf5uasdy86jp6svpy7pa"

  /// A file of each kind, in a folder of its own.
  private enum Kind: String, CaseIterable, CustomTestStringConvertible {
    case recipients, guardians, signers, configuration

    var testDescription: String { rawValue }

    func make(on machine: Machine) throws {
      try Directory.makePrivateDirectories(machine.path("trusted"))
      let text: String
      switch self {
      case .recipients: text = "\(TrustedFileTests.recipient)\n"
      case .guardians:
        let split = try machine.run(
          ["guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("sheets")])
        try #require(split.status == 0, "\(split.errors)")
        text = try machine.text("sheets/guardians.txt")
      case .signers: text = String(repeating: "ab", count: 32) + "\n"
      case .configuration: text = "[hooks]\nbefore = \"touch '\(machine.path("hooked"))'\"\n"
      }
      try machine.write(text, to: "trusted/file")
    }

    /// A command that takes the file, and its status where nothing is wrong with it.
    func use(_ path: String, on machine: Machine) throws -> RunResult {
      let create =
        ["create", "--target", machine.target] + machine.archiveSecret + machine.keychainSecret
        + Machine.quick
      return switch self {
      case .recipients: try machine.run(create + ["--recipients-file", path])
      case .guardians: try machine.run(create + ["--guardians", path])
      case .signers: try machine.run(["verify", machine.target, "--trusted-signer", path])
      case .configuration: try machine.run(create + ["--config", path])
      }
    }

    var usualStatus: Int32 { self == .signers ? 23 : 0 }
  }

  private func chmod(_ mode: String, _ path: String) throws {
    try #require(try BuiltBinary.run(program: "/bin/chmod", [mode, path]).status == 0)
  }

  private func refuses(
    _ kind: Kind, _ path: String, on machine: Machine, saying words: String, hint: String,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let run = try kind.use(path, on: machine)
    #expect(run.status == 64, "\(run.errors)", sourceLocation: sourceLocation)
    #expect(run.errors.contains(words), "\(run.errors)", sourceLocation: sourceLocation)
    #expect(run.errors.contains("hint: \(hint)"), "\(run.errors)", sourceLocation: sourceLocation)
    #expect(try machine.archives().count == 1, sourceLocation: sourceLocation)
    #expect(!machine.exists("hooked"), sourceLocation: sourceLocation)
  }

  @Test(arguments: Kind.allCases)
  private func `a file that others can write, or replace, is refused`(_ kind: Kind) throws {
    let machine = try Machine()
    try kind.make(on: machine)
    let (folder, file) = (machine.path("trusted"), machine.path("trusted/file"))
    for mode in ["660", "620", "602", "666"] {
      try chmod(mode, file)
      try refuses(
        kind, file, on: machine, saying: "others can change \(file)", hint: "chmod go-w \(file)")
    }
    // That others can read it is no harm.
    try chmod("644", file)
    for mode in ["770", "733", "777"] {
      try chmod(mode, folder)
      try refuses(
        kind, file, on: machine,
        saying: "others can replace \(file), because they can write to the folder \(folder)",
        hint: "chmod go-w \(folder)")
    }
    try chmod("1777", folder)
    let run = try kind.use(file, on: machine)
    #expect(run.status == kind.usualStatus, "\(run.errors)")
  }

  @Test(arguments: Kind.allCases)
  private func `a link is judged by what it points to, and by the folder that it is in`(_ kind: Kind) throws {
    let machine = try Machine()
    try kind.make(on: machine)
    try Directory.makePrivateDirectories(machine.path("links"))
    let (file, link) = (machine.path("trusted/file"), machine.path("links/link"))
    try #require(try BuiltBinary.run(program: "/bin/ln", ["-s", "../trusted/file", link]).status == 0)
    try chmod("620", file)
    try refuses(
      kind, link, on: machine, saying: "others can change \(link), which is \(file)",
      hint: "chmod go-w \(file)")
    try chmod("600", file)
    for folder in ["trusted", "links"] {
      try chmod("777", machine.path(folder))
      try refuses(
        kind, link, on: machine, saying: "others can replace \(link)",
        hint: "chmod go-w \(machine.path(folder))")
      try chmod("700", machine.path(folder))
    }
    let run = try kind.use(link, on: machine)
    #expect(run.status == kind.usualStatus, "\(run.errors)")
  }

  @Test(
    .enabled(if: geteuid() == 0, "this machine lets only root give a file away"),
    arguments: Kind.allCases.filter { $0 != .signers })
  private func `a file or a folder of another user is refused`(_ kind: Kind) throws {
    let machine = try Machine()
    try kind.make(on: machine)
    let (folder, file) = (machine.path("trusted"), machine.path("trusted/file"))
    for place in [file, folder] {
      try #require(try BuiltBinary.run(program: "/bin/chown", ["12345", place]).status == 0)
      try refuses(
        kind, file, on: machine, saying: "belongs to user 12345",
        hint: place == file ? "chown root \(file)" : "run this as user 12345, without sudo")
      try #require(try BuiltBinary.run(program: "/bin/chown", ["0", place]).status == 0)
    }
    let run = try kind.use(file, on: machine)
    #expect(run.status == kind.usualStatus, "\(run.errors)")
  }

  @Test(.enabled(if: geteuid() == 0, "this machine lets only root give a file away"))
  func `a signer's public key may be in another user's checkout, and a signed list anywhere`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    let key = ["--sign-key", machine.path("keys/signing.key")]
    try #require(try machine.create(key).status == 0)
    try machine.remove(machine.archives()[0])
    try Directory.makePrivateDirectories(machine.path("trusted"))
    let (folder, list) = (machine.path("trusted"), machine.path("trusted/vaults.toml"))
    try machine.copy("keys/signing.pub", to: "trusted/signing.pub")
    let steps = [
      ["status", "--target", machine.target, "--write-expected", list],
      ["key", "sign", list] + key,
      ["checkpoint", "export", "--target", machine.target] + key
        + ["--output", machine.path("trusted/newest.checkpoint")],
    ]
    for step in steps {
      let run = try machine.run(step)
      try #require(run.status == 0, "\(run.errors)")
    }
    try #require(try BuiltBinary.run(program: "/bin/chown", ["-R", "12345:12345", folder]).status == 0)
    let signer = machine.path("trusted/signing.pub")
    let commands = [
      ["verify", machine.target, "--trusted-signer", signer]
        + ["--checkpoint", machine.path("trusted/newest.checkpoint")],
      ["verify", "--expected", list, "--expected-signer", signer],
    ]
    for command in commands {
      try machine.run(command, status: 0)
    }
    #expect(try machine.run(["verify", "--expected", list]).status == 64)
    // Others than the owner can write to the key now, which decides who may sign; of the list that is no matter.
    try chmod("666", list)
    #expect(try machine.run(commands[1]).status == 0)
    try chmod("777", folder)
    for command in commands {
      let run = try machine.run(command)
      #expect(run.status == 64 && run.errors.contains("they can write to the folder"), "\(run.errors)")
    }
  }

  private static let canBecome =
    geteuid() == 0 && Installed.runs("/usr/bin/setpriv", ["--reuid=12345", "--clear-groups", "/bin/true"])

  @Test(.enabled(if: canBecome, "this process cannot run as another user"))
  func `an ordinary user trusts only root's files and their own`() throws {
    let machine = try Machine(isPrepared: false)
    try chmod("711", machine.root)
    let binary = machine.path("fueki-backup")
    let copied = try BuiltBinary.run(
      program: "/bin/cp", ["--", try PreparedMachine.binary(), binary])
    try #require(copied.status == 0, "\(copied.errors)")
    try chmod("755", binary)
    try Directory.makePrivateDirectories(machine.path("room"))
    try chmod("755", machine.path("room"))
    for (owner, status) in [("0", 0), ("12345", 0), ("12346", 64)] as [(String, Int32)] {
      try machine.write("[[vault]]\nlabel = \"mine\"\n", to: "room/config.toml")
      let file = machine.path("room/config.toml")
      try chmod("644", file)
      try #require(try BuiltBinary.run(program: "/bin/chown", [owner, file]).status == 0)
      let run = try BuiltBinary.run(
        program: "/usr/bin/setpriv",
        ["--reuid=12345", "--regid=12345", "--clear-groups", binary, "config", "show", "--config", file],
        environment: ["HOME": "/nonexistent"])
      #expect(run.status == status, "\(owner): \(run.errors)")
      #expect(run.errors.contains("\(file), which belongs to user 12346") == (status == 64), "\(run.errors)")
    }
  }

  @Test func `config validate and doctor say it of the files that the configuration names`() throws {
    let machine = try Machine()
    try Kind.recipients.make(on: machine)
    try machine.write(
      "[[target]]\npath = \"target\"\n[[vault]]\nrecipients_file = \"trusted/file\"\n", to: "config.toml")
    let configured = ["--config", machine.path("config.toml")]
    let file = machine.path("trusted/file")
    func recipients() throws -> JSONValue? {
      let run = try machine.run(["doctor", "--json"] + configured + machine.keychainSecret)
      return try run.json()["checks"]?.elements.first { $0["name"]?.text == "recipients-file" }
    }
    #expect(try machine.run(["config", "validate"] + configured).status == 0)
    #expect(try recipients()?["result"] == .string("ok"))
    try chmod("664", file)
    let validated = try machine.run(["config", "validate"] + configured, status: 64)
    let words = "config.toml, line 4: \"recipients_file\" of [[vault]]: others can change \(file)"
    #expect(validated.errors.contains(words), "\(validated.errors)")
    #expect(validated.errors.contains("hint: chmod go-w \(file)"), "\(validated.errors)")
    #expect(try recipients()?["result"] == .string("failed"))
    #expect(try recipients()?["remedy"] == .string("chmod go-w \(file)"))
    // The configuration itself stops both.
    try chmod("664", machine.path("config.toml"))
    for command in [["doctor"], ["config", "validate"]] {
      let run = try machine.run(command + configured, status: 64)
      #expect(run.errors.contains("hint: chmod go-w \(machine.path("config.toml"))"), "\(run.errors)")
    }
  }

  @Test func `what a shell hands over is taken`() throws {
    let machine = try Machine()
    try machine.write("\(Self.recipient)\n", to: "keys")
    let shell = ["/bin/sh", "-c", "cat keys | \"$@\"", "sh"]
    try machine.create(["--recipients-file", "/dev/stdin"], through: shell, status: 0)
    try machine.run(["list", machine.target, "--config", "/dev/null"], status: 0)
  }
}
