import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Files that are in another place of their source than in the last archive.
struct MovedFileTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write("[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n", to: "config.toml")
    try write("an everyday file that never changes", to: "always")
  }

  private func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  private func write(_ bytes: [UInt8], to name: String) throws {
    let path = "home/wallets/\(name)"
    try Directory.makePrivateDirectories(
      machine.path(String(path[..<(path.lastIndex(of: "/") ?? path.endIndex)])))
    try machine.write(bytes, to: path)
  }

  private func move(_ old: String, to new: String) throws {
    let bytes = try machine.read("home/wallets/\(old)")
    try write(bytes, to: new)
    try machine.remove("home/wallets/\(old)")
  }

  private func create(_ kind: String = "file", _ more: [String] = [], status: Int32) throws -> RunResult {
    let run = try machine.run(
      [
        "create", "--config", machine.path("config.toml"), "--from",
        "\(kind):\(machine.path("home/wallets"))",
      ]
        + machine.archiveSecret + Machine.quick + more, status: status)
    return run
  }

  @Test func `a renamed file is no loss, is reported once, and keeps no earlier archive`() throws {
    try write("a wallet's file of some thirty bytes or more", to: "one")
    _ = try create(status: 0)
    try move("one", to: "below/another name")
    let moved = try create(status: 0)
    #expect(
      moved.text.contains("moved: file ~/wallets/one is now ~/wallets/below/another name"), "\(moved.text)")
    #expect(!moved.text.contains("MISSING"), "\(moved.text)")
    let next = try create(status: 0)
    #expect(!next.text.contains("moved:"), "\(next.text)")
    let pruned = try machine.run(["prune", "--config", machine.path("config.toml"), "--keep-last", "1"])
    #expect(try pruned.status == 0 && machine.archives().count == 1, "\(pruned.text) \(pruned.errors)")
  }

  @Test func `one of two copies that is removed is no loss, and it goes with its copy`() throws {
    for name in ["one", "two"] { try write("a wallet's file of some thirty bytes or more", to: name) }
    _ = try create(status: 0)
    try machine.remove("home/wallets/two")
    let removed = try create(status: 0)
    #expect(
      removed.text.contains("removed: file ~/wallets/two, of which ~/wallets/one is a copy"),
      "\(removed.text)")
    try machine.remove("home/wallets/one")
    #expect(try create(status: 3).text.contains("MISSING: file ~/wallets/one"))
  }

  @Test func `a file that was gone for a night and is back in another place is no loss any more`() throws {
    try write("a wallet's file of some thirty bytes or more", to: "one")
    _ = try create(status: 0)
    let bytes = try machine.read("home/wallets/one")
    try machine.remove("home/wallets/one")
    #expect(try create(status: 3).text.contains("MISSING: file ~/wallets/one"))
    try write(bytes, to: "two")
    let back = try create("file", ["--json"], status: 0)
    #expect(try back.json()["moved"]?[0]?["from"] == .string("~/wallets/one"))
    #expect(try back.json()["moved"]?[0]?["to"] == .string("~/wallets/two"))
  }

  @Test(arguments: [
    "another file of the same length, or so, here", "a wallet's file of some thirty bytes or more\n",
  ])
  func `a new file with other bytes is not the missing file`(_ other: String) throws {
    try write("a wallet's file of some thirty bytes or more", to: "one")
    _ = try create(status: 0)
    try machine.remove("home/wallets/one")
    try write(other, to: "two")
    let run = try create(status: 3)
    #expect(run.text.contains("MISSING: file ~/wallets/one") && !run.text.contains("moved:"), "\(run.text)")
  }

  @Test func `a file with the address of a missing file is the same wallet, saved again`() throws {
    let keystore = ImportedFiles.keystore.replacing(
      "\"id\"", with: "\"address\":\"008aeeda4d805471df9b2a5b0f38a0c3bcba786b\", \"id\"")
    try machine.remove("home/wallets/always")
    try write(keystore, to: "UTC--one")
    _ = try create("keystore", status: 0)
    try machine.remove("home/wallets/UTC--one")
    try write(keystore + "\n", to: "UTC--two")
    let run = try create("keystore", status: 0)
    #expect(run.text.contains("moved: file ~/wallets/UTC--one is now ~/wallets/UTC--two"), "\(run.text)")
  }

  @Test func `a database is another one if one of its files is, though the others are the same`() throws {
    func writeProfile(_ name: String, _ log: String) throws {
      try write("MANIFEST-000001, and so long that it counts\n", to: "\(name)/CURRENT")
      try write("the same manifest in every new database", to: "\(name)/MANIFEST-000001")
      try write(log, to: "\(name)/000003.log")
    }
    try writeProfile("first", "the vault with the keys of the user")
    _ = try create(status: 0)
    try move("first/CURRENT", to: "second/CURRENT")
    try move("first/MANIFEST-000001", to: "second/MANIFEST-000001")
    try move("first/000003.log", to: "second/000003.log")
    #expect(try create(status: 0).text.contains("moved: file ~/wallets/first/CURRENT"))

    for name in ["CURRENT", "MANIFEST-000001", "000003.log"] {
      try machine.remove("home/wallets/second/\(name)")
    }
    try writeProfile("third", "an empty vault, as of a new profile")
    let run = try create(status: 3)
    #expect(run.text.contains("MISSING: file ~/wallets/second/CURRENT"), "\(run.text)")
  }

  @Test func `an encrypted wallet with another salt is another wallet, and with the same salt the same`()
    throws
  {
    func sparrow(_ salt: UInt8, _ fill: UInt8) -> [UInt8] {
      let beginning =
        Array("H2encrypt\n".utf8) + [UInt8](repeating: fill, count: 8) + Array("SPRW1\n".utf8)
        + [UInt8](repeating: salt, count: 16)
      return beginning + [UInt8](repeating: fill, count: 3 * 4096 - beginning.count)
    }
    try machine.remove("home/wallets/always")
    try write(sparrow(1, 1), to: "savings.mv.db")
    _ = try create("sparrow", status: 0)
    try write(sparrow(1, 2), to: "savings.mv.db")
    _ = try create("sparrow", status: 0)
    try write(sparrow(2, 3), to: "savings.mv.db")
    let run = try create("sparrow", status: 3)
    #expect(run.text.contains("MISSING: file ~/wallets/savings.mv.db with its earlier key, last in number 2"))
    #expect(try create("sparrow", ["--accept", "loss=~/wallets/savings.mv.db"], status: 0).status == 0)
    #expect(try create("sparrow", status: 0).status == 0)
  }
}
