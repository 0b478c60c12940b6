import FuekiSystem
import Glibc
import TestSupport
import Testing

/// One signal ends every command, whatever it waits for.
///
/// All commands with FUEKI_FULL=1; else a part of them, chosen by ``TestSeed``.
@Suite(.serialized)
struct InterruptedCommandTests {
  /// A machine whose newest archive costs seconds to open, and the processor time that making the archive took.
  private static let base = Result { () throws -> (machine: Machine, seconds: Double) in
    let machine = try Machine()
    // A shell's times include the children that it has waited for.
    let made = try machine.run(
      ["create", "--target", machine.target] + machine.archiveSecret + machine.keychainSecret
        + ["--kdf-memory", "\(mebibytes)", "--kdf-passes", "12"],
      through: ["/bin/sh", "-c", #""$@" && times"#, "sh"])
    guard made.status == 0 else { throw PreparedMachine.Failed(run: made) }
    let times = made.text.split(separator: "\n").last?.split { !$0.isNumber && $0 != "." } ?? []
    let numbers = times.compactMap { Double($0) }
    try #require(numbers.count == 4, "\(made.text)")
    return (machine, 60 * (numbers[0] + numbers[2]) + numbers[1] + numbers[3])
  }
  private static let mebibytes = 256

  /// A command, and where the signal meets it.
  struct Case: Sendable, CustomTestStringConvertible {
    let name: String
    let stage: SignalledRun.Stage
    var prepare: @Sendable (Machine) throws -> Void = { _ in }
    var environment: @Sendable (Machine) -> [String: String] = { _ in [:] }
    let arguments: @Sendable (Machine) -> [String]

    var testDescription: String { name }
  }

  private static let cases =
    TestSeed.sample(derivations, of: 3) + TestSeed.sample(children, of: 5) + TestSeed.sample(pipes, of: 2)
    + servers

  @Test(arguments: cases)
  func `a command is gone after one signal, and nothing that it began is left`(_ one: Case) throws {
    let base = try Self.base.get()
    let machine = try Machine(copying: base.machine.root)
    try one.prepare(machine)
    let before = try machine.snapshot(of: "target")
    let run = try SignalledRun(
      one.arguments(machine), on: machine, environment: one.environment(machine), at: one.stage)
    #expect(run.ending == .exited(130), "\(run.errors)\(run.text)")
    // Only a derivation that nothing stops takes longer.
    #expect(run.secondsAfter < base.seconds / 2, "\(run.secondsAfter) s after the signal")
    #expect(run.errors.contains("interrupted") || run.text.contains("interrupted"), "\(run.errors)")
    #expect(try machine.snapshot(of: "target") == before)
    let left = try machine.names(in: "state") + machine.names(in: "tmp")
    #expect(!left.contains { $0.hasPrefix(".") || $0 == "mending" || $0.contains("restore-") }, "\(left)")
    #expect(!machine.exists("restored") && !machine.exists("exported"))
    if case .wrote(let name) = one.stage {
      let text = try machine.text(name)
      for process in text.split(whereSeparator: \.isWhitespace).compactMap({ Int32($0) }) {
        #expect(ProcessFigures.ends(process), "process \(process) of \(text)")
      }
    }
  }

  @Test func `an interruption from the keyboard is the same`() throws {
    let machine = try Machine(copying: Self.base.get().machine.root)
    let one = try #require(Self.children.first)
    try one.prepare(machine)
    let run = try SignalledRun(
      one.arguments(machine), on: machine, environment: one.environment(machine), signal: SIGINT,
      at: one.stage)
    #expect(run.ending == .exited(130), "\(run.errors)")
  }

  @Test func `with --json the one document says that the run was interrupted`() throws {
    let machine = try Machine(copying: Self.base.get().machine.root)
    let run = try SignalledRun(
      ["verify", "--depth", "contents", "latest", "--json", "--target", machine.target]
        + machine.archiveSecret,
      on: machine, at: .deriving(mebibytes: Self.mebibytes))
    let document = try JSONValue(parsing: Array(run.text.utf8))
    #expect(document["id"] == .string("interrupted") && document["code"] == .number(130), "\(run.text)")
  }

  @Test func `hooks that follow an interruption have a moment, and no more`() throws {
    let machine = try Machine(copying: Self.base.get().machine.root)
    try Self.stubborn(machine, as: "stubborn")
    try machine.write(
      """
      [hooks]
      before = "\(machine.path("bin/stubborn"))"
      failed = "echo $FUEKI_STATUS > told"
      finally = "\(machine.path("bin/stubborn"))"
      """, to: "config.toml")
    let run = try SignalledRun(
      ["create", "--target", machine.target, "--config", machine.path("config.toml")] + machine.secrets,
      on: machine, at: .wrote(Self.place))
    #expect(run.ending == .exited(130), "\(run.errors)")
    #expect(try machine.read("told") == Array("130\n".utf8))
    for process in try machine.text(Self.place).split(separator: " ") {
      let number = Int32(process.filter(\.isNumber)) ?? 0
      #expect(ProcessFigures.ends(number))
    }
  }

  // MARK: derivations

  private static func deriving(
    _ name: String, _ arguments: @escaping @Sendable (Machine) -> [String]
  ) -> Case {
    Case(name: "\(name), while it derives a key", stage: .deriving(mebibytes: mebibytes)) { machine in
      arguments(machine) + ["--target", machine.target] + machine.archiveSecret
    }
  }

  static let derivations: [Case] = [
    deriving("create") { ["create"] + $0.keychainSecret + ["--kdf-memory", "256", "--kdf-passes", "12"] },
    deriving("show") { _ in ["show", "latest"] },
    deriving("verify") { _ in ["verify", "latest", "--depth", "contents"] },
    deriving("restore") { ["restore", "latest", "--datadir", $0.path("restored")] + $0.keychainSecret },
    deriving("drill") { ["drill"] + $0.keychainSecret },
    deriving("export") { ["export", "latest", "--output", $0.path("exported")] },
    deriving("diff") { machine in
      ["diff", machine.path("target/\(machine.firstArchive)"), "latest"]
    },
    deriving("key change-passphrase") { machine in
      ["key", "change-passphrase", "latest", "--new-passphrase-from", machine.place("keychain.pass")]
    },
    deriving("kit print") { machine in
      ["kit", "print", "latest", "--include-passphrase", "--output", machine.path("kit.txt")]
    },
  ]

  // MARK: other programs

  private static let place = "begun"

  /// Writes a program that reports its process, starts another one, and ends only when killed.
  private static func stubborn(_ machine: Machine, as name: String) throws {
    try machine.write(
      """
      #!/bin/sh
      trap '' TERM INT
      sleep 600 &
      echo $$ $! > '\(machine.path(place))'
      while :; do sleep 600; done
      """, to: "bin/\(name)", permissions: 0o700)
  }

  private static func surroundings(_ machine: Machine) -> [String: String] {
    ["PATH": "\(machine.path("bin")):/usr/bin:/bin"]
  }

  private static func waiting(
    _ name: String, for program: String = "stubborn",
    _ prepare: @escaping @Sendable (Machine) throws -> Void = { _ in },
    _ arguments: @escaping @Sendable (Machine) -> [String]
  ) -> Case {
    Case(
      name: name, stage: .wrote(place),
      prepare: { machine in
        try stubborn(machine, as: program)
        try prepare(machine)
      }, environment: surroundings, arguments: arguments)
  }

  private static func command(_ machine: Machine) -> [String] {
    ["-p", "command:\(machine.path("bin/stubborn"))"]
  }

  private static func hook(_ machine: Machine) throws {
    try machine.write("[hooks]\nbefore = \"\(machine.path("bin/stubborn"))\"\n", to: "config.toml")
  }

  /// Makes an archive with recovery files, and changes a byte of it.
  private static func damage(_ machine: Machine) throws {
    try machine.run(
      ["create", "--parity", "10%", "--target", machine.target] + machine.secrets, status: 0)
    let archive = try #require(try machine.archives().last)
    var bytes = try machine.read(archive)
    bytes[20_000] ^= 1
    try machine.write(bytes, to: archive)
  }

  static let children: [Case] = [
    waiting("create, at a hook", hook) {
      ["create", "--target", $0.target, "--config", $0.path("config.toml")] + $0.secrets
    },
    waiting("prune, at a hook", hook) {
      ["prune", "--target", $0.target, "--keep-last", "1", "--config", $0.path("config.toml")]
    },
    waiting("verify, at a passphrase command") {
      ["verify", "latest", "--depth", "contents", "--target", $0.target] + command($0)
    },
    waiting("restore, at a passphrase command") {
      ["restore", "latest", "--target", $0.target, "--datadir", $0.path("restored")] + command($0)
        + $0.keychainSecret
    },
    waiting("repair, at a passphrase command") { ["repair", "latest", "--target", $0.target] + command($0) },
    // A script cannot stand for the program in the sandbox, where no shell runs.
    waiting("repair, at par2", for: "par2", damage) {
      ["repair", "latest", "--no-sandbox", "--target", $0.target]
    },
    waiting("create --parity, at par2", for: "par2") {
      ["create", "--parity", "5%", "--target", $0.target] + $0.secrets
    },
    waiting("import, at the keychain's command", { try $0.write(ImportedFiles.keystore, to: "UTC--one") }) {
      machine in
      [
        "import", machine.path("UTC--one"), "--keychain-passphrase-from",
        "command:\(machine.path("bin/stubborn"))",
      ]
    },
    waiting("list, on a remote that hangs", for: "rclone") { _ in ["list", "rclone:away:wallet"] },
    waiting("copy, to a remote that hangs", for: "rclone") { machine in
      ["copy", "--target", machine.target, "--target", "rclone:away:wallet"]
    },
    waiting("status, of a remote that hangs", for: "rclone") { _ in
      ["status", "--target", "rclone:away:wallet"]
    },
    waiting("doctor, of a remote that hangs", for: "rclone") { machine in
      ["doctor", "--target", "rclone:away:wallet"] + machine.keychainSecret
    },
  ]

  // MARK: named pipes

  private static func piped(_ name: String, _ arguments: @escaping @Sendable (Machine) -> [String]) -> Case {
    Case(
      name: "\(name) that nobody writes to", stage: .opened("pipe"),
      prepare: { machine in
        let status = unsafe mkfifo(machine.path("pipe"), 0o600)
        try #require(status == 0)
      },
      arguments: arguments)
  }

  static let pipes: [Case] = [
    piped("verify, with a passphrase file") {
      [
        "verify", "latest", "--depth", "contents", "--target", $0.target, "-p",
        $0.path("pipe"),
      ]
    },
    piped("import, with a file") { ["import", $0.path("pipe")] },
    piped("discover, with a configuration") { ["discover", "--config", $0.path("pipe")] },
    piped("guardians combine, with a share") {
      ["guardians", "combine", $0.path("pipe"), "--output", $0.path("combined")]
    },
    piped("create, with a passphrase file") {
      ["create", "--target", $0.target, "-p", $0.path("pipe")] + $0.keychainSecret
    },
  ]
}

// MARK: servers

extension InterruptedCommandTests {
  private static func asking(
    _ name: String, _ arguments: @escaping @Sendable (Machine) -> [String]
  ) -> [Case] {
    guard let server = try? SilentServer() else { return [] }
    return [
      Case(
        name: "\(name), at a server that does not answer", stage: .connected(server),
        prepare: { machine in
          try machine.write(
            """
            [[endpoint]]
            kind = "ethereum-rpc"
            url = "http://127.0.0.1:\(server.port)/"

            """, to: "config.toml")
        }, arguments: arguments)
    ]
  }

  static let servers: [Case] = asking("resync") {
    ["resync", "--policy", "network-only", "--config", $0.path("config.toml")]
  }
}

extension Machine {
  /// The name of the first archive in the target.
  fileprivate var firstArchive: String {
    String(((try? archives()) ?? []).first?.dropFirst("target/".count) ?? "")
  }
}
