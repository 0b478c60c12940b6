import FuekiSystem
import TestSupport
import Testing

/// Every command that only looks, against a folder with a stranger's archives above one's own.
struct StrangerPlantTests {
  private static let makes = Installed.runs("/usr/bin/age-keygen")

  /// A command that reads the newest archive, and the words that show that it took one's own.
  struct Reading: Sendable, CustomTestStringConvertible {
    let words: [String]
    var secrets: [String] = []
    var says: String? = nil
    var testDescription: String { words.joined(separator: " ") }
  }

  static let readings = [
    Reading(words: ["show", "latest"], says: "whose     mine"),
    Reading(words: ["verify", "latest"], says: "-000003-"),
    Reading(words: ["verify", "latest", "--depth", "contents"], secrets: ["archive"], says: "-000003-"),
    Reading(words: ["export", "latest", "--output", "exported"], secrets: ["archive"]),
    Reading(words: ["diff", "latest", "--live"], secrets: ["archive", "keychain"], says: "nothing differs"),
    Reading(words: ["key-shares", "check", "latest"], secrets: ["archive"], says: "sound"),
    Reading(words: ["drill", "latest"], secrets: ["archive", "keychain"]),
    Reading(words: ["key", "list", "latest"], says: "passphrase"),
    Reading(words: ["kit", "print", "latest", "--output", "kit.html"]),
    Reading(words: ["checkpoint", "export", "latest"], says: " 3 "),
    Reading(words: ["restore", "latest", "--dry-run"], secrets: ["archive", "keychain"]),
  ]

