import FuekiSystem
import TestSupport
import Testing

/// `shares check`, as a worried person and a script run it.
struct SharesTests {
  private func check(_ machine: Machine, _ arguments: [String]) throws -> RunResult {
    try machine.run(["key-shares", "check"] + arguments)
  }

  @Test func `an archive's shares are sound, and a wallet has their address`() throws {
    let machine = try Machine()
    let run = try check(machine, ["latest", "--target", machine.target, "--json"] + machine.archiveSecret)
      .expect(0)
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.key-shares/1") && json["secrets"] == .string("opened"))
    #expect(json["sound"] == .bool(true) && json["enough"] == .bool(true))
    #expect(json["archive"]?.text?.count == 64)
    let set = json["sets"]?[0]
    #expect(json["sets"]?.elements.count == 1 && set?["findings"] == .array([]))
    #expect(set?["threshold"] == .number(2) && set?["total"] == .number(3) && set?["here"] == .number(2))
    let states = set?["shares"]?.elements.map { $0["secret"]?.text }
    #expect(states == ["matches", "matches", "absent"])
    let wallet = set?["wallets"]?[0]
    #expect(wallet?["address"]?.text == set?["addresses"]?["evm"]?.text && wallet?["name"]?.text != nil)
    #expect(set?["addresses"]?["bitcoin"]?.elements.count == 2)

    let lines = try check(machine, ["latest", "--target", machine.target] + machine.archiveSecret).text
    #expect(lines.contains("result    sound; enough; 2 here; 2 sign together"))
  }

  @Test func `with no secret it says that nothing can be said`() throws {
    let machine = try Machine()
    let run = try check(machine, ["latest", "--target", machine.target])
    #expect(run.status == 12 && run.text.isEmpty)
    #expect(run.errors.contains("the key shares cannot be checked"))
    #expect(run.errors.contains("the archive is undamaged"))
  }

  @Test(.enabled(if: Installed.runs("/usr/bin/age-keygen", ["--version"]), "this machine has no age"))
  func `a key that opens the profile checks the public sides`() throws {
    let machine = try Machine()
    let made = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", machine.path("identity")])
    let recipient = try #require(made.errors.split(separator: " ").last).filter { !$0.isNewline }
    try machine.create(["--recipient", "\(recipient)=profile"], status: 0)
    let secret = ["latest", "--target", machine.target, "--identity", machine.path("identity")]
    let run = try check(machine, secret + ["--json"])
    let json = try run.json()
    #expect(run.status == 0 && json["secrets"] == .string("closed") && json["sound"] == .bool(true))
    #expect(json["enough"] == .bool(false) && json["sets"]?[0]?["here"] == nil)
    #expect(try check(machine, secret).text.contains("only the public sides of the shares were checked"))
    #expect(try check(machine, secret + ["--require-threshold"]).status == 3)
  }

  @Test func `create says how the shares are, and the archive keeps it`() throws {
    let machine = try Machine()
    let run = try machine.create()
    #expect(run.status == 0 && run.text.contains("key shares: sound; enough; 2 here; 2 sign together"))
    let line = "curve=secp256k1 threshold=2 threshold-from=stated total=3 here=2 result=sound"
    let show = ["show", "latest", "--target", machine.target] + machine.archiveSecret
    #expect(try machine.run(show).text.contains(line))
    let kept = try machine.run(show + ["--json"]).json()["manifest"]?["share_checks"]?.elements
    #expect(kept?.count == 1 && kept?[0].text?.hasSuffix(line) == true)
    let created = try machine.create(["--json"]).json()
    #expect(created["share_checks"]?.elements == kept)
  }

  @Test func `what is no share is refused`() throws {
    let machine = try Machine()
    try machine.write("milk, eggs", to: "text")
    try Directory.makePrivateDirectories(machine.path("empty"))
    for (arguments, status) in [(["text"], 1), (["empty"], 1), (["none"], 10), ([], 64)]
      as [([String], Int32)]
    {
      let run = try check(machine, arguments)
      #expect(run.status == status, "\(arguments): \(run.errors)")
    }
    #expect(try machine.run(["key-shares"]).status == 0)
  }
}

/// Another program's real share files.
@Suite(
  .enabled(
    if: Fixtures.folder("tss-lib") != nil && Fixtures.folder("tss-lib-eddsa") != nil,
    "the fixtures are not here"))
