import FuekiSystem
import TestSupport
import Testing

/// Things that an earlier archive has and the machine has no longer.
struct LossTests {
  /// A machine with files that are kept as they are, and a local target.
  static func machine(_ names: [String]) throws -> Machine {
    let machine = try Machine(isPrepared: false)
    for name in names { try machine.write("canary \(name), its whole content", to: "home/wallets/\(name)") }
    try machine.write("[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n", to: "config.toml")
    return machine
  }

  static func create(_ machine: Machine, _ names: [String], _ more: [String] = []) throws -> RunResult {
    try machine.run(
      ["create", "--config", machine.path("config.toml")]
        + names.flatMap { ["--from", "file:\(machine.path("home/wallets/\($0)"))"] } + machine.archiveSecret
        + Machine.quick + more)
  }

  private static func prune(_ machine: Machine) throws -> RunResult {
    try machine.run(["prune", "--config", machine.path("config.toml"), "--keep-last", "1"])
  }

  private static let five = ["one", "two", "three", "four", "five"]
  private static let four = ["one", "two", "four", "five"]

  @Test func `one of five files that is gone is missing night after night until its loss is accepted`() throws
  {
    let machine = try Self.machine(Self.five)
    #expect(try Self.create(machine, Self.five).status == 0)
    let first = try #require(machine.archives().first)
    let sentence = "MISSING: file ~/wallets/three, last in number 1 ("
    for night in 2...3 {
      let run = try Self.create(machine, Self.four)
      #expect(run.status == 3 && run.text.contains(sentence), "\(run.text) \(run.errors)")
      #expect(try machine.archives().count == night)
    }
    let status = try machine.run(["status", "--config", machine.path("config.toml")])
    #expect(status.status == 3 && status.text.contains(sentence), "\(status.text)")
    try Self.create(machine, Self.four, ["--on-change", "--json"]).expect(3)

    let kept = try Self.prune(machine).expect(0)
    #expect(
      kept.text.contains("the newest with file ~/wallets/three, which no later one has"), "\(kept.text)")
    #expect(kept.text.contains("create --accept loss='~/wallets/three'"), "\(kept.text)")
    #expect(try machine.archives().contains(first) && machine.archives().count == 2)