  @Test(.enabled(if: makes, "this machine has no age-keygen"), arguments: readings)
  func `latest is one's own, and what stands above it is named and left`(_ reading: Reading) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: Plant.allCases)
    let before = try machine.snapshot(of: "target")
    let secrets =
      (reading.secrets.contains("archive") ? machine.archiveSecret : [])
      + (reading.secrets.contains("keychain") ? machine.keychainSecret : [])
    let run = try machine.run(reading.words + ["--target", machine.target] + secrets, status: 0)
    if let says = reading.says { #expect(run.text.contains(says), "\(run.text)") }
    for plant in Plant.allCases {
      let name = try plants.name(of: plant)
      #expect(run.errors.contains("\(name) is a stranger's"), "\(plant) \(run.errors)")
    }
    #expect(try machine.snapshot(of: "target") == before)
  }

  /// Commands that take an archive's contents, or put a name under it.
  enum Taking: String, CaseIterable, Sendable {
    case restore, export, diff, drill, shares, verify
    case keyAdd, keyRemove, keyChangePassphrase, checkpoint, kit

    /// A refusal before any of the archive was read has a sentence of its own.
    var sentence: String {
      switch self {
      case .restore, .export, .diff, .drill, .shares, .verify: "not signed by a trusted signer"
      case .keyAdd, .keyRemove, .keyChangePassphrase, .checkpoint, .kit:
        "is a stranger's: none of the vault's signers signed it"
      }
    }

    func words(_ path: String, _ machine: Machine, _ secrets: [String], _ recipient: String) -> [String] {
      switch self {
      case .restore:
        ["restore", path, "--datadir", machine.path("taken")] + secrets + machine.keychainSecret
          + Machine.quick
      case .export: ["export", path, "--output", machine.path("taken")] + secrets
      case .diff: ["diff", path, "--live"] + secrets + machine.keychainSecret
      case .drill: ["drill", path] + secrets + machine.keychainSecret
      case .shares: ["key-shares", "check", path] + secrets
      case .verify: ["verify", path, "--depth", "contents"] + secrets
      case .keyAdd: ["key", "add", path, "--recipient", recipient] + secrets
      case .keyRemove: ["key", "remove", path, "--slot", "1"] + secrets
      case .keyChangePassphrase:
        ["key", "change-passphrase", path, "--new-passphrase-from", machine.place("passphrase")] + secrets
          + Machine.quick
      case .checkpoint: ["checkpoint", "export", path, "--output", machine.path("taken")]
      case .kit: ["kit", "print", path, "--target", machine.target, "--output", machine.path("taken")]
      }
    }
  }

  @Test(
    .enabled(if: makes, "this machine has no age-keygen"), arguments: Taking.allCases, Plant.allCases)
  func `a stranger's archive that is named is refused`(_ taking: Taking, _ plant: Plant) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: [plant])
    let before = try machine.snapshot(of: "target")
    let state = try machine.snapshot(of: "state").filter { $0.key.contains("vault-") }
    let path = machine.path("target/\(try plants.name(of: plant))")
    let words = taking.words(path, machine, plants.secrets(of: plant, on: machine), plants.recipient)
    let run = try machine.run(words, status: 23)
    #expect((run.text + run.errors).contains(taking.sentence), "\(run.text) \(run.errors)")
    #expect(!machine.exists("taken"))
    #expect(try machine.snapshot(of: "target") == before)
    #expect(try machine.snapshot(of: "state").filter { $0.key.contains("vault-") } == state)
  }

  @Test(.enabled(if: makes, "this machine has no age-keygen"), arguments: Plant.allCases)
  func `a stranger's archive can be looked at, and says whose it is`(_ plant: Plant) throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: [plant])
    let path = machine.path("target/\(try plants.name(of: plant))")
    let shown = try machine.run(["show", path])
    #expect(shown.status == 0 && shown.text.contains("whose     a stranger's"), "\(shown.text)")
    let header = try machine.run(["show", path, "--json"]).json()["header"]
    #expect(header?["whose"] == .string("stranger"))
    // A user who insists gets it, but it does not become the vault's.
    let state = try machine.snapshot(of: "state").filter { $0.key.contains("vault-") }
    let insisted = try machine.run(
      ["restore", path, "--datadir", machine.path("taken"), "--trusted-signer", "any", "--no-resync"]
        + plants.secrets(of: plant, on: machine) + machine.keychainSecret + Machine.quick, status: 0)
    #expect(insisted.errors.contains("nothing shows that this archive is yours"), "\(insisted.errors)")
    #expect(try machine.snapshot(of: "state").filter { $0.key.contains("vault-") } == state)
  }

  @Test(.enabled(if: makes, "this machine has no age-keygen"))
  func `list, status, doctor and verify name what is a stranger's, and judge by one's own`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine(with: Plant.allCases)
    let before = try machine.snapshot(of: "target")
    let list = try machine.run(["list", machine.target, "--json"], status: 0)
    for archive in try list.json()["archives"]?.elements ?? [] {
      let isOwn = archive["sequence"]?.number ?? 9 < 9
      #expect(archive["whose"] == .string(isOwn ? "mine" : "stranger"))
      #expect((archive["chain"] != nil) == isOwn)
    }
    #expect(try list.json()["warnings"] == .array([]))
    let text = try machine.run(["list", machine.target]).text.split(separator: "\n")
    #expect(text.filter { $0.hasSuffix("  a stranger's") }.count == 4)
    #expect(text.filter { $0.hasSuffix("  mine") }.count == 3)

    let status = try machine.run(["status", "--target", machine.target, "--json"], status: 0)
    #expect(try status.json()["targets"]?[0]?["vaults"]?[0]?["sequence"] == .number(3))
    let doctor = try machine.run(["doctor", "-v", "--target", machine.target])
    #expect(doctor.text.contains("4 of 7 are a stranger's"), "\(doctor.text)")

    let verify = try machine.run(["verify", machine.target, "--json"], status: 23)
    for archive in try verify.json()["archives"]?.elements ?? [] {
      let isOwn = archive["whose"] == .string("mine")
      #expect(archive["verdict"] == .string(isOwn ? "ok" : "not-signed-by-a-trusted-signer"))
    }
    #expect(try machine.snapshot(of: "target") == before)
  }

  @Test(.enabled(if: makes, "this machine has no age-keygen"))
  func `a stranger's archive of a number that is taken divides nothing`() throws {
    let plants = try Plants.made.get()
    let machine = try plants.machine()
    let attacker = try Machine()
    try attacker.remove("state")
    try attacker.write(Machine.state(sequence: 2), to: "state/vault-\(plants.vault).json")
    try attacker.remove("target")
    try Directory.makePrivateDirectories(attacker.path("target"))
    #expect(try attacker.create(["--unsigned"]).status == 0)
    let name = try #require(attacker.names(in: "target").first)
    try machine.write(attacker.read("target/\(name)"), to: "target/\(name)")
    let list = try machine.run(["list", machine.target])
    #expect(!list.text.contains("fork") && !list.errors.contains("divides"), "\(list.text)")
    #expect(try machine.run(["verify", machine.target]).status == 23)
    #expect(try machine.run(["verify", "latest", "--target", machine.target]).status == 0)
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(4))
    try machine.run(["prune", "--target", machine.target, "--keep-last", "1"], status: 0)
    #expect(try machine.names(in: "target").count == 2 && machine.exists("target/\(name)"))
  }
}
