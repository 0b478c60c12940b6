import FuekiSystem
import TestSupport
import Testing

/// A restore into a data directory with a wallet in it.
@Suite(.enabled(if: Wallets.canBeEdited, "this machine has no python3 with SQLite"))
struct MergeTests {
  @Test func `a missing record comes back, and a different record stops the restore`() throws {
    let machine = try Machine()
    try Wallets.edit(machine, "data", "DELETE FROM contacts WHERE row_id = 1")
    let before = try machine.snapshot(of: "data")
    let first = try machine.restore("latest", to: "data", ["--json"], status: 0)
    #expect(try first.json()["merged"]?["contacts"]?["added"] == .number(1))
    let previous = try #require(try first.json()["previous"]?.text)
    let name = String(previous.split(separator: "/").last ?? "")
    for (path, bytes) in before { #expect(try machine.read(name + path.dropFirst("data".count)) == bytes) }
    let after = try machine.snapshot(of: "data")
    let again = try machine.restore("latest", to: "data", ["--json"], status: 0)
    #expect(try again.json()["previous"] == nil && again.json()["conflicts"] == .array([]))
    // A reader of the store keeps its shared memory in a file, which has no record.
    func isKept(_ file: (key: String, value: [UInt8])) -> Bool { !file.key.hasSuffix("-shm") }
    #expect(try machine.snapshot(of: "data").filter(isKept) == after.filter(isKept))

    try Wallets.edit(machine, "data", "UPDATE contacts SET name = 'other' WHERE row_id = 2")
    let edited = try machine.snapshot(of: "data")
    let stopped = try machine.restore("latest", to: "data", ["--json"], status: 40)
    #expect(try stopped.json()["conflicts"]?[0]?["section"] == .string("contacts"))
    #expect(try stopped.json()["conflicts"]?[0]?["fields"] == .array([.string("name")]))
    #expect(try machine.snapshot(of: "data") == edited)
    let told = try machine.restore("latest", to: "data")
    #expect(
      told.status == 40 && told.errors.contains("--on-conflict") && told.errors.contains("name differs"))
    let replaced = try machine.restore("latest", to: "data", ["--on-conflict", "replace"], status: 0)
    #expect(replaced.errors.contains("the archive's took its place"))
    #expect(try machine.restore("latest", to: "data").status == 0)

    let listed = try machine.run(["restore", "--discard-previous", "--dry-run"])
    #expect(listed.status == 0 && listed.text.contains(name))
    #expect(machine.exists(name))
    try machine.run(["restore", "--discard-previous", "--json"], status: 0)
    #expect(!machine.exists(name) && machine.exists("data/wallet.sqlite"))
    #expect(try machine.run(["restore", "--discard-previous"]).status == 0)
  }

  @Test func `whom a payment would go to is told, and a name cannot steer the terminal`() throws {
    let machine = try Machine()
    let address = "0x" + String(repeating: "11", count: 20)
    // Clears the screen, begins a line of its own, and turns the reading direction.
    try Wallets.edit(
      machine, "data",
      """
      UPDATE contacts SET name = 'A' || char(27) || '[2J' || char(10) || 'restored to B' || char(8238),
      address = X'01\(address.dropFirst(2))' WHERE row_id = 2
      """)
    let spelt = #""A\u{1b}[2J\u{a}restored to B\u{202e}" is paid at \#(address) here, and is paid at "#
    let stopped = try machine.restore("latest", to: "data", status: 40)
    #expect(stopped.errors.contains("name, address differ; \(spelt)"), "\(stopped.errors)")
    let planned = try machine.restore("latest", to: "data", ["--dry-run"])
    #expect(planned.status == 0 && planned.text.contains(spelt), "\(planned.text)")
    let document = try machine.restore("latest", to: "data", ["--json"]).json()
    #expect(document["conflicts"]?[0]?["address"]?["there"] == .string(address))
    let replaced = try machine.restore("latest", to: "data", ["--on-conflict", "replace"])
    #expect(replaced.status == 0 && replaced.errors.contains("the archive's took its place; \(spelt)"))
    for run in [stopped, planned, replaced] {
      #expect((run.text + run.errors).contains(" in the archive\n"))
      #expect(!(run.text + run.errors).unicodeScalars.contains { ["\u{1b}", "\u{202e}"].contains($0) })
    }
  }

