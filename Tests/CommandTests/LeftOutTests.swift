import TestSupport
import Testing

/// Things that a source holds and an archive lacks.
struct LeftOutTests {
  /// A wallet of Electrum whose seed is encrypted, and whose Lightning key is not.
  private static let partlyClear = """
    {"seed_version": 60, "wallet_type": "standard", "use_encryption": true, "labels": {"a": "rent"},
    "lightning_xprv": "canary lightning key", "keystore": {"type": "bip32", "derivation": "m/0'", "seed": "AAAA",
    "xpub": "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"}}
    """
  private static let names = [
    "electrum:wallet: wallet: 1 secrets of it are encrypted, and only the file has them; the file is left out",
    "electrum:wallet: private keys: 1 leaves for a synced target only with --accept synced-keys",
    "electrum:wallet: wallet: the file holds secrets in the clear, and leaves for a synced target only with --accept synced-keys",
  ]
  private static let what = "the file holds secrets in the clear"

  private func machine() throws -> Machine {
    let machine = try Machine(isPrepared: false)
    try machine.write(Self.partlyClear, to: "wallet")
    return machine
  }

  private func create(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(
      ["create", "--from", "electrum:wallet", "--target", machine.target] + machine.archiveSecret
        + Machine.quick + more)
  }

  @Test func `nothing is said to be not taken of a wallet whose file is kept whole`() throws {
    let machine = try Machine(isPrepared: false)
    let sealed = Self.partlyClear.replacing("\"lightning_xprv\": \"canary lightning key\", ", with: "")
    #expect(!sealed.contains("canary"))
    try machine.write(sealed, to: "wallet")
    let made = try create(machine).expect(0)
    #expect(!made.text.contains("not taken") && !made.text.contains("MISSING"), "\(made.text)")
  }

  @Test func `a file that holds a secret in the clear is missing, and never said to be kept`() throws {
    let machine = try machine()
    let made = try create(machine)
    #expect(made.status == 3 && made.text.contains("MISSING: wallet: \(Self.what)"), "\(made.text)")
    #expect(!(made.text + made.errors).contains("kept"), "\(made.errors)")
    let json = try create(machine, ["--json"]).expect(3)
    let source = try json.json()["sources"]?[0]
    #expect(source?["complete"] == .bool(false) && source?["excluded"]?.elements.count == 3)
    #expect(try create(machine, ["--dry-run"]).status == 3)
    #expect(try create(machine, ["--on-change"]).status == 3)
    #expect(try create(machine, ["--on-change"]).status == 3)
  }

  @Test func `what is missing is named by show, status, restore and the kit`() throws {
    let machine = try machine()
    #expect(try create(machine).status == 3)
    let target = ["--target", machine.target]
    let show = try machine.run(["show", "latest"] + target + machine.archiveSecret)
    #expect(show.text.contains("missing: wallet: \(Self.what)"), "\(show.text)")

    let status = try machine.run(["status"] + target, status: 3)
    #expect(status.text.hasPrefix("Something needs you in the only target:"), "\(status.text)")
    for name in Self.names { #expect(status.text.contains("MISSING: \(name)"), "\(status.text)") }
    let document = try machine.run(["status", "--json"] + target).json()
    let named = JSONValue.array(Self.names.map { .string($0) })
    #expect(document["ok"] == .bool(false) && document["targets"]?[0]?["vaults"]?[0]?["missing"] == named)

    let kit = try machine.run(["kit", "print"] + target)
    #expect(kit.status == 0 && kit.text.contains("NOT IN IT: electrum:wallet: wallet:"), "\(kit.text)")
    #expect(try machine.run(["kit", "print", "--json"] + target).json()["missing"] == named)

    for dry in [["--dry-run"], []] {
      let restore = ["restore", "latest", "--no-resync"] + target + machine.archiveSecret + dry
      let run = try machine.run(restore + ["--datadir", machine.path("new")], status: 0)
      for name in Self.names {
        #expect(run.errors.contains("already missing when the archive was made: \(name)"), "\(run.errors)")
      }
    }
    let again = try machine.run(
      ["restore", "latest", "--no-resync", "--json", "--datadir", machine.path("newer")] + target
        + machine.archiveSecret)
    #expect(try again.json()["missing"] == named)
  }

  @Test func `a machine that restored the archive names what it lacks too`() throws {
    let machine = try machine()
    #expect(try create(machine).status == 3)
    let other = ["FUEKI_STATE": machine.path("other-state")]
    let target = ["--target", machine.target]
    let before = try machine.run(["status"] + target, environment: other)
    #expect(before.status == 0 && !before.text.contains("MISSING"), "\(before.text)")
    try machine.run(
      ["restore", "latest", "--no-resync"] + target + machine.archiveSecret, environment: other, status: 0)
    let after = try machine.run(["status"] + target, environment: other)
    #expect(after.status == 3 && after.text.contains("MISSING: \(Self.names[0])"), "\(after.text)")
  }

  /// A user who lists a wallet's file wants all of it back.
  @Test func `a file that is named is taken whole, where no target is synced`() throws {
    let machine = try machine()
    try machine.write("[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n", to: "local.toml")
    let local = try create(machine, ["--config", machine.path("local.toml"), "--json"]).expect(0)
    #expect(try local.json()["sections"]?["secret-files"] == .number(1))
    try machine.write(
      "[[target]]\npath = \"\(machine.target)\"\nkind = \"local\"\n[[vault]]\nfrom = [\"electrum:wallet\"]\n",
      to: "named.toml")
    let configured = try machine.run(
      ["create", "--config", machine.path("named.toml")] + machine.archiveSecret + Machine.quick, status: 3)
    #expect(configured.text.contains("leaves only with --include-private-keys"), "\(configured.text)")
    let synced = try create(machine, ["--accept=synced-keys", "--json"]).expect(0)
    #expect(try synced.json()["sections"]?["private-keys"] == .number(1))
  }

  @Test func `what was asked for is whole, and what was declined is not missing`() throws {
    let machine = try machine()
    let target = ["--target", machine.target]
    let declined = try create(machine, ["--exclude", "secrets"])
    #expect(declined.status == 0 && declined.text.contains("left out: wallet:"), "\(declined.text)")
    let show = try machine.run(["show", "latest"] + target + machine.archiveSecret)
    #expect(show.text.contains("left out: secret-files: not asked for"), "\(show.text)")
    #expect(try machine.run(["status"] + target).status == 0)
    let whole = try create(machine, ["--include-private-keys", "--accept=synced-keys", "--json"]).expect(0)
    #expect(try whole.json()["sections"]?["secret-files"] == .number(1))
    #expect(try machine.run(["status"] + target).status == 0)
  }

  /// These were not excluded by request, so an archive lacks part of the file.
  @Test(arguments: [
    ("csv-contacts", "name,address\nAlice,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\nBob,\n", "row 3"),
    (
      "vcard",
      "BEGIN:VCARD\nVERSION:4.0\nFN:Alice\nX-ETH:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\nEND:VCARD\n"
        + "BEGIN:VCARD\nVERSION:4.0\nFN:Bob\nTEL:1\nEND:VCARD\n", "Bob"
    ),
  ])
  func `a person without an address is missing from an archive`(
    kind: String, file: String, name: String
  ) throws {
    let machine = try machine()
    try machine.write(file, to: "people")
    let run = try machine.run(
      ["create", "--from", "\(kind):people", "--target", machine.target] + machine.archiveSecret
        + Machine.quick)
    #expect(run.status == 3 && run.text.contains("MISSING: \(name): "), "\(run.text)")
    #expect(try machine.run(["status", "--target", machine.target]).status == 3)
  }
}
