import FuekiSystem
import TestSupport
import Testing

/// Files with holes.
struct SparseFileTests {
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("home/app"))
  }

  /// Makes a file of a length with some bytes in its middle; the rest are holes.
  private func make(_ name: String, _ byteCount: UInt64) throws {
    let file = try Directory.open(machine.path("home/app")).createFile(name)
    try file.truncate(to: byteCount)
    try file.pwriteAll(Array("in the middle".utf8), at: byteCount / 2)
  }

  private func create() throws -> RunResult {
    try machine.run(
      ["create", "--from", "file:\(machine.path("home/app"))", "--target", machine.target]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick)
  }

  @Test func `holes are holes again when a file is put back`() throws {
    let byteCount: UInt64 = (8 << 20) + 5
    try make("sparse", byteCount)
    try create().expect(0)
    try machine.run(
      ["restore", "latest", "--datadir", machine.path("new"), "--keychain-passphrase-from"]
        + [machine.place("passphrase"), "--files", machine.path("back"), "--target", machine.target]
        + machine.archiveSecret + Machine.quick, status: 0)
    let found = try BuiltBinary.run(
      program: "/usr/bin/env", ["find", machine.path("back"), "-name", "sparse"], cwd: "/")
    let file = try File.openRegular(String(found.text.split(separator: "\n").first ?? ""))
    #expect(try file.size() == byteCount && file.readAll(limit: 1 << 24) == machine.read("home/app/sparse"))
    #expect(file.holeByteCount() > byteCount - (1 << 20), "\(file.holeByteCount())")
  }

  @Test(arguments: ["-wal", "-journal"])
  func `a database's log with too many holes is listed once, as missing`(_ ending: String) throws {
    try machine.write("a database", to: "home/app/a.db")
    try make("a.db\(ending)", 6 << 30)
    let made = try create().expect(3)
    let lines = (made.text + made.errors).split(separator: "\n").filter { $0.contains("a.db\(ending):") }
    #expect(lines.count == 1, "\(made.text) \(made.errors)")
    #expect(lines.first?.contains("MISSING: a.db\(ending): it has holes of") == true, "\(lines)")
    #expect(made.text.contains("1 secret file"), "\(made.text)")
  }

  @Test func `a file with terabytes of holes is reported at once and holds nothing back`() throws {
    try make("huge", 8 << 40)
    try machine.write("healthy", to: "home/app/seed")
    let made = try create().expect(3)
    #expect((made.text + made.errors).contains("huge: it has holes of"), "\(made.text) \(made.errors)")
    #expect(made.text.contains("1 secret file"), "\(made.text)")
  }
}
