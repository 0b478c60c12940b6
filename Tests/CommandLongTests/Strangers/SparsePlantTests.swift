import FuekiSystem
import TestSupport
import Testing

/// A file of a tebibyte with only an archive's first bytes, which costs the attacker nothing.
@Suite(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"), .serialized)
struct SparsePlantTests {
  private static let size: UInt64 = 1 << 40
  private static let limit = 60.0

  /// A machine with three archives and the plant, which says that it is number 50.
  private func machine() throws -> Machine {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    try machine.write(Array(plants.bytes(of: .unsigned).prefix(8_192)), to: "target/sparse.fueki")
    let grown = try BuiltBinary.run(
      program: "/usr/bin/truncate", ["-s", "\(Self.size)", machine.path("target/sparse.fueki")])
    try #require(grown.status == 0, "\(grown.errors)")
    return machine
  }

  /// Returns the target's other files, after checking that the plant is unchanged.
  private func others(_ machine: Machine) throws -> [String: [UInt8]] {
    let plant = try File.open(machine.path("target/sparse.fueki"))
    #expect(try plant.size() == Self.size)
    return try Dictionary(uniqueKeysWithValues: machine.own().map { ($0, try machine.read($0)) })
  }

  private func run(_ machine: Machine, _ words: [String]) throws -> RunResult {
    let run = try machine.run(words, timeout: Self.limit)
    #expect(!run.timedOut, "\(words[0]) was still at it after a minute")
    return run
  }

  @Test func `what looks at the folder passes it over, and soon`() throws {
    let machine = try machine()
    let before = try others(machine)
    let list = try run(machine, ["list", machine.target, "--json"]).expect(0)
    let plant = try list.json()["archives"]?.elements.first {
      $0["path"]?.text?.hasSuffix("sparse.fueki") ?? false
    }
    #expect(plant?["state"] != .string("complete") && plant?["whose"] == nil, "\(list.text)")
    #expect(try run(machine, ["status", "--target", machine.target]).status == 0)
    let prune = try run(machine, ["prune", "--target", machine.target, "--keep-last", "1", "--dry-run"])
    #expect(prune.status == 0 && prune.text.contains("leave   sparse.fueki"), "\(prune.text)")
    #expect(try others(machine) == before)
  }

  @Test func `the next archive is made beside it`() throws {
    let machine = try machine()
    let made = try run(machine, ["create", "--target", machine.target, "--json"] + machine.secrets).expect(0)
    #expect(try made.json()["sequence"] == .number(4))
    try run(machine, ["prune", "--target", machine.target, "--keep-last", "1"]).expect(0)
    #expect(try others(machine).count == 1)
  }

  @Test func `it stops latest, as any file that is cut short, and no more`() throws {
    let machine = try machine()
    let before = try others(machine)
    let newest = try machine.path(#require(machine.own().last))
    let commands = [
      ["show", "latest"], ["verify", "latest"], ["checkpoint", "export", "latest"],
      ["kit", "print", "latest", "--output", machine.path("kit.html")],
      ["export", "latest", "--output", machine.path("out")] + machine.archiveSecret,
      ["diff", "latest", "--live"] + machine.archiveSecret + machine.keychainSecret,
      ["drill", "latest"] + machine.archiveSecret, ["key-shares", "check", "latest"] + machine.archiveSecret,
      ["key", "add", "latest", "--recipient", try Plants.made.get().recipient] + machine.archiveSecret,
      ["restore", "latest", "--datadir", machine.path("restored")] + machine.secrets,
    ]
    for words in commands {
      let stopped = try run(machine, words + ["--target", machine.target])
      #expect(stopped.status == 21 || stopped.status == 20, "\(words) \(stopped.errors)")
      #expect(stopped.errors.contains("The newest that can be used is \(newest)"), "\(stopped.errors)")
    }
    #expect(!machine.exists("restored") && !machine.exists("kit.html") && !machine.exists("out"))
    let named = try run(machine, ["show", newest])
    #expect(named.status == 0 && named.text.contains("whose     mine"), "\(named.errors)")
    let accepted = try run(
      machine,
      ["restore", "latest", "--accept=older", "--no-resync", "--target", machine.target]
        + ["--datadir", machine.path("restored")] + machine.secrets)
    #expect(accepted.status == 0 && accepted.errors.contains(", number 3, "), "\(accepted.errors)")
    #expect(try others(machine) == before)
  }

  @Test func `by its name it is what it is`() throws {
    let machine = try machine()
    let path = machine.path("target/sparse.fueki")
    for words in [
      ["verify", path], ["show", path], ["export", path, "--output", "out"] + machine.archiveSecret,
    ] {
      let run = try run(machine, words)
      #expect(run.status == 21 || run.status == 20, "\(words) \(run.status) \(run.errors)")
    }
  }
}