  @Test func `a new contact that resembles an existing one is reported, and added`() throws {
    let machine = try Machine()
    let address = "0x" + String(repeating: "11", count: 20)
    try Wallets.edit(
      machine, "data",
      "UPDATE contacts SET id = X'0400112233445566778899AABBCCDDEEFF', "
        + "address = X'01\(address.dropFirst(2))' WHERE row_id = 2")
    let told = "is here already, and is paid at \(address). This one in the archive is paid at "
    let planned = try machine.restore("latest", to: "data", ["--dry-run"])
    #expect(planned.status == 0 && planned.errors.contains(told), "\(planned.errors)")
    let document = try machine.restore("latest", to: "data", ["--dry-run", "--json"]).json()
    #expect(document["namesakes"]?[0]?["there"] == .string(address))
    #expect(document["conflicts"] == .array([]))
    let merged = try machine.restore("latest", to: "data", ["--quiet"])
    #expect(merged.status == 0 && merged.errors.contains(told), "\(merged.errors)")
    let again = try machine.restore("latest", to: "data", ["--json"]).json()
    #expect(again["namesakes"] == .array([]) && again["conflicts"] == .array([]))
  }

  @Test(.enabled(if: Namespace.isPermitted, "unshare -Urm is not permitted here"), arguments: [60, 200])
  func `a full disk is called that, and nothing is left on it`(kibibytes: Int) throws {
    let machine = try Machine()
    let run = try machine.run(
      ["restore", "latest", "--target", machine.target, "--datadir", machine.path("small/data")]
        + machine.secrets,
      through: Namespace.shell(
        "mkdir small && mount -t tmpfs -o size=\(kibibytes)k small small && \"$@\"; status=$?; ls -A small >left; exit $status",
        machine))
    #expect(run.status == 1 && run.errors.contains("no space left on the device"), "\(run.errors)")
    #expect(run.errors.contains("free some space"))
    #expect(try machine.read("left").isEmpty)
  }

  @Test func `what was there is not discarded while the wallet in its place is not whole`() throws {
    let machine = try Machine()
    try machine.copy("data", to: "data.before-restore-20261121T063000Z")
    try machine.copy("data", to: "data.before-restore-mine")
    var store = try machine.read("data/wallet.sqlite")
    for place in 8192..<min(store.count, 80_000) { store[place] = 0xA5 }
    try machine.write(store, to: "data/wallet.sqlite")
    #expect(try machine.run(["restore", "--discard-previous"]).status != 0)
    #expect(machine.exists("data.before-restore-20261121T063000Z"))
    try machine.remove("data")
    #expect(try machine.run(["restore", "--discard-previous"]).status == 10)
    try machine.copy("data.before-restore-20261121T063000Z", to: "data")
    #expect(try machine.run(["restore", "--discard-previous"]).status == 0)
    #expect(!machine.exists("data.before-restore-20261121T063000Z"))
    // Whatever else has such a name is not a restore's.
    #expect(machine.exists("data.before-restore-mine"))
  }

  @Test func `what was there is not discarded while the keychain in its place is not whole`() throws {
    let machine = try Machine()
    let kept = "data.before-restore-20261121T063000Z"
    try machine.copy("data", to: kept)
    let good = try machine.read("data/keychain.sealed")
    var flipped = good
    flipped[good.count / 2] ^= 1
    for bytes in [Array("garbage".utf8), [], Array(good.dropLast(1)), flipped, nil] {
      if let bytes {
        try machine.write(bytes, to: "data/keychain.sealed")
      } else {
        try machine.remove("data/keychain.sealed")
      }
      let run = try machine.run(["restore", "--discard-previous"])
      #expect(run.status == 20 && run.errors.contains("nothing was removed"), "\(run.errors)")
      #expect(try machine.read("\(kept)/keychain.sealed") == good)
    }
    try machine.write(good, to: "data/keychain.sealed")
    #expect(try machine.run(["restore", "--discard-previous"]).status == 0)
    #expect(!machine.exists(kept))
    // Where there never was one, none is missed.
    try machine.remove("data/keychain.sealed")
    try machine.copy("data", to: kept)
    #expect(try machine.run(["restore", "--discard-previous"]).status == 0)
  }

  @Test func `a reference to a row that is not there is told from damage`() throws {
    let machine = try Machine()
    try machine.copy("data", to: "data.before-restore-20261121T063000Z")
    try Wallets.edit(machine, "data", "UPDATE transactions SET wallet_row = 987654 WHERE row_id = 1")
    let run = try machine.run(["restore", "--discard-previous"], status: 1)
    #expect(run.errors.contains("a row of transactions refers to a row of wallets that is not there"))
    #expect(run.errors.contains("is kept") && !run.errors.contains("damaged"))
    #expect(machine.exists("data.before-restore-20261121T063000Z"))
  }

