import CommandSupport
import TestSupport
import Testing

/// Options that are given more than once.
struct RepeatedOptionTests {
  private static func commands(
    _ command: OfferedCommand, _ before: [String] = []
  ) -> [(words: [String], options: [OfferedCommand.Argument])] {
    let words = before + [command.commandName]
    let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
    guard below.isEmpty else { return below.flatMap { commands($0, words) } }
    return [(words, (command.arguments ?? []).filter { $0.kind == "option" })]
  }

  private static func long(_ option: OfferedCommand.Argument) -> String? {
    option.names?.first { $0.kind == "long" }.map { "--\($0.name)" }
  }

  @Test func `every option of every command that takes one value refuses a second one`() throws {
    var count = 0
    for (words, options) in OfferedCommand.all.flatMap({ Self.commands($0) }) where !options.isEmpty {
      let names = options.compactMap(Self.long)
      let single = options.filter { !$0.isRepeating }.compactMap(Self.long)
      count += single.count
      let run = try BuiltBinary.run(
        words + names.flatMap { ["\($0)=file:/nonexistent", $0, "file:/nonexistent"] })
      let named = Set(run.errors.matches(of: /--[a-z0-9-]+/).map { String($0.output) })
      #expect(run.status == 64, "\(words): \(run.errors)")
      #expect(named.isSuperset(of: single), "\(words): \(Set(single).subtracting(named))")
      let repeatable = Set(names).subtracting(single)
      #expect(single.isEmpty || named.isDisjoint(with: repeatable), "\(words): \(run.errors)")
    }
    #expect(count > 150, "\(count)")
  }

  @Test(arguments: [
    ["status", "--max-age", "1h", "--max-age=2h"], ["export", "latest", "-o", "a", "--output", "b"],
    ["restore", "latest", "-np", "file:a", "-p", "file:b"],
    ["verify", "x", "--depth=structure", "--depth", "x"],
  ])
  func `letters and values behind an equals sign count`(_ arguments: [String]) throws {
    let run = try BuiltBinary.run(arguments)
    #expect(run.status == 64 && run.errors.contains("was given more than once"), "\(run.errors)")
  }

  @Test func `words after two dashes, and values, are no options`() throws {
    let machine = try Machine()
    try machine.copy("target", to: "--depth")
    try machine.run(["verify", "--depth", "checksums", "--", "--depth"], status: 0)
    #expect(try machine.run(["verify", machine.target, "--depth=checksums"]).status == 0)
  }

  @Test func `each checkpoint and each list judges its own vaults`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    let key = ["--sign-key", machine.path("keys/signing.key")]
    let signer = ["--trusted-signer", machine.path("keys/signing.pub")]
    func checkpoint(_ name: String) throws {
      try machine.run(
        ["checkpoint", "export", "--target", machine.target, "--output", machine.path(name)] + key, status: 0)
    }
    try #require(try machine.create(key).status == 0)
    try checkpoint("first")
    let first = try machine.archives()[1]
    try #require(try machine.create(key).status == 0)
    try checkpoint("second")
    func verify(_ more: [String]) throws -> Int32 {
      try machine.run(["verify", machine.path(first)] + signer + more).status
    }
    let (one, two) = (machine.path("first"), machine.path("second"))
    #expect(try verify(["--checkpoint", one]) == 0)
    for order in [[one, two], [two, one]] {
      #expect(try verify(order.flatMap { ["--checkpoint", $0] }) == 24)
    }
    try machine.write(try machine.read("first") + machine.read("second"), to: "both")
    #expect(try verify(["--checkpoint", machine.path("both")]) == 24)
  }

  @Test func `each list judges its own vaults, and a vault is in one of them`() throws {
    let machine = try Machine.withBucket()
    let lists = try ["alice", "bob"].map { name in
      let list = machine.path("\(name).toml")
      try machine.watch(
        ["status", "--target", machine.path("bucket/\(name)"), "--write-expected", list], status: 0)
      return ["--expected", list]
    }
    for command in ["status", "verify"] {
      let run = try machine.watch([command, "--json"] + lists[0] + lists[1], status: 0)
      #expect(try run.verdicts().count == 2)
      #expect(try machine.watch([command] + lists[0] + lists[0]).status == 64)
    }
    try machine.remove("bucket/bob/b.fueki")
    for both in [lists[0] + lists[1], lists[1] + lists[0]] {
      #expect(try machine.watch(["verify"] + both).status == 60)
    }
    #expect(try machine.watch(["verify"] + lists[0]).status == 0)
  }

  @Test func `several lines of one value are several signers`() throws {
    let machine = try SigningMachine.make(isSealed: false)
    try #require(try machine.create(["--sign-key", machine.path("keys/signing.key")]).status == 0)
    try machine.remove(machine.archives()[0])
    let line = try machine.text("keys/signing.pub")
    let other = String(repeating: "ab", count: 32)
    let many = Array(repeating: other, count: 30).joined(separator: "\n")
    for text in [line, "\(other)\n\(line)", "# ours\n\(line)\n\(many)"] {
      try machine.run(["verify", machine.target, "--trusted-signer", text], status: 0)
    }
    let verify = ["verify", machine.target, "--trusted-signer"]
    #expect(try machine.run(verify + ["\(other)\n\(other)"]).status == 23)
    #expect(try machine.run(verify + ["\(line)none\n"]).status == 64)
  }
}
