import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// A user's own files, which are no wallet's: what brings them home on a new machine, and what leaves them in the
/// archive.
struct OwnFileTests {
  private static let recipient = LostStateCommandTests.recipient
  private static let accepted = ["--accept=own-files"]

  /// A lost machine with an archive of `~/papers`.
  private func papers(_ more: [String] = [], _ others: [String] = []) throws -> LostMachine {
    let pair = try LostMachine()
    try pair.write(Array("Dear Satoshi".utf8), to: "home/papers/letter.odt", permissions: 0o755)
    for name in others { try pair.write(Array(name.utf8), to: "home/\(name)", permissions: 0o755) }
    try pair.create(["file:~/papers"] + others.map { "file:~/\($0)" }, more)
    return pair
  }

  private func reasons(_ run: RunResult) throws -> [String: String] {
    let files = try run.json()["files"]?.elements ?? []
    return Dictionary(
      files.map { ($0["place"]?.text ?? "", $0["reason"]?.text ?? $0["fate"]?.text ?? "") },
      uniquingKeysWith: { $1 })
  }

  @Test func `with consent a letter comes home, without execute bits, and without it waits`() throws {
    let pair = try papers()
    let waiting = try pair.putBack(["--json"]).expect(3)
    #expect(try reasons(waiting) == ["~/papers/letter.odt": "own-files"])
    #expect(!pair.machine.exists("new-home/papers"))
    let told = try pair.putBack()
    #expect(told.status == 3 && told.text.contains("--accept own-files"), "\(told.text)")
    try pair.putBack(Self.accepted).expect(0)
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
    // The folder is the program's own now, and a file that is in place needs no consent.
    #expect(try pair.putBack().status == 0)
    try pair.machine.remove("new-home/papers/letter.odt")
    #expect(try pair.putBack().status == 3)
    #expect(try pair.putBack(Self.accepted).status == 0)
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
  }

  @Test func `a restore takes the consent, too`() throws {
    let pair = try papers()
    let words = ["restore", "--no-resync", "--files", "home", "--target", pair.machine.target]
    let waiting = try pair.machine.run(words + pair.machine.secrets, environment: pair.other)
    #expect(waiting.status == 3 && waiting.text.contains("letter.odt"), "\(waiting.text)\(waiting.errors)")
    #expect(!pair.machine.exists("new-home/papers"))
    var other = pair.other
    other["FUEKI_DATADIR"] = pair.machine.path("other-data")
    try pair.machine.run(words + Self.accepted + pair.machine.secrets, environment: other, status: 0)
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
  }

  @Test func `create says what a restore will ask`() throws {
    let pair = try LostMachine()
    try pair.write([1], to: "home/papers/letter.odt")
    let made = try pair.create(["file:~/papers"]).json()
    let said = made["unplaced"]?.elements.map { $0["reason"]?.text }
    #expect(said == ["own-files"])
    let words = try pair.machine.run(
      ["create", "--target", pair.machine.target, "--accept=synced-keys", "--from", "file:~/papers"]
        + pair.machine.archiveSecret + Machine.quick)
    #expect(words.text.contains("put-back asks before it restores ~/papers/letter.odt"), "\(words.text)")
  }

  @Test func `an archive with a second key proves nothing, even to a machine that knows its signer`() throws {
    let pair = try papers(["--recipient", Self.recipient])
    // The state of the old machine, with another home.
    let run = try pair.machine.run(
      ["put-back", "--json", "--target", pair.machine.target] + Self.accepted + pair.machine.archiveSecret,
      environment: ["HOME": pair.machine.path("new-home")], status: 3)
    #expect(try reasons(run) == ["~/papers/letter.odt": "not-proved"])
    #expect(try pair.snapshot(of: "new-home").isEmpty)
    let below = try pair.machine.run(
      ["put-back", "--files", pair.machine.path("below"), "--target", pair.machine.target]
        + pair.machine.archiveSecret)
    #expect(below.status == 0 && pair.machine.exists("below/papers/letter.odt"), "\(below.errors)")
  }