    let wrong = try Self.create(machine, Self.four, ["--accept=loss=thre"])
    #expect(wrong.status == 3 && wrong.errors.contains("nothing of that name is missing"), "\(wrong.errors)")
    #expect(try Self.create(machine, Self.four, ["--accept=loss=~/wallets/three"]).status == 0)
    let next = try Self.create(machine, Self.four)
    #expect(next.status == 0 && !next.text.contains("MISSING"), "\(next.text)")
    #expect(try machine.run(["status", "--config", machine.path("config.toml")]).status == 0)
    #expect(try Self.prune(machine).status == 0)
    #expect(try machine.archives().count == 1 && !machine.archives().contains(first))
  }

  @Test(arguments: [[], [UInt8](repeating: 0, count: 600)])
  func `a file that has lost its content is missing, and prune keeps the archive that has it`(_ left: [UInt8])
    throws
  {
    let machine = try Self.machine(["one", "two"])
    try machine.write(left, to: "home/wallets/always")
    let names = ["one", "two", "always"]
    #expect(try Self.create(machine, names).status == 0)
    let first = try #require(machine.archives().first)
    try machine.write(left, to: "home/wallets/two")
    for _ in 1...2 {
      let run = try Self.create(machine, names).expect(3)
      #expect(run.text.contains("MISSING: file ~/wallets/two, last in number 1 ("), "\(run.text)")
      // A file that never had any content is none that was lost.
      #expect(!run.text.contains("~/wallets/always"), "\(run.text)")
    }
    #expect(try Self.prune(machine).status == 0)
    #expect(try machine.archives().contains(first))
    #expect(try Self.create(machine, names, ["--accept=loss=~/wallets/two"]).status == 0)
    #expect(try Self.create(machine, names).status == 0)
  }

  @Test func `an acceptance without a name accepts every loss, and one by name no other`() throws {
    let machine = try Self.machine(Self.five)
    #expect(try Self.create(machine, Self.five).status == 0)
    let one = try Self.create(machine, ["one", "two", "four"], ["--accept=loss=~/wallets/three", "--json"])
      .expect(3)
    let losses = try one.json()["losses"]
    #expect(losses?.elements.count == 1 && losses?[0]?["name"] == .string("~/wallets/five"))
    #expect(losses?[0]?["kind"] == .string("file") && losses?[0]?["sequence"] == .number(1))
    #expect(try Self.create(machine, ["one", "two"], ["--accept=loss"]).status == 0)
    #expect(try Self.create(machine, ["one", "two"]).status == 0)
  }

  @Test func `what is back is missing no more, and is noticed when it goes again`() throws {
    let machine = try Self.machine(["one", "two"])
    #expect(try Self.create(machine, ["one", "two"]).status == 0)
    #expect(try Self.create(machine, ["one"], ["--accept=loss"]).status == 0)
    #expect(try Self.create(machine, ["one", "two"]).status == 0)
    let run = try Self.create(machine, ["one"])
    #expect(run.status == 3 && run.text.contains("last in number 3 ("), "\(run.text)")
  }

  @Test func `a part that was not asked for is not missing, and prune keeps its last archive`() throws {
    let machine = try Self.machine(["one", "two"])
    #expect(try Self.create(machine, ["one", "two"]).status == 0)
    let first = try #require(machine.archives().first)
    try machine.write("name,address\nAlice,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\n", to: "people")
    let part = try machine.run(
      [
        "create", "--config", machine.path("config.toml"), "--from", "csv-contacts:people", "--only",
        "contacts",
      ]
        + machine.archiveSecret + Machine.quick)
    #expect(part.status == 0 && !part.text.contains("MISSING"), "\(part.text) \(part.errors)")
    #expect(try Self.prune(machine).status == 0)
    #expect(try machine.archives().contains(first))
    let run = try Self.create(machine, ["one"], ["--from", "csv-contacts:people"])
    #expect(
      run.status == 3 && run.text.contains("~/wallets/two, last in number 1 ("), "\(run.text) \(run.errors)")
  }

  @Test func `another key in a wallet's file is a loss of the earlier one until that is accepted`() throws {
    let machine = try Self.machine([])
    let place = "home/wallets/hsm_secret"
    let config = ["--config", machine.path("config.toml")]
    func create(_ more: [String] = []) throws -> RunResult {
      try machine.run(
        ["create", "--from", "core-lightning:\(machine.path(place))"] + config + machine.archiveSecret
          + Machine.quick + more)
    }
    try machine.write(Array(1...32), to: place)
    #expect(try create().status == 0)
    let first = try #require(machine.archives().first)
    #expect(try create().status == 0)
    try machine.write(Array(2...33), to: place)
    let sentence = "MISSING: file ~/wallets/hsm_secret with its earlier key, last in number 2 ("
    for _ in 1...2 {
      let run = try create()
      #expect(run.status == 3 && run.text.contains(sentence), "\(run.text) \(run.errors)")
    }
    let pruned = try Self.prune(machine)
    #expect(pruned.text.contains("file ~/wallets/hsm_secret with its earlier key"), "\(pruned.text)")
    #expect(try machine.archives().count == 2 && !machine.archives().contains(first))

    // The archive says it, so that another machine offers to bring the earlier key next to the later one.
    let other = ["FUEKI_STATE": machine.path("new-state"), "FUEKI_DATADIR": machine.path("new-data")]
    let restored = try machine.run(
      ["restore", "latest", "--no-resync", "--yes", "--files", machine.path("back")] + config
        + machine.archiveSecret, environment: other)
    #expect(
      restored.errors.contains("has file ~/wallets/hsm_secret with its earlier key"),
      "\(restored.text) \(restored.errors)")
    let back = try machine.snapshot(of: "back").values.filter { $0.count == 32 }
    #expect(Set(back) == [Array(1...32), Array(2...33)], "\(restored.text) \(restored.errors)")

    #expect(try create(["--accept=loss=~/wallets/hsm_secret"]).status == 0)
    #expect(try create().status == 0)
    #expect(try Self.prune(machine).status == 0)
    #expect(try machine.archives().count == 1)
  }

  @Test func `a loss whose name cannot be typed is accepted by the id that is printed`() throws {
    let machine = try Self.machine(["one"])
    let folder = machine.path("home/wallets")
    let name = Array("caf".utf8) + [0xE9]
    try Directory.open(folder).createFile(name).pwriteAll(Array("a latin name".utf8), at: 0)
    func create(_ more: [String] = []) throws -> RunResult {
      try machine.run(
        ["create", "--config", machine.path("config.toml"), "--from", "file:\(folder)"]
          + machine.archiveSecret
          + Machine.quick + more)
    }
    #expect(try create().status == 0)
    try Directory.open(folder).remove(name)
    let run = try create()
    #expect(run.status == 3 && run.text.contains("MISSING: file ~/wallets/caf\\xe9, last in"), "\(run.text)")
    let hint = try #require(run.errors.split(separator: "fueki-backup create ").last)
    let option = hint.split(whereSeparator: \.isWhitespace).prefix(2).map(String.init)
    #expect(option.count == 2 && option[0] == "--accept", "\(run.errors)")
    #expect(option.last?.hasPrefix("loss=") == true && option.last?.utf8.count == 37, "\(run.errors)")
    try create(option).expect(0)
  }

  @Test func `an Electrum wallet that another replaces stops no backup`() throws {
    let machine = try Self.machine([])
    try machine.write(ImportedFiles.electrum, to: "home/wallets/savings")
    let source = ["--from", "electrum:\(machine.path("home/wallets/savings"))"]
    #expect(try Self.create(machine, [], source).status == 0)
    // A wallet of other keys without labels, in the same place.
    try machine.write(
      """
      {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "keystore": {"type": "bip32",
      "xpub": "xpub661MyMwAqRbcFtXgS5sYJABqqG9YLmC4Q1Rdap9gSE8NqtwybGhePY2gZ29ESFjqJoCu1Rupje8YtGqsefD265TMg7usUDFdp6W1EGMcet8"}}
      """, to: "home/wallets/savings")
    let run = try Self.create(machine, [], source)
    #expect(run.status == 3 && run.text.contains("MISSING: wallet "), "\(run.text) \(run.errors)")
    #expect(try machine.archives().count == 2)
    #expect(try Self.create(machine, [], source + ["--accept=loss"]).status == 0)
    #expect(try Self.create(machine, [], source).status == 0)
  }

  @Test func `the archive says which earlier one has the missing thing, and a new machine remembers`() throws
  {
    let machine = try Self.machine(["one", "two"])
    #expect(try Self.create(machine, ["one", "two"]).status == 0)
    #expect(try Self.create(machine, ["one"]).status == 3)
    let target = ["--target", machine.target]
    let show = try machine.run(["show", "latest"] + target + machine.archiveSecret)
    #expect(show.text.contains("lacks     file ~/wallets/two, which number 1 ("), "\(show.text)")
    let document = try machine.run(["show", "latest", "--json"] + target + machine.archiveSecret).json()
    #expect(document["manifest"]?["losses"]?[0]?["accepted"] == .bool(false))

    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    let other = ["FUEKI_STATE": machine.path("other-state"), "FUEKI_DATADIR": machine.path("other-data")]
    let restored = try machine.run(
      ["restore", "latest", "--no-resync"] + target + machine.secrets, environment: other)
    #expect(
      restored.errors.contains(") has file ~/wallets/two, which this archive lacks"), "\(restored.errors)")
    let status = try machine.run(["status"] + target, environment: other)
    #expect(status.status == 3 && status.text.contains("MISSING: file ~/wallets/two"), "\(status.text)")
    let prune = try machine.run(["prune", "--keep-last", "1"] + target, environment: other)
    #expect(prune.text.contains("the newest with file ~/wallets/two"), "\(prune.text) \(prune.errors)")
    #expect(try machine.archives().count == 2)
  }

  @Test func `of hundreds of losses none is forgotten, on a new machine neither`() throws {
    let machine = try Self.machine((1...300).map { "wallet \($0)" })
    let source = ["--from", "file:\(machine.path("home/wallets"))"]
    func create(_ more: [String] = []) throws -> RunResult {
      try machine.run(
        ["create", "--config", machine.path("config.toml")] + source + machine.archiveSecret + Machine.quick
          + more)
    }
    #expect(try create().status == 0)
    for number in 1...260 { try machine.remove("home/wallets/wallet \(number)") }
    let run = try create(["--json"])
    #expect(try run.status == 3 && run.json()["losses"]?.elements.count == 260, "\(run.errors)")
    let target = ["--target", machine.target]
    let show = try machine.run(["show", "latest", "--json"] + target + machine.archiveSecret).json()
    let losses = show["manifest"]?["losses"]?.elements ?? []
    let more = losses.filter { $0["kind"] == .string("more") }
    #expect(losses.count == 151 && more.map { $0["name"]?.text } == ["110 more things"], "\(more)")

    let other = try machine.places(of: "other")
    let restored = try machine.run(
      ["restore", "latest", "--no-resync", "--files", "home"] + target + machine.archiveSecret,
      environment: other)
    #expect(restored.status == 0 || restored.status == 3, "\(restored.errors)")
    let status = try machine.run(["status", "--json"] + target, environment: other)
    #expect(status.status == 3 && status.text.contains("110 more things"), "\(status.text)")
    let prune = try machine.run(["prune", "--keep-last", "1"] + target, environment: other)
    #expect(try prune.status == 0 && machine.archives().count == 2, "\(prune.text)")

    #expect(try create(["--accept", "new-disk"]).status != 0)
    #expect(try create(["--accept=loss"]).status == 0)
    let accepted = try machine.run(["show", "latest", "--json"] + target + machine.archiveSecret).json()
    let known = accepted["manifest"]?["losses"]?.elements ?? []
    #expect(known.count == 151 && known.allSatisfy { $0["accepted"] == .bool(true) })
    try machine.remove("home/wallets/wallet 300")
    let next = try create()
    #expect(next.status == 3 && next.text.contains("MISSING: file ~/wallets/wallet 300"), "\(next.text)")
    let last = try machine.run(["show", "latest", "--json"] + target + machine.archiveSecret).json()
    #expect(last["manifest"]?["losses"]?[0]?["name"] == .string("~/wallets/wallet 300"))
  }
}
