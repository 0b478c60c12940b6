import TestSupport
import Testing

/// `verify` of a folder with many archives, stopped or overtaken by changes while it reads them.
@Suite(.enabled(if: HeldOutput.isPossible, "this machine has no Python"))
struct HeldVerifyTests {
  /// A machine with a folder of copies of its newest archive, and of an older one, which is verified last.
  private func machine() throws -> Machine {
    let machine = try Machine.withTwoArchives()
    try machine.fill("folder")
    try machine.copy(#require(machine.archives().first), to: "folder/last.fueki")
    return machine
  }

  @Test func `an interrupted run records the damage that it has found, and reports how far it came`() throws {
    let machine = try machine()
    // It is newer than the others, so it is verified first.
    try #require(machine.create().status == 0)
    let newest = try machine.read(#require(machine.archives().last))
    var damaged = newest
    damaged[damaged.count / 2] ^= 1
    try machine.write(damaged, to: "folder/newest.fueki")
    let folder = machine.path("folder")
    let interrupted = try machine.run(
      ["verify", folder], through: HeldOutput.through(.interruption), status: 130)
    let count = HeldOutput.copies + 2
    let stated = interrupted.errors.firstMatch(of: /interrupted: (\d+) of (\d+) archives verified/)?.output
    let verified = stated.flatMap { Int($0.1) } ?? 0
    #expect(stated.map { String($0.2) } == "\(count)", "\(interrupted.errors)")
    #expect((1..<count / 2).contains(verified), "\(interrupted.errors)")
    let digest = try machine.run(["list", folder, "--json"]).json()["archives"]?[0]?["id"]?.text
    let record = try machine.text("state/damaged.json")
    #expect(try record.contains(#require(digest)), "\(record)")

    // A later run that is interrupted after an intact archive removes it from the record.
    try machine.write(newest, to: "folder/newest.fueki")
    try machine.run(["verify", folder], through: HeldOutput.through(.interruption), status: 130)
    #expect(try machine.read("state/damaged.json") == Array("[\n\n]".utf8))
  }

  @Test func `an interrupted run records no damage of an archive that has a file it did not read`() throws {
    let machine = try machine()
    // The names come before those of the other copies, which are intact.
    var damaged = try machine.read(#require(machine.archives().last))
    damaged[damaged.count / 2] ^= 1
    try machine.write(damaged, to: "folder/9999.fueki")
    let run = try machine.run(["verify", machine.path("folder")], through: HeldOutput.through(.interruption))
    #expect(run.status == 130 && run.text.contains("damaged: 9999.fueki"), "\(run.text)\(run.errors)")
    #expect(!machine.exists("state/damaged.json"))
  }

  @Test func `an older archive that is removed while others are read is reported, and is no failure`() throws
  {
    let machine = try machine()
    let removal = HeldOutput.through(.removal(machine.path("folder/last.fueki")))
    let run = try machine.run(["verify", machine.path("folder")], through: removal, status: 0)
    #expect(run.errors.contains("last.fueki was removed meanwhile and is not verified"), "\(run.errors)")
    #expect(!run.text.contains("last.fueki"), "\(run.text)")
    #expect(
      run.text.split(separator: "\n").count { $0.hasPrefix("ok: ") } == HeldOutput.copies, "\(run.text)")
  }

  @Test func `the newest archive of a vault that is removed while others are read is a failure`() throws {
    let machine = try machine()
    // It is the only one of its vault, and older than the copies.
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "folder/last.fueki")
    let removal = HeldOutput.through(.removal(machine.path("folder/last.fueki")))
    let run = try machine.run(["verify", machine.path("folder")], through: removal)
    #expect(run.status == 1 && !run.errors.contains("meanwhile"), "\(run.text)\(run.errors)")
    #expect(run.text.contains("unreadable: last.fueki") && run.text.contains("no such file"), "\(run.text)")
  }
}
