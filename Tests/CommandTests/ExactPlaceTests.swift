import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Names that Swift's texts hold for equal, and that Linux keeps apart.
struct ExactPlaceTests {
  private static let twins: [(String, String)] = [
    ("Kl\u{E9}.dat", "Kle\u{301}.dat"), ("Kraken.dat", "\u{212A}raken.dat"),
  ]

  private static func create(_ machine: Machine, _ more: [String]) throws -> RunResult {
    try machine.run(
      ["create", "--from", "file:\(machine.path("home/wallets"))"] + machine.archiveSecret + Machine.quick
        + more)
  }

  /// The names of all files below a folder, as bytes.
  private static func files(_ machine: Machine, in folder: String) throws -> [[UInt8]] {
    var names: [[UInt8]] = []
    try machine.visit(folder) { _, entry in if entry.kind == .file { names.append(entry.name) } }
    return names
  }

  @Test(arguments: twins)
  func `both files come back, and the loss of one is missed until it is accepted`(
    _ kept: String, _ lost: String
  ) throws {
    let machine = try LossTests.machine([kept, lost])
    let config = ["--config", machine.path("config.toml")]
    #expect(try Self.create(machine, config).status == 0)
    try machine.run(
      ["put-back", "latest", "--files", machine.path("back")] + config + machine.archiveSecret, status: 0)
    #expect(try Set(Self.files(machine, in: "back")) == Set([Array(kept.utf8), Array(lost.utf8)]))

    try Directory.open(machine.path("home/wallets")).remove(lost)
    let run = try Self.create(machine, config)
    let sentence = Array("MISSING: file ~/wallets/\(lost), last in number 1 (".utf8)
    #expect(run.status == 3 && run.output.contains(sentence), "\(run.text)\(run.errors)")
    #expect(try machine.run(["prune", "--keep-last", "1"] + config).status == 0)
    #expect(try machine.archives().count == 2)

    func accepting(_ name: String) throws -> Int32 {
      try Self.create(machine, config + ["--accept", "loss=~/wallets/\(name)"]).status
    }
    #expect(try accepting(kept) == 3)
    #expect(try accepting(lost) == 0)
    #expect(try Self.create(machine, config).status == 0)
  }

  @Test(arguments: twins)
  func `both targets get the archive, and are told apart afterwards`(_ one: String, _ other: String) throws {
    let machine = try Self.machine(withDisks: [one, other])
    let targets = [one, other].flatMap { ["--target", machine.path("disks/\($0)")] }
    try Self.create(machine, targets + ["--accept", "synced-keys"]).expect(0)
    #expect(try Self.archiveCounts(machine, [one, other]) == [1, 1])
    #expect(try machine.run(["status"] + targets).status == 0)

    let folder = try Directory.open(machine.path("disks/\(other)"))
    for entry in try folder.list() { try folder.remove(entry.name) }
    let status = try machine.run(["status"] + targets)
    #expect(status.status != 0, "\(status.text)\(status.errors)")
    #expect(try machine.run(["copy", "--accept", "synced-keys"] + targets).status == 0)
    #expect(try Self.archiveCounts(machine, [one, other]) == [1, 1])
  }

  @Test(arguments: twins)
  func `vaults and targets of one configuration are told apart by their names`(
    _ one: String, _ other: String
  ) throws {
    let machine = try Self.machine(withDisks: [one, other])
    let tables = [one, other].enumerated().map { number, name in
      """
      [[target]]
      name = "\(name)"
      path = "\(machine.path("disks/\(name)"))"
      kind = "local"
      [[vault]]
      name = "\(name)"
      id = "\(String(repeating: "\(number + 1)", count: 32))"
      targets = ["\(name)"]

      """
    }
    try machine.write(tables.joined(), to: "config.toml")
    let config = ["--config", machine.path("config.toml")]
    try Self.create(machine, config + ["--vault", one]).expect(0)
    #expect(try Self.archiveCounts(machine, [one, other]) == [1, 0])
    #expect(try Self.create(machine, config + ["--vault", other]).status == 0)
    #expect(try Self.archiveCounts(machine, [one, other]) == [1, 1])
  }

  private static func machine(withDisks names: [String]) throws -> Machine {
    let machine = try LossTests.machine(["one"])
    for name in names { try Directory.makePrivateDirectories(machine.path("disks/\(name)")) }
    return machine
  }

  private static func archiveCounts(_ machine: Machine, _ disks: [String]) throws -> [Int] {
    try disks.map { try Directory.open(machine.path("disks/\($0)")).list().count }
  }
}
