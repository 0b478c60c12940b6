import TestSupport
import Testing

/// Where sources are, and that they are there.
struct SourcePathTests {
  private let machine: Machine

  init() throws {
    machine = try Machine()
    try machine.write(ImportedFiles.keystore, to: "home/keys/UTC--one")
  }

  private func configuration(_ from: String) throws -> [String] {
    try machine.write("[[vault]]\nfrom = [\(from)]\n", to: "home/config.toml")
    return ["--config", machine.path("home/config.toml")]
  }

  private func expectKeystore(_ run: RunResult) throws {
    #expect(run.status == 0, "\(run.errors)")
    let included = try run.json()["sources"]?.elements.compactMap { $0["included"]?["files"] }
    #expect(included?.contains(.number(1)) == true, "\(run.text)")
  }

  @Test func `a home in an option's source is the person's`() throws {
    try expectKeystore(machine.run(["create", "--dry-run", "--json", "--from", "keystore:~/keys"]))
  }

  @Test(arguments: ["~/keys", "keys"])
  func `a path in the configuration's sources is one as everywhere there`(_ path: String) throws {
    let settings = try configuration("\"keystore:\(path)\"")
    try expectKeystore(machine.run(["create", "--dry-run", "--json"] + settings))
  }

  @Test(arguments: [["create"], ["create", "--dry-run"]])
  func `a source that an option names and that is not there is told before any secret is asked for`(
    _ command: [String]
  ) throws {
    let ask = "touch '\(machine.path("asked"))'; cat '\(machine.path("keychain.pass"))'"
    let run = try machine.run(
      command
        + [
          "--target", machine.target, "-p", "command:\(ask)", "--keychain-passphrase-from", "command:\(ask)",
        ]
        + ["--from", "store", "--from", "keystore:~/none"], status: 10)
    #expect(run.errors.contains(machine.path("home/none")), "\(run.errors)")
    #expect(!machine.exists("asked"))
  }

  @Test func `diff --live reads what the configuration's backups read`() throws {
    let settings = try configuration("\"store\", \"keystore:~/keys\"")
    #expect(try machine.create(settings).status == 0)
    let live = ["diff", "latest", "--live", "--exit-code", "--target", machine.target] + settings
    try machine.run(live + machine.secretsToRead, status: 0)
    try machine.write(ImportedFiles.keystore, to: "home/keys/UTC--two")
    let more = try machine.run(live + machine.secretsToRead, status: 60)
    #expect(more.text.contains("files: 1 added"), "\(more.text)")
  }
}