  @Test func `a folder that one archive made is open to another one only if that is proved`() throws {
    let pair = try papers(["--recipient", Self.recipient], ["work/a.json"])
    func putBack() throws -> [String: String] {
      try reasons(
        pair.machine.run(
          ["put-back", "--json", "--target", pair.machine.target] + pair.machine.archiveSecret,
          environment: ["HOME": pair.machine.path("new-home")]))
    }
    #expect(try putBack()["~/work/a.json"] == "placed")
    try pair.machine.remove("new-home/work/a.json")
    // The same archive goes on there.
    #expect(try putBack()["~/work/a.json"] == "placed")
    try pair.write([1], to: "home/work/b.json")
    try pair.create(["file:~/papers", "file:~/work"], ["--recipient", Self.recipient])
    #expect(try putBack()["~/work/b.json"] == "folder-exists")
  }

  @Test func `a typed signer proves an archive with a second key`() throws {
    let pair = try LostMachine()
    let machine = pair.machine
    try machine.run(
      ["key", "new-signer", "--output", machine.path("keys/signing.key"), "--no-passphrase"], status: 0)
    let signer = try SigningMachine.publicKey(machine)
    try pair.write([1], to: "home/papers/letter.odt")
    try pair.create(
      ["file:~/papers"], ["--recipient", Self.recipient, "--sign-key", machine.path("keys/signing.key")])
    func putBack(_ signer: String) throws -> RunResult {
      try machine.run(
        ["put-back", "--json", "--trusted-signer", signer, "--target", machine.target] + Self.accepted
          + machine.archiveSecret, environment: pair.other)
    }
    // A file can come from anywhere.
    let named = try putBack(machine.path("keys/signing.pub"))
    #expect(try reasons(named) == ["~/papers/letter.odt": "not-proved"], "\(named.errors)")
    #expect(try pair.snapshot(of: "new-home").isEmpty)
    try putBack(signer).expect(0)
    #expect(machine.exists("new-home/papers/letter.odt"))
  }

  @Test func `a folder that is there gets neither a letter nor names from which tools take commands`() throws
  {
    let others = [
      "project/cdk.json", "project/nodemon.json", "project/firebase.json", "project/PKGBUILD",
      "project/inventory",
      "project/wallet.dat",
    ]
    let pair = try papers([], others)
    for name in ["papers", "project"] {
      try Directory.makePrivateDirectories(pair.machine.path("new-home/\(name)"))
    }
    let run = try pair.putBack(Self.accepted + ["--json"]).expect(3)
    var expected = ["~/papers/letter.odt": "folder-exists", "~/project/wallet.dat": "placed"]
    for name in others.dropLast() { expected["~/\(name)"] = "folder-exists" }
    #expect(try reasons(run) == expected)
    // A configured source is this machine's own, and the home as a whole is none, nor what it is in.
    for (path, status) in [("~", 3), ("~/..", 3), ("~/project", 3), ("~/papers", 0)] {
      try pair.machine.write(
        "[[source]]\nkind = \"file\"\npath = \"\(path)\"\n", to: "new-home/own.toml")
      let run = try pair.putBack(Self.accepted + ["--config", pair.machine.path("new-home/own.toml")])
      #expect(run.status == Int32(status), "\(path): \(run.errors)\(run.text)")
      #expect(pair.machine.exists("new-home/project/PKGBUILD") == (path.count > 4))
    }
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
  }

