import TestSupport
import Testing

/// `verify --shard`: several machines verify a folder together.
struct VerifyShardTests {
  private static let count = 3

  /// A machine with the archives of two vaults in one folder.
  private func machine() throws -> Machine {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let other = "all-slot-types.fueki"
    try machine.write(try TestVectors.file("archives/\(other)"), to: "target/\(other)")
    return machine
  }

  @Test func `the parts are all archives, each once, and a vault's are together`() throws {
    let machine = try machine()
    let whole = try machine.run(["verify", machine.target, "--json"]).json()["archives"]?.elements ?? []
    var paths: [String] = []
    for number in 1...Self.count {
      let run = try machine.run(
        ["verify", machine.target, "--json", "--shard", "\(number)/\(Self.count)"], status: 0)
      let document = try run.json()
      #expect(document["shard"] == .string("\(number)/\(Self.count)"))
      let part = document["archives"]?.elements.compactMap { $0["path"]?.text } ?? []
      // The machine's own two archives are of one vault.
      let own = try machine.archives().filter { !$0.contains("-types") }
      let found = own.filter { name in part.contains { $0.hasSuffix(name.split(separator: "/").last ?? "") } }
      #expect(found.isEmpty || found.count == own.count)
      paths += part
    }
    #expect(whole.count >= 3 && paths.count == whole.count && Set(paths).count == paths.count)
  }

  @Test func `a damaged archive fails in its part, and only there`() throws {
    let machine = try machine()
    let newest = try #require(machine.archives().first { !$0.contains("-types") })
    try machine.damage(newest)
    let all = try (1...Self.count).map { number in
      try machine.run(["verify", machine.target, "--shard", "\(number)/\(Self.count)"]).status
    }
    #expect(all.sorted() == [0, 0, 20])
  }

  @Test(arguments: ["0/3", "4/3", "1/0", "1", "1/2/3", "-1/3", "1/100001", "a/b"])
  func `what is no part is refused`(_ text: String) throws {
    let machine = try Machine()
    #expect(try machine.run(["verify", machine.target, "--shard=\(text)"]).status == 64)
  }

  @Test func `a part is of folders only`() throws {
    let machine = try Machine()
    let archive = try machine.path(#require(machine.archives().first))
    #expect(try machine.run(["verify", archive, "--shard", "1/2"]).status == 64)
    #expect(try machine.run(["verify", "--target", machine.target, "--shard", "1/2"]).status == 64)
  }
}
