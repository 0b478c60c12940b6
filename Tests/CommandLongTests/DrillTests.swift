import FuekiSystem
import TestSupport
import Testing

/// A restore for practice, by the program.
struct DrillTests {
  private func drill(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(["drill", "--target", machine.target] + machine.secretsToRead + more)
  }

  /// Where drills are held in these tests, so that what is left there is seen.
  private func room(_ machine: Machine) throws -> [String] {
    try Directory.makePrivateDirectories(machine.path("room"))
    return ["--scratch", machine.path("room")]
  }

  private func status(_ machine: Machine, _ more: [String] = []) throws -> RunResult {
    try machine.run(["status", "--target", machine.target] + more)
  }

  private func sql(_ machine: Machine, _ statements: String) throws {
    let script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).executescript(sys.argv[2])"
    let run = try BuiltBinary.run(
      program: "/usr/bin/python3", ["-c", script, "\(machine.data)/wallet.sqlite", statements])
    #expect(run.status == 0, "\(run.errors)")
  }

  @Test func `every record comes back, nothing is left, and status and doctor know`() throws {
    let machine = try Machine()
    let before = try machine.snapshot(of: "data").filter { $0.key.hasSuffix(".sealed") }
    let run = try drill(machine, room(machine)).expect(0)
    #expect(run.text.contains("records came back as they were. Everything is wiped"))
    #expect(run.text.contains("key shares: sound; enough"))
    #expect(run.text.contains("the wallet has not changed since the archive"))
    #expect(try machine.names(in: "room").isEmpty)
    #expect(try machine.snapshot(of: "data").filter { $0.key.hasSuffix(".sealed") } == before)

    let json = try drill(machine, room(machine) + ["--json"]).json()
    #expect(json["result"] == .string("same") && json["differences"] == .object([:]))
    #expect(json["restored"]?["transactions"] == .number(50) && json["restored"]?["key-shares"] == .number(2))
    #expect(json["live"] == .object([:]))
    #expect(try status(machine, ["--max-drill-age", "1h"]).status == 0)
    let doctor = try machine.run(["doctor", "-v", "--target", machine.target])
    #expect(doctor.text.contains("ago, of "), "\(doctor.text)")
  }

  /// A wallet of Electrum in the clear: channels, descriptors and members of its own are in its record.
  private static let electrum = """
    {"seed_version": 60, "wallet_type": "standard", "use_encryption": false, "labels": {"a": "rent"}, "channels":
    {"x": {}}, "stored_height": 100, "gap_limit": 21, "contacts": {"bc1q": ["address", "Bob"]}, "keystore": {"type":
    "bip32", "derivation": "m/0'", "root_fingerprint": "f4a32e43", "seed": "canary salmon nut prepare", "xpub":
    "vpub5W2G8Rz9D4Ucn9hVrnMcVLTozmTFVxeLkcWvyzNid6YS7S3phL3d1m1Ufx3WA2NySx4RDC4Dk6T9SkDvNz6FndkmbtWooPBM5JtFc7yBk5u"
    }}
    """

  @Test(arguments: [
    ("electrum", electrum), ("keystore", RestoreProofTests.keystore(of: RestoreProofTests.one)),
    ("bip329", "{\"type\": \"addr\", \"ref\": \"a\", \"label\": \"b\"}\n"),
    (
      "fueki-app",
      """
      {"wallets": [{"id": "w", "name": "W", "x": 1, "createdAt": 1, "address": "0x0"}], "transactionHistory": [
      {"id": "t", "walletId": "w", "hash": "0xab", "gasPrice": 1, "y": 2, "receipt": {"id": "r", "gasUsed": 1, "z": 3}}]}
      """
    ),
    ("csv-contacts", "name,address,tag\nAlice,0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed,x\n"),
  ])
  func `what was taken from another wallet's files comes back as it was`(kind: String, file: String) throws {
    let machine = try Machine(isPrepared: false)
    try machine.write(file, to: "file")
    try machine.run(
      ["create", "--from", "\(kind):file", "--target", machine.target, "--include-private-keys"]
        + ["--accept=synced-keys"] + machine.archiveSecret + Machine.quick, status: 0)
    let held = try machine.run(
      ["drill", "--target", machine.target, "--json"] + machine.archiveSecret + room(machine), status: 0)
    #expect(try held.json()["differences"] == .object([:]), "\(held.text)")
    #expect(try status(machine, ["--max-drill-age", "1h"]).status == 0)
  }

  @Test func `of a drill that went wrong status says when it was, and never that there was none`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    #expect(try drill(machine, room(machine) + ["--no-live"]).status == 0)
    let name = try #require(try machine.names(in: "state").first { $0.hasPrefix("drill-") })
    let line = try machine.text("state/\(name)")
    // Unsigned, because the machine's own signature is of another result.
    var fields = line.split(separator: " ").map(String.init)
    try #require(fields.count == 9 && fields[5] == "same")
    fields.replaceSubrange(5..., with: ["differs", fields[6], "-", "-\n"])
    try machine.write(fields.joined(separator: " "), to: "state/\(name)")
    let run = try status(machine)
    #expect(run.status == 60 && run.text.contains("  failed "), "\(run.text)")
    let vault = try status(machine, ["--json"]).json()["targets"]?[0]?["vaults"]?[0]
    #expect(vault?["failed_drill"]?.text?.hasPrefix("20") == true)
  }

  @Test func `a keystore is proved with its password`() throws {
    let machine = try Machine()
    try machine.write(RestoreProofTests.keystore(of: RestoreProofTests.one), to: "UTC--one")
    #expect(try machine.run(["import", machine.path("UTC--one")]).status == 0)
    #expect(try machine.create().status == 0)
    try machine.write(RestoreProofTests.password + "\n", to: "keystore.pass")
    for (option, result) in [
      ([], "not-checked"), (["--keystore-password-from", machine.place("keystore.pass")], "proved"),
    ] {
      let run = try drill(machine, room(machine) + ["--json", "--no-live"] + option).expect(0)
      let proof = try run.json()["proofs"]?.elements.last
      #expect(proof?["name"] == .string("UTC--one") && proof?["result"] == .string(result))
    }
  }

  @Test func `without a drill, status says never, and fails where one is asked for`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    #expect(try status(machine).status == 0)
    let run = try status(machine, ["--max-drill-age", "90d"])
    #expect(run.status == 60 && run.text.contains("the last drill that went well: never"), "\(run.text)")
  }

  @Test(.enabled(if: DrillTests.memoryHasRoom, "this machine has no memory to hold a drill in"))
  func `it is held in memory where that is to be had`() throws {
    let machine = try Machine()
    let json = try drill(machine, ["--json", "--no-live"]).json()
    #expect(json["in_memory"] == .bool(true))
    #expect(json["live"] == nil)
    let onDisk = try drill(machine, room(machine) + ["--json", "--no-live"]).json()
    #expect(try onDisk["in_memory"] == .bool(Directory.open(machine.path("room")).isInMemory()))
  }

  /// Other drills that are held at the same moment take some of it.
  private static var memoryHasRoom: Bool {
    guard let memory = try? Directory.open("/dev/shm"), let free = try? memory.freeBytes() else {
      return false
    }
    return (try? memory.isInMemory()) == true && free > 1 << 30
  }

  @Test func `what the wallet has done since is told, and is no fault`() throws {
    let machine = try Machine()
    try sql(
      machine,
      "UPDATE contacts SET name = 'canary' WHERE row_id = 3; DELETE FROM transactions WHERE row_id = 7")
    let run = try drill(machine).expect(0)
    #expect(
      run.text.contains("the wallet since then: contacts: 1 changed; transactions: 1 removed"), "\(run.text)")
    #expect(!run.text.contains("canary"))
    // Without a secret for the keychain, the drill still runs.
    let alone = try machine.run(["drill", "--target", machine.target] + machine.archiveSecret)
    #expect(alone.status == 0 && alone.errors.contains("not compared with the wallet"))
  }

  @Test(.enabled(if: Fixtures.folder("tss-lib") != nil, "the fixtures are not here"))
  func `shares that are not sound end with 60, and stay a problem until a drill goes well`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    for party in 0..<3 {
      let file = try Fixtures.file("tss-lib/keygen_data_\(party).json")
      try machine.write(file, to: "shares/keygen_data_\(party).json")
    }
    let create =
      ["create", "--from", "tss-lib:shares", "--target", machine.target] + machine.archiveSecret
      + Machine.quick
    let drill = ["drill", "--target", machine.target] + machine.archiveSecret
    #expect(try machine.run(create).status == 0)
    let text = try machine.text("shares/keygen_data_1.json")
    let place = try #require(text.firstRange(of: "\"Xi\": ")).upperBound
    let wrong = text[..<place] + (text[place] == "1" ? "2" : "1") + text[text.index(after: place)...]
    try machine.write(String(wrong), to: "shares/keygen_data_1.json")
    #expect(try machine.run(create).status == 60)

    let run = try machine.run(drill)
    #expect(run.status == 60 && run.text.contains("DIFFERS"), "\(run.text) \(run.errors)")
    let told = try status(machine)
    #expect(told.status == 60 && told.text.contains("the last drill, of "))
    // What was kept although it is not sound comes back as it was.
    let restored = try machine.restore("latest", to: "restored", ["--json"])
    let json = try restored.json()
    #expect(json["restored"]?["key-shares"] == .number(3), "\(restored.errors)")
    #expect(json["wallets"]?.elements.contains { $0["verdict"] == .string("faulty") } == true)
    let good = try #require(machine.archives().first)
    try machine.run(drill + [machine.path(good)], status: 0)
    // The newest archive still has the share.
    let left = try status(machine)
    #expect(left.status == 60 && !left.text.contains("the last drill, of "), "\(left.text)")
    #expect(left.text.contains("keygen_data_1.json\": NOT SOUND"), "\(left.text)")
    try machine.write(text, to: "shares/keygen_data_1.json")
    #expect(try machine.run(create).status == 0)
    #expect(try status(machine).status == 0)
  }

  @Test func `hooks are run around it`() throws {
    let machine = try Machine()
    try machine.write(
      "[hooks]\nfinally = 'echo \"$FUEKI_COMMAND $FUEKI_STATUS $FUEKI_SEQUENCE\" >> told'\n",
      to: "config.toml")
    let config = ["--config", machine.path("config.toml"), "--no-live"]
    #expect(try drill(machine, config).status == 0)
    #expect(try machine.text("told") == "drill 0 1\n")
  }

  @Test func `a wrong passphrase, a damaged archive and a missing archive are no drill`() throws {
    let machine = try Machine()
    try machine.write("something else entirely", to: "wrong")
    let room = try room(machine)
    try machine.run(
      ["drill", "--target", machine.target, "-p", machine.path("wrong")] + room, status: 12)
    #expect(try drill(machine, ["0000feed"] + room).status == 10)
    let archive = try #require(machine.archives().first)
    try machine.damage(archive)
    #expect(try drill(machine, room).status == 20)
    #expect(try machine.names(in: "room").isEmpty)
    #expect(try machine.names(in: "state").allSatisfy { !$0.hasPrefix("drill-") })
  }

  @Test func `what a killed run has left is wiped by the next, and nothing else`() throws {
    let machine = try Machine()
    let room = try room(machine)
    try machine.write("a history", to: "room/.fueki-drill-0123456789ab/wallet/wallet.sqlite")
    try Directory.makePrivateDirectories(machine.path("room/.fueki-drill-mine"))
    #expect(try drill(machine, room).status == 0)
    #expect(try machine.names(in: "room") == [".fueki-drill-mine"])
  }

  @Test(.enabled(if: Installed.runs("/usr/bin/age-keygen"), "this machine has no age-keygen"))
  func `a secret that opens a part drills that part, and ends with 3`() throws {
    let machine = try Machine()
    try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", machine.path("identity")]).expect(0)
    let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", machine.path("identity")])
    let recipient = shown.text.split(separator: "\n").map(String.init).first ?? ""
    #expect(try machine.create(["--recipient", "\(recipient)=history"]).status == 0)
    try machine.run(
      ["drill", "--target", machine.target, "--identity", machine.path("identity"), "--no-live"], status: 3)
    let vault = try status(machine, ["--json"]).json()["targets"]?[0]?["vaults"]?[0]
    #expect(vault?["id"]?.text != nil && vault?["drill"]?.text == nil)
  }

  /// The manual page documents the signed bytes, and Python's libsodium verifies them.
  @Test(.enabled(if: Installed.runs("/usr/bin/python3"), "this machine has no python3"))
  func `the result is signed as the page says`() throws {
    let machine = try Machine()
    let key = machine.path("signing.key")
    #expect(try machine.run(["key", "new-signer", "--no-passphrase", "--output", key]).status == 0)
    try drill(machine, ["--sign-key", key, "--output", machine.path("result")]).expect(0)
    let script = """
      import struct, sys
      from nacl.signing import VerifyKey
      word, vault, sequence, digest, time, result, records, signer, signature = open(sys.argv[1]).read().split()
      assert word == "fueki-drill-1"
      message = b"fueki/1 drill" + bytes.fromhex(vault) + struct.pack("<Q", int(sequence))
      message += bytes.fromhex(digest) + struct.pack("<Q", int(time))
      message += bytes([["same", "partial", "differs"].index(result)]) + struct.pack("<Q", int(records))
      VerifyKey(bytes.fromhex(signer)).verify(message + bytes.fromhex(signer), bytes.fromhex(signature))
      """
    try BuiltBinary.run(program: "/usr/bin/python3", ["-c", script, machine.path("result")]).expect(0)
    // A changed line is not trusted.
    let name = try #require(machine.names(in: "state").first { $0.hasPrefix("drill-") })
    let line = try machine.text("state/\(name)")
    try machine.write(line.replacing(" same ", with: " differs "), to: "state/\(name)")
    #expect(try status(machine).status == 60)
  }
}
