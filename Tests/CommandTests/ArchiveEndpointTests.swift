import FuekiSystem
import TestSupport
import Testing

/// Endpoints from an archive: no server is asked, and no program is started, before the user agrees.
@Suite(
  .enabled(if: AnsweringServer.canRun, "python3's http.server is not on this machine"),
  .enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct ArchiveEndpointTests {
  private static let address = "0x" + String(repeating: "a5", count: 20)

  /// A machine with only an archive, whose wallet states a server on this machine, over plain HTTP.
  private func successor(naming endpoint: [String], family: String = "evm", chain: String = "1337") throws
    -> Machine
  {
    var wallet = ChainWallet(name: "Main", family: family, chain: chain, address: Self.address)
    wallet.balance = "7"
    wallet.endpoints = [endpoint]
    let old = try Machine.with([wallet])
    try old.backUp()
    return try old.successor()
  }

  private func restore(_ machine: Machine, _ more: [String] = [], path: String? = nil) throws -> RunResult {
    try machine.run(
      ["restore", "latest", "--target", machine.target] + machine.archiveSecret + Machine.quick + more,
      environment: path.map { ["PATH": $0] } ?? [:])
  }

  private func named(_ run: RunResult) throws -> [String?] {
    let endpoints = try run.json()["archive_endpoints"]?.elements ?? []
    return endpoints.flatMap { endpoint in
      [
        endpoint["kind"]?.text, endpoint["place"]?.text, endpoint["wallets"]?[0]?.text,
        endpoint["allowed"] == .bool(true) ? "allowed" : "not allowed",
      ]
    }
  }

  @Test func `a restore and a later resync ask no server that only the archive names`() throws {
    let servers = try Machine(isPrepared: false)
    let server = try AnsweringServer(on: servers)
    let place = "http://127.0.0.1:\(server.port)"
    let machine = try successor(naming: ["ethereum-rpc", "\(place)/v3/key"])
    let run = try restore(machine, ["--json"]).expect(0)
    #expect(try named(run) == ["ethereum-rpc", place, "Main", "not allowed"])
    #expect(
      try run.json()["resync"]
        == .string("not run: the endpoints that the archive names need your permission"))
    #expect(run.errors.contains("not asked: ethereum-rpc at \(place), which \"Main\" names"))
    #expect(run.errors.contains("list them, such as [\"\(place)\"], as archive_endpoints in the [[vault]]"))
    #expect(run.errors.contains("--accept archive-endpoints") && !run.errors.contains("/v3/key"))

    let later = try machine.run(["resync", "--json"], status: 50)
    #expect(try named(later) == ["ethereum-rpc", place, "Main", "not allowed"])
    let problem = try later.json()["wallets"]?[0]?["problems"]?[0]?.text
    #expect(problem?.hasSuffix("the wallet's own needs your permission: \(place)") == true, "\(later.text)")
    #expect(later.errors.contains("--accept archive-endpoints"))
    // Another server on the same host is not the allowed one.
    try machine.write("[[vault]]\narchive_endpoints = [\"http://127.0.0.1:9\"]\n", to: "config.toml")
    #expect(try machine.run(["resync", "--config", machine.path("config.toml")]).status == 50)
    #expect(try server.requests().isEmpty)
    #expect(try machine.books().balance(of: "Main") == "7")
  }

  @Test(arguments: ["option", "configuration", "endpoint"])
  func `they are asked once the person says so`(way: String) throws {
    let servers = try Machine(isPrepared: false)
    let server = try AnsweringServer(on: servers)
    let place = "http://127.0.0.1:\(server.port)"
    let machine = try successor(naming: ["ethereum-rpc", "\(place)/v3/key"])
    var word = ["--accept=archive-endpoints"]
    if way != "option" {
      let text =
        way == "configuration"
        ? "[[vault]]\narchive_endpoints = [\"\(place)\"]\n"
        : "[[endpoint]]\nkind = \"ethereum-rpc\"\nurl = \"\(place)/v3/key\"\n"
      try machine.write(text, to: "config.toml")
      word = ["--config", machine.path("config.toml")]
      #expect(try machine.run(["config", "validate"] + word).status == 0)
    }
    for command in ["restore", "resync"] {
      let run =
        command == "restore"
        ? try restore(machine, word + ["--json"]) : try machine.run(["resync", "--json"] + word)
      #expect(run.status == 50, "\(run.errors)")
      #expect(try named(run) == (way == "endpoint" ? [] : ["ethereum-rpc", place, "Main", "allowed"]))
      #expect(!run.errors.contains("not asked"), "\(run.errors)")
      let asked = try server.requests()
      #expect(!asked.isEmpty && asked.allSatisfy { $0.hasPrefix("POST /v3/key") })
    }
  }

  @Test func `what is allowed is a server, not a page`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("[[vault]]\n\narchive_endpoints = [\"https://node.test/v3/key\"]\n", to: "config.toml")
    let run = try machine.run(["config", "validate", "--config", machine.path("config.toml")])
    #expect(run.status == 64 && run.errors.contains("config.toml, line 3: "), "\(run.errors)")
    #expect(run.errors.contains("without a path") && !run.errors.contains("v3/key"), "\(run.errors)")
  }

  @Test func `no program is started in a directory that only the archive names`() throws {
    let programs = try Machine(isPrepared: false)
    let script = "#!/bin/sh\necho \"$@\" >>\(programs.path("started"))\nexit 1\n"
    try programs.write(script, to: "bin/bark", permissions: 0o700)
    try Directory.makePrivateDirectories(programs.path("ark"))
    let path = "\(programs.path("bin")):/usr/bin:/bin"
    let machine = try successor(
      naming: ["bark", "file://\(programs.path("ark"))"], family: "bitcoin", chain: "bitcoin-signet")
    let run = try restore(machine, ["--json"], path: path).expect(0)
    #expect(try named(run) == ["bark", programs.path("ark"), "Main", "not allowed"])
    #expect(try machine.run(["resync"], environment: ["PATH": path]).status == 50)
    #expect(!programs.exists("started"))

    try machine.write(
      "[[vault]]\narchive_endpoints = [\"\(programs.path("ark"))\"]\n", to: "config.toml")
    try machine.run(
      ["resync", "--config", machine.path("config.toml")], environment: ["PATH": path], status: 50)
    let started = try programs.text("started")
    #expect(started == "--datadir \(programs.path("ark")) balance\n")
  }
}