  @Test func `into an absent folder such names go, and into the home itself they do not`() throws {
    let pair = try papers([], ["project/cdk.json", "PKGBUILD", "letter.odt"])
    let run = try pair.putBack(["--json"])
    #expect(
      try reasons(run) == [
        "~/papers/letter.odt": "own-files", "~/project/cdk.json": "placed", "~/PKGBUILD": "folder-exists",
        "~/letter.odt": "folder-exists",
      ], "\(run.errors)")
  }

  @Test func `consent opens no hidden folder, no startup place and no folder of tools`() throws {
    let others = [
      ".newtool/letter.odt", "papers/.hidden/letter.odt", ".config/autostart/letter.odt", ".bashrc",
      "papers/a.desktop", "project/sub/plugins/a.js",
    ]
    let pair = try papers([], others)
    try Directory.makePrivateDirectories(pair.machine.path("new-home/project/sub"))
    let run = try pair.putBack(Self.accepted + ["--json"])
    #expect(
      try reasons(run) == [
        "~/papers/letter.odt": "placed", "~/.newtool/letter.odt": "not-for-wallets",
        "~/papers/.hidden/letter.odt": "not-for-wallets", "~/.config/autostart/letter.odt": "startup",
        "~/.bashrc": "startup", "~/papers/a.desktop": "startup",
        "~/project/sub/plugins/a.js": "folder-exists",
      ], "\(run.errors)")
  }

  @Test func `a link leads no letter elsewhere, even if links are followed`() throws {
    let pair = try LostMachine()
    try pair.write([1], to: "home/papers/new/letter.odt")
    try pair.create(["file:~/papers"])
    try Directory.makePrivateDirectories(pair.machine.path("new-home/.newtool"))
    _ = try BuiltBinary.run(
      program: "/bin/ln", ["-s", ".newtool", pair.machine.path("new-home/papers")])
    let run = try pair.putBack(Self.accepted + ["--accept=links"])
    #expect(run.status == 40 && run.errors.contains("is a link to .newtool"), "\(run.errors)\(run.text)")
    #expect(!pair.machine.exists("new-home/.newtool/new"))
  }

  @Test func `a run that was stopped in a folder that it made goes on there`() throws {
    let pair = try LostMachine()
    let names = ["letter.odt", "other.odt"].map { "papers/\($0)" }
    for name in names { try pair.write(Array(name.utf8), to: "home/\(name)") }
    try pair.create(["file:~/papers"])
    // The disk is full for the second file: its folder is there when the next run begins.
    try pair.write(Array(repeating: 7, count: 1 << 20), to: "home/papers/large.odt")
    try pair.create(["file:~/papers"])
    let limited = try pair.putBack(
      Self.accepted, through: ["/bin/sh", "-c", "trap '' XFSZ; ulimit -f 512; exec \"$@\"", "sh"])
    #expect(limited.status != 0, "\(limited.errors)")
    #expect(pair.machine.exists("new-home/papers"))
    try pair.putBack(Self.accepted).expect(0)
    for name in names + ["papers/large.odt"] { try pair.expectSame(name) }
  }

  @Test(.enabled(if: Strace.isPermitted, Comment(rawValue: Strace.reason)))
  func `a run that was killed after it made the folder goes on there`() throws {
    let pair = try papers()
    let killed = try pair.putBack(
      Self.accepted,
      through: [Strace.program, "-f", "-qq", "-o", "/dev/null", "-P", pair.machine.path("new-home/papers")]
        + ["-e", "inject=renameat2:signal=KILL:when=1"])
    #expect(killed.status != 0, "\(killed.errors)")
    try pair.putBack(Self.accepted).expect(0)
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
  }

  @Test(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
  func `on a terminal the files are listed, and asked about once`() throws {
    let pair = try papers()
    let declined = try pair.machine.type(
      [("put your own files back", "")],
      ["put-back", "--target", pair.machine.target] + pair.machine.archiveSecret, environment: pair.other)
    #expect(declined.status == 3 && declined.text.contains("~/papers/letter.odt"), "\(declined.text)")
    #expect(!pair.machine.exists("new-home/papers"))
    try pair.machine.type(
      [("put your own files back", "yes")],
      ["put-back", "--target", pair.machine.target] + pair.machine.archiveSecret, environment: pair.other,
      status: 0)
    try pair.expectSame("papers/letter.odt", permissions: 0o600)
  }
}