struct ShareFileTests {
  /// A machine with both programs' shares in folders of their own.
  private func machine() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    for folder in ["tss-lib", "tss-lib-eddsa"] {
      try Directory.makePrivateDirectories(machine.path(folder))
      for party in 0..<5 {
        let name = "\(folder)/keygen_data_\(party).json"
        try machine.write(Fixtures.file(name), to: name)
      }
    }
    return machine
  }

  private func check(_ machine: Machine, _ files: [String], _ options: [String] = []) throws -> RunResult {
    try machine.run(["key-shares", "check"] + files + options)
  }

  /// The parties' files.
  private func files(_ parties: [Int], of folder: String = "tss-lib") -> [String] {
    parties.map { "\(folder)/keygen_data_\($0).json" }
  }

  @Test func `a folder of shares is sound and enough`() throws {
    let machine = try machine()
    try machine.write("notes", to: "tss-lib/README")
    let run = try check(machine, ["tss-lib"]).expect(0)
    #expect(run.text.contains("0xdE9804C59087830c3cF672A038bae52Fa991c5be (EVM)"))
    #expect(run.text.contains("sound; enough; 5 here; 3 sign together, as the public points say"))
    #expect(!run.text.contains("README"))
    let json = try check(machine, ["tss-lib-eddsa"], ["--json"]).json()
    #expect(json["sets"]?[0]?["threshold_from"] == .string("points") && json["archive"] == nil)
    #expect(json["sets"]?[0]?["addresses"]?["solana"]?.text != nil)
  }

  @Test func `too few shares are sound, and fail only where enough are required`() throws {
    let machine = try machine()
    for (count, status) in [(1, 3), (2, 3), (3, 0)] as [(Int, Int32)] {
      let files = files(Array(0..<count))
      #expect(try check(machine, files).status == 0)
      #expect(try check(machine, files, ["--require-threshold"]).status == status)
    }
    #expect(try check(machine, files([0])).text.contains("2 too few to sign"))
  }

  @Test func `a mixed or doubled set is refused by name`() throws {
    let machine = try machine()
    let mixed = try check(machine, files([0, 1]) + files([2], of: "tss-lib-eddsa")).expect(60)
    #expect(mixed.text.contains("keygen_data_0.json, keygen_data_1.json: secp256k1"))
    #expect(mixed.text.contains("keygen_data_2.json: ed25519"))
    let doubled = try check(machine, files([0, 0, 1]))
    #expect(doubled.status == 60 && doubled.text.contains("count as one"))
  }

  @Test func `a damaged share and a wrong secret are differences`() throws {
    let machine = try machine()
    let text = try machine.text("tss-lib/keygen_data_1.json")
    try machine.write(String(text.dropLast(9)), to: "tss-lib/keygen_data_1.json")
    let damaged = try check(machine, ["tss-lib"], ["--json"]).expect(60)
    #expect(try damaged.json()["unreadable"]?[0]?["file"] == .string("keygen_data_1.json"))
    let place = try #require(text.firstRange(of: "\"Xi\": "))
    let digit = text[place.upperBound] == "1" ? "2" : "1"
    try machine.write(
      text.replacing("\"Xi\": \(text[place.upperBound])", with: "\"Xi\": \(digit)"),
      to: "tss-lib/keygen_data_1.json")
    let wrong = try check(machine, ["tss-lib"]).expect(60)
    #expect(wrong.text.contains("keygen_data_1.json: its secret does not belong to its public point"))
    // A backup is still made of them, with a report.
    let created = try machine.run(
      ["create", "--from", "tss-lib:tss-lib", "--target", machine.target, "--json"] + machine.archiveSecret
        + Machine.quick, status: 60)
    let checks = try created.json()["share_checks"]?.elements.compactMap(\.text) ?? []
    #expect(checks.contains { $0.contains("finding=secret-differs share=") })
    #expect(try created.json()["sections"]?["key-shares"] == .number(5))
    let again = try check(machine, ["latest"], ["--target", machine.target] + machine.archiveSecret)
    #expect(again.status == 60 && again.text.contains("keygen_data_1.json: its secret does not belong"))
  }

  @Test func `no output holds a secret`() throws {
    let machine = try machine()
    let text = try machine.text("tss-lib/keygen_data_0.json")
    let place = try #require(text.firstRange(of: "\"Xi\": "))
    let secret = text[place.upperBound...].prefix { $0.isNumber }
    #expect(secret.count > 60)
    for options in [[], ["--json"], ["-v"]] {
      let run = try check(machine, ["tss-lib"], options)
      #expect(!run.text.contains(secret) && !run.errors.contains(secret))
    }
  }
}
