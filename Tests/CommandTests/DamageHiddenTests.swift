import CommandSupport
import TestSupport
import Testing

/// Attempts to hide damage that `verify` found from `status`.
struct DamageHiddenTests {
  @Test(arguments: [true, false])
  func `a damaged copy that was not read hides no damage`(_ isLatest: Bool) throws {
    let machine = try Machine.withTwoArchives()
    let target = ["--target", machine.target]
    let newest = try #require(machine.archives().last)
    try machine.copy(newest, to: "target/zz.fueki")
    try machine.damage(newest)
    try machine.damage("target/zz.fueki", part: 9)
    let chosen = isLatest ? ["latest"] + target : [machine.path(newest)]
    try machine.watch(["verify"] + chosen, status: 20)
    let seen = try machine.watch(["status"] + target)
    #expect(seen.status == 60 && !seen.text.contains("All is well"), "\(seen.text)\(seen.errors)")
    // The second change of a bit undoes the first.
    try machine.damage("target/zz.fueki", part: 9)
    try machine.damage(newest)
    #expect(try machine.watch(["verify", machine.target]).status == 0)
    #expect(try machine.watch(["status"] + target).status == 0)
  }

  @Test func `a damaged record is made again by the verification of a target only`() throws {
    let machine = try Machine.withTwoArchives()
    let target = ["--target", machine.target]
    try machine.damage(try #require(machine.archives().last))
    #expect(try machine.watch(["verify", machine.target]).status == 20)
    try machine.write("[", to: "watcher/damaged.json")
    try machine.write(try TestVectors.file("archives/all-slot-types.fueki"), to: "other/b.fueki")
    let named = try machine.watch(["verify", machine.path("other/b.fueki")], status: 0)
    #expect(named.errors.contains("damaged archives cannot be recorded"), "\(named.errors)")
    #expect(try machine.watch(["status"] + target).status == 60)
    #expect(try machine.watch(["verify", machine.target]).errors.contains("made again"))
    #expect(try machine.watch(["status"] + target).status == 60)
  }

  @Test func `an interrupted run that cannot record damage does not say that it is recorded`() throws {
    let machine = try Machine.withTwoArchives()
    try machine.fill("many")
    try machine.write("[", to: "state/damaged.json")
    let interrupted = try machine.run(
      ["verify"] + machine.names(in: "many").map { machine.path("many/\($0)") },
      through: HeldOutput.through(.interruption), status: 130)
    #expect(!interrupted.errors.contains("found so far is recorded"), "\(interrupted.errors)")
  }
}
