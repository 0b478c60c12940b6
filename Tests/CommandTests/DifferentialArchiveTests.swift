import CommandSupport
import TestSupport
import Testing

/// A differential archive that another program has made, with its base and without.
struct DifferentialArchiveTests {
  private static let name = "target/differential.fueki"
  private let machine: Machine

  init() throws {
    machine = try Machine(isPrepared: false)
    try machine.write(try TestVectors.file("archives/differential.fueki"), to: Self.name)
    try machine.write("correct horse battery staple", to: "passphrase")
  }

  private func bringBase() throws {
    try machine.write(
      try TestVectors.file("archives/differential-base.fueki"), to: "target/fueki-base.fueki")
  }

  private func run(_ command: String, _ archive: String, _ more: [String] = []) throws -> RunResult {
    try machine.run([command, archive] + machine.archiveSecret + more)
  }

  private func export(_ folder: String, _ more: [String] = []) throws -> RunResult {
    try run(
      "export", machine.path(Self.name),
      ["--format", "csv", "--output", machine.path(folder), "--only", "transactions"] + more)
  }

  @Test func `verify fails where a base is missing, with a secret and without`() throws {
    let archive = machine.path(Self.name)
    let report = machine.path("verify.xml")
    let checksums = try machine.run(["verify", archive, "--report", "junit=\(report)"], status: 26)
    #expect(checksums.text.contains("the archive is whole, but its base is not here: archive 4"))
    let junit = try machine.text("verify.xml")
    #expect(
      junit.contains("tests=\"1\" failures=\"1\"") && junit.contains("type=\"base-missing\""), "\(junit)")
    let json = try machine.run(["verify", archive, "--json"], status: 26)
    #expect(try json.json()["ok"] == .bool(false))
    #expect(try json.json()["archives"]?.elements.first?["verdict"] == .string("base-missing"))
    #expect(try machine.run(["verify", archive, "--depth", "structure"]).status == 0)
    let contents = try run("verify", archive, ["--depth", "contents"])
    #expect(contents.status == 26 && contents.text.contains("base-missing"), "\(contents.text)")
    try bringBase()
    #expect(try !machine.run(["verify", archive]).errors.contains("its base"))
    try run("verify", archive, ["--depth", "contents"]).expect(0)
    var base = try machine.read("target/fueki-base.fueki")
    base[100_000] ^= 1
    try machine.write(base, to: "target/fueki-base.fueki")
    let damaged = try run("verify", archive, ["--depth", "contents"])
    #expect(damaged.status == 20 && damaged.text.contains("its base is not (archive 4"), "\(damaged.text)")
  }

  @Test func `archives of files alone are full ones, and no record is called damaged`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("canary of a file", to: "home/note")
    try machine.write("[[vault]]\nfrom = []\nfull_every = \"30d\"\n", to: "config.toml")
    let create =
      ["create", "--config", machine.path("config.toml"), "--target", machine.target, "--json"]
      + ["--accept=synced-keys", "--from", "file:\(machine.path("home/note"))"] + machine.archiveSecret
      + Machine.quick
    #expect(try machine.run(create).json()["full_reason"] == .string("no-table"))
    let next = try machine.run(create)
    #expect(next.status == 0 && !next.errors.contains("damaged"), "\(next.errors)")
    #expect(try next.json()["full_reason"] == .string("no-history"))
  }

  @Test func `list and show name the base, and say whether it is here`() throws {
    let list = ["list", machine.target]
    #expect(try machine.run(list).text.contains("  on archive 4, "))
    #expect(try machine.run(list).text.contains("which is not here"))
    let shown = try run("show", machine.path(Self.name))
    #expect(shown.status == 0 && shown.text.contains("base      archive 4"), "\(shown.errors)")
    #expect(shown.errors.contains("its base is not here") && shown.text.contains("wallets: 1 record,"))
    #expect(!shown.text.contains("transactions"))
    try bringBase()
    #expect(try !machine.run(list).text.contains("which is not here"))
    let whole = try run("show", machine.path(Self.name))
    #expect(whole.text.contains("transactions: 60 records"), "\(whole.text)\(whole.errors)")
    let json = try machine.run(["list", machine.target, "--json"]).text
    #expect(json.contains("\"at_hand\"") && json.contains("\"base\""))
  }

  @Test func `an export has both files' records, and none where the base is missing`() throws {
    let missing = try export("missing")
    #expect(missing.status == 26 && missing.errors.contains("put its base into the same folder"))
    #expect(!machine.exists("missing"))
    try bringBase()
    let whole = try export("whole")
    // In part: the archive has sections that this version does not know.
    #expect(whole.status == 3, "\(whole.errors)")
    let table = try machine.text("whole/transactions.csv")
    // 60 records and the names of the columns; number 0 was removed.
    #expect(table.split(whereSeparator: \.isNewline).count == 61)
    #expect(table.contains("tx-61") && table.contains("tx-1,") && !table.contains("tx-0,"))
  }

  @Test func `the base may lie in another target`() throws {
    try machine.write(
      try TestVectors.file("archives/differential-base.fueki"), to: "elsewhere/base.fueki")
    try export("found", ["--target", machine.path("elsewhere")]).expect(3)
  }

  @Test func `with --salvage, what the archive itself holds comes back without its base`() throws {
    let run = try export("salvaged", ["--salvage"])
    let said = "of the history, only what changed since its base came back"
    #expect(run.errors.contains(said), "\(run.errors)")
    let table = try machine.text("salvaged/transactions.csv")
    #expect(table.split(whereSeparator: \.isNewline).count == 5)
  }

  @Test func `latest is the newest whose base is here`() throws {
    try machine.run(["verify", "latest", "--target", machine.target], status: 26)
    try bringBase()
    let found = try machine.run(["verify", "latest", "--target", machine.target])
    #expect(found.status == 0 && found.text.contains("differential.fueki"), "\(found.text)\(found.errors)")
    try machine.remove("target/fueki-base.fueki")
    try machine.write(
      try TestVectors.archive("differential-base-signed"), to: "target/other.fueki")
    let older = try machine.run(["verify", "latest", "--target", machine.target])
    #expect(
      older.text.contains("other.fueki") && older.errors.contains("its base is not here"), "\(older.errors)")
  }
}
