import TestSupport
import Testing

/// The secrets of a restored data directory, which are in no other place than this and the archives.
struct HandedOnTests {
  private static let wallet = ".electrum/wallets/default_wallet"

  private let lost: LostMachine
  private var machine: Machine { lost.machine }

  init() throws {
    lost = try LostMachine()
    try lost.write(Array(ImportedFiles.electrum.utf8), to: "home/\(Self.wallet)")
    try lost.create(["electrum:\(machine.path("home/\(Self.wallet)"))"])
    try lost.restore()
  }

  /// Makes an archive on the new machine, with no word on secrets.
  private func create(_ more: [String], status: Int32) throws -> RunResult {
    let run = try machine.run(["create"] + more + machine.secrets, environment: lost.other, status: status)
    return run
  }

  @Test func `they go into the next archive unasked, and a third machine has every file`() throws {
    try machine.write("[[target]]\npath = \"target\"\nkind = \"local\"\n", to: "config.toml")
    let made = try create(["--config", machine.path("config.toml"), "--json"], status: 0).json()
    #expect(made["losses"]?.elements == [])
    let sections = made["sections"]
    #expect(sections?["private-keys"] != nil && sections?["secret-files"] == .number(1), "\(made)")

    let names = try machine.archives()
    #expect(names.count == 2)
    try machine.remove(try #require(names.first))
    let third = try machine.places(of: "third")
    try machine.run(
      ["restore", "latest", "--no-resync", "--files", "home", "--target", machine.target] + machine.secrets,
      environment: third, status: 0)
    #expect(try machine.read("third-home/\(Self.wallet)") == machine.read("home/\(Self.wallet)"))
  }

  @Test func `they go into the next archive after the state is lost, too`() throws {
    try machine.write("[[target]]\npath = \"target\"\nkind = \"local\"\n", to: "config.toml")
    let settings = ["--config", machine.path("config.toml"), "--json"]
    _ = try create(settings, status: 0)
    try machine.remove("new-state")
    for _ in 0..<2 {
      let made = try create(settings, status: 0).json()
      #expect(made["losses"]?.elements == [], "\(made)")
      #expect(made["sections"]?["secret-files"] == .number(1), "\(made)")
    }
  }

  @Test func `a target that others see gets them only by a word, and they are missing until then`() throws {
    let without = try create(["--target", machine.target], status: 3)
    #expect(without.text.contains("MISSING: file ~/\(Self.wallet)"), "\(without.text)")
    #expect(without.text.contains("--accept synced-keys"), "\(without.text)")
    // Without its keys a wallet is no wallet.
    #expect(!(without.text + without.errors).contains("store \"default_wallet\": whole"), "\(without.errors)")
    let with = try create(["--target", machine.target, "--accept=synced-keys"], status: 0)
    #expect(!with.text.contains("MISSING"), "\(with.text)")
  }

  @Test func `a wallet whose file is in the archive is not said to lack its seed`() throws {
    let run = try machine.run(
      ["create", "--include-private-keys", "--accept=synced-keys", "--target", machine.target, "--json"]
        + machine.secrets, environment: lost.other, status: 0)
    let findings = try run.json()["wallets"]?.elements ?? []
    #expect(!findings.isEmpty && findings.allSatisfy { $0["verdict"]?.text != "no-seed" }, "\(findings)")
  }
}