  @Test func `a wallet that another program has open is refused`() throws {
    let machine = try Machine()
    try Wallets.edit(machine, "data", "DELETE FROM contacts WHERE row_id = 1")
    let script = """
      import sqlite3, subprocess, sys
      wallet = sqlite3.connect(sys.argv[1])
      wallet.execute('SELECT count(*) FROM wallets').fetchall()
      sys.exit(subprocess.run(sys.argv[2:]).returncode)
      """
    let before = try machine.snapshot(of: "data").keys.sorted()
    let run = try machine.run(
      ["restore", "latest", "--target", machine.target] + machine.secrets,
      through: [Wallets.python, "-c", script, machine.path("data/wallet.sqlite")], status: 11)
    #expect(run.errors.contains("running"))
    #expect(try machine.snapshot(of: "data").keys.sorted() == before)
    #expect(try machine.names(in: ".").filter { $0.contains("restor") }.isEmpty)
    #expect(try machine.restore("latest", to: "data").status == 0)
  }

  @Test func `the keychain's own secret is what a merge needs`() throws {
    let machine = try Machine()
    try Wallets.edit(machine, "data", "DELETE FROM contacts WHERE row_id = 1")
    try machine.write("some other passphrase of forty bytes", to: "wrong")
    let before = try machine.snapshot(of: "data")
    let run = try machine.run(
      ["restore", "latest", "--target", machine.target] + machine.archiveSecret
        + ["--keychain-passphrase-from", machine.place("wrong")], status: 12)
    #expect(run.errors.contains("the wallet on this machine"))
    #expect(try machine.snapshot(of: "data") == before)
    #expect(try machine.names(in: ".").filter { $0.contains("restor") }.isEmpty)
  }

  @Test func `a dry run says what would be added, is equal, and differs, and writes nothing`() throws {
    let machine = try Machine()
    try Wallets.edit(
      machine, "data",
      "DELETE FROM contacts WHERE row_id = 1; UPDATE contacts SET notes = 'x' WHERE row_id = 2")
    let before = try machine.snapshot(of: "data")
    let names = try machine.names(in: ".")
    let run = try machine.restore("latest", to: "data", ["--dry-run", "--json"], status: 0)
    let plan = try run.json()["plan"]
    #expect(plan?["contacts"]?["added"] == .number(1) && plan?["contacts"]?["differs"] == .number(1))
    #expect(plan?["transactions"]?["equal"] == .number(50) && plan?["key-shares"]?["equal"] == .number(2))
    #expect(try run.json()["conflicts"]?[0]?["fields"] == .array([.string("notes")]))
    #expect(try machine.snapshot(of: "data") == before)
    #expect(try machine.names(in: ".") == names)
    // Into a new place everything is new.
    let new = try machine.restore("latest", to: "new", ["--dry-run", "--json"])
    #expect(try new.json()["plan"]?["transactions"]?["added"] == .number(50))
    #expect(!machine.exists("new"))
  }

  @Test func `of chosen wallets comes what is theirs, and nothing else`() throws {
    let machine = try Machine()
    let script = "import json; print([json.loads(line)['id'] for line in open('out/wallets.jsonl')][1])"
    try machine.run(
      ["export", "latest", "--only", "wallets", "--output", machine.path("out"), "--target", machine.target]
        + machine.archiveSecret, status: 0)
    let listed = try BuiltBinary.run(program: Wallets.python, ["-c", script], cwd: machine.root)
    let id = listed.text.filter { !$0.isWhitespace }
    let run = try machine.restore("latest", to: "one", ["--wallet", id, "--json"], status: 0)
    let restored = try #require(try run.json()["restored"])
    #expect(restored["wallets"] == .number(1))
    #expect(restored["contacts"] == nil && restored["messages"] == nil)
    let count = try #require(restored["transactions"]?.number)
    #expect(count > 0 && count < 50)
    let others = try Wallets.query(
      machine, "one",
      "SELECT count(*) FROM transactions WHERE wallet_row IS NULL UNION ALL SELECT count(*) FROM unclaimed_receipts"
    )
    #expect(others == "0 0")
    let dry = try machine.restore("latest", to: "two", ["--wallet", id, "--dry-run", "--json"])
    #expect(try dry.json()["plan"]?["transactions"]?["added"] == .number(count))
    // A UUID is the same one in small letters.
    let small = try machine.restore(
      "latest", to: "two", ["--wallet", id.lowercased(), "--dry-run", "--json"])
    #expect(try id != id.lowercased() && small.json()["plan"] == dry.json()["plan"])
    #expect(try machine.restore("latest", to: "two", ["--wallet", "none"]).status == 10)
    #expect(!machine.exists("two"))
  }

  @Test func `wrong usage is told`() throws {
    let machine = try Machine()
    #expect(try machine.run(["restore"]).status == 64)
    #expect(try machine.run(["restore", "latest", "--discard-previous"]).status == 64)
    #expect(try machine.restore("latest", to: "data", ["--on-conflict", "merge"]).status == 64)
  }
}
