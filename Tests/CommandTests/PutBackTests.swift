import CommandSupport
import FuekiSystem
import TestSupport
import Testing

/// Files of other programs: out of a home, through an archive, and back on another machine.
struct PutBackTests {
  private static let python = "/usr/bin/python3"

  private static let files: [(source: String, name: String, text: String)] = [
    ("electrum:~/.electrum/wallets", ".electrum/wallets/default_wallet", ImportedFiles.electrum),
    ("keystore:~/.ethereum/keystore", ".ethereum/keystore/UTC--one", ImportedFiles.keystore),
    (
      "fueki-app:~/Backups/backup-1.json", "Backups/backup-1.json", ImportedFiles.contacts["first.json"] ?? ""
    ),
    (
      "bip329:~/labels.jsonl", "labels.jsonl",
      #"{"type":"addr","ref":"bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq","label":"rent"}"# + "\n"
    ),
    (
      "vcard:~/people.vcf", "people.vcf",
      "BEGIN:VCARD\nVERSION:4.0\nFN:A\nX-ETH:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed\nEND:VCARD\n"
    ),
    (
      "csv-contacts:~/people.csv", "people.csv",
      "name,address\nA,bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq\n"
    ),
    ("file:~/.config/solana", ".config/solana/keys/id.json", "[1,2,3]"),
    ("file:~/.bitcoin/wallet.dat", ".bitcoin/wallet.dat", ""),
  ]

  @Test func `files of many kinds come back byte for byte, with mode and time`() throws {
    let pair = try LostMachine()
    for file in Self.files { try pair.write(Array(file.text.utf8), to: "home/\(file.name)") }
    // More than a part, of bytes that no text has.
    let large = (0..<(9 << 20) + 5).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 9) }
    try pair.write(large, to: "home/.bitcoin/wallet.dat", permissions: 0o644)
    try pair.write([0xFF, 0, 1], to: "home/.config/solana/keys/run.json", permissions: 0o750)
    try pair.create(Self.files.map(\.source))
    try pair.restore()
    let dry = try pair.putBack(["--dry-run"])
    #expect(try dry.status == 0 && pair.snapshot(of: "new-home").isEmpty, "\(dry.errors)\(dry.text)")
    let run = try pair.putBack(["--json"]).expect(0)
    let json = try run.json()
    #expect(json["schema"] == .string("fueki.put-back/1") && json["complete"] == .bool(true))
    let programs = json["files"]?.elements.compactMap { $0["program"]?.text } ?? []
    #expect(Set(programs).isSuperset(of: ["electrum", "geth", "fueki", "solana", "bitcoin-core"]))
    for file in Self.files { try pair.expectSame(file.name) }
    // A wallet's file is never run.
    try pair.expectSame(".config/solana/keys/run.json", permissions: 0o600)
    #expect(try pair.machine.names(in: "new-home/.electrum/wallets") == ["default_wallet"])
    let again = try pair.putBack()
    #expect(again.status == 0 && again.text.contains("there already"), "\(again.errors)")
  }

  @Test func `names with line breaks, tabs and escapes come back, and are shown spelt out`() throws {
    let pair = try LostMachine()
    let names = ["new\nline", "tab\there", "esc\u{1B}[1m", "\u{7F}", "\u{301}"].map { "keys/\($0)/f\r" }
    for name in names { try pair.write(Array(name.utf8), to: "home/\(name)") }
    try pair.create(["file:~/keys"])
    try pair.restore()
    let run = try pair.putBack().expect(0)
    for name in names { try pair.expectSame(name) }
    #expect(run.text.contains("esc\\u{1b}[1m") && !run.text.contains("\u{1B}"), "\(run.text)")
  }

  @Test(
    .enabled(
      if: Installed.runs(python, ["-c", "import cryptography"]), "this machine has no python3-cryptography"))
  func `encrypted backups, and files that are secrets, come back too`() throws {
    let pair = try LostMachine()
    try Directory.makePrivateDirectories(pair.machine.path("home/made"))
    let made = try BuiltBinary.run(
      program: Self.python,
      ["\(SourceTree.path)/Tests/Foreign/foreign_files.py", pair.machine.path("home/made")])
    try #require(made.status == 0, "\(made.errors)")
    var sources = ["unstoppable:~/made/unstoppable-full.json", "fueki-vault:~/made/vault.fueki"]
    sources.append("ownd:~/made/ownd-2.zip")
    var names = ["made/unstoppable-full.json", "made/vault.fueki", "made/ownd-2.zip"]
    if let folder = Fixtures.folder("tss-lib"), let name = try Self.firstShare(folder) {
      try pair.write(Fixtures.file("tss-lib/\(name)"), to: "home/shares/\(name)")
      sources.append("tss-lib:~/shares")
      names.append("shares/\(name)")
    }
    for name in names {
      _ = try BuiltBinary.run(
        program: "/bin/chmod", ["600", pair.machine.path("home/\(name)")])
    }
    try pair.create(sources)
    try pair.restore()
    try pair.putBack().expect(0)
    for name in names { try pair.expectSame(name) }
  }

  private static func firstShare(_ folder: String) throws -> String? {
    try Directory.open(folder).list().compactMap(\.text).first { $0.hasSuffix(".json") }
  }

  // MARK: what is in the way

  func electrum(_ pair: LostMachine, restoring: Bool = true) throws {
    try pair.write(Array(ImportedFiles.electrum.utf8), to: "home/.electrum/wallets/default_wallet")
    try pair.write(Array(ImportedFiles.keystore.utf8), to: "home/.ethereum/keystore/UTC--one")
    try pair.create(["electrum:~/.electrum/wallets", "keystore:~/.ethereum/keystore"])
    if restoring { try pair.restore() }
  }

  // MARK: the stage of a restore

  @Test func `a restore puts the files back with the data where that is said`() throws {
    let pair = try LostMachine()
    try electrum(pair, restoring: false)
    let restore =
      ["restore", "latest", "--no-resync", "--target", pair.machine.target] + pair.machine.secrets
    let run = try pair.machine.run(
      restore + ["--files", "home", "--json"], environment: pair.other, status: 0)
    #expect(try run.json()["files"]?["state"] == .string("placed"))
    try pair.expectSame(".electrum/wallets/default_wallet")
    try pair.expectSame(".ethereum/keystore/UTC--one")
  }

  @Test func `without a word the files wait, each named, until they are put back`() throws {
    let pair = try LostMachine()
    try electrum(pair, restoring: false)
    let restore =
      ["restore", "latest", "--no-resync", "--target", pair.machine.target] + pair.machine.secrets
    let run = try pair.machine.run(restore, environment: pair.other)
    #expect(run.status == 3 && run.text.contains("~/.electrum/wallets/default_wallet"), "\(run.text)")
    #expect(try pair.snapshot(of: "new-home").isEmpty && pair.machine.exists("new-data/wallet.sqlite"))
    try pair.machine.run(
      restore + ["--files", "none", "--datadir", pair.machine.path("declined")], environment: pair.other,
      status: 0)
    try pair.write([1], to: "new-home/.ethereum/keystore/UTC--one")
    let stopped = try pair.machine.run(
      restore + ["--files", "home", "--datadir", pair.machine.path("stopped")], environment: pair.other)
    #expect(stopped.status == 3 && stopped.errors.contains("already exists and differs"), "\(stopped.errors)")
    #expect(stopped.text.contains("UTC--one: left in the archive"), "\(stopped.text)")
    #expect(pair.machine.exists("stopped/wallet.sqlite"))
    try pair.expectSame(".electrum/wallets/default_wallet")
    try pair.machine.run(
      ["put-back", "--on-conflict", "replace", "--target", pair.machine.target]
        + pair.machine.archiveSecret, environment: pair.other, status: 0)
    try pair.expectSame(".electrum/wallets/default_wallet")
    try pair.expectSame(".ethereum/keystore/UTC--one")
  }

  @Test func `the same file in two places comes back in both`() throws {
    let pair = try LostMachine()
    let names = ["one/wallet.dat", "two/wallet.dat"]
    for name in names { try pair.write(Array("one secret, two places".utf8), to: "home/\(name)") }
    try pair.create(["file:~/one", "file:~/two"])
    try pair.restore()
    #expect(try pair.putBack().status == 0)
    for name in names { try pair.expectSame(name) }
    let imported = try pair.machine.run(
      ["import", "--format", "file", "--json", "--datadir", pair.machine.path("imported")]
        + ["one", "two"].map { pair.machine.path("home/\($0)") } + pair.machine.keychainSecret + Machine.quick
    )
    #expect(try imported.status == 0 && imported.json()["added"]?["secret-files"] == .number(2))
  }

  @Test func `a name as long as a file system takes is put back, and beside another`() throws {
    let pair = try LostMachine()
    let name = "wallets/" + String(repeating: "é", count: 127) + "x"
    try pair.write(Array("a secret under a long name".utf8), to: "home/\(name)")
    try pair.create(["file:~/wallets"])
    try pair.restore()
    #expect(try pair.putBack().status == 0)
    try pair.expectSame(name)
    try pair.write(Array("another".utf8), to: "new-home/\(name)")
    for _ in 1...2 {
      try pair.putBack(["--on-conflict", "rename"]).expect(0)
    }
    #expect(try pair.machine.read("new-home/\(name)") == Array("another".utf8))
    let beside = try pair.machine.names(in: "new-home/wallets").filter { $0.contains("~") }
    #expect(!beside.isEmpty)
    for found in beside {
      #expect(found.utf8.count <= 255 && found.contains(".restored-"))
      #expect(
        try pair.machine.read("new-home/wallets/\(found)") == Array("a secret under a long name".utf8))
    }
    #expect(try pair.putBack(["--on-conflict", "replace"]).status == 0)
    try pair.expectSame(name)
  }

  @Test func `a file that differs waits, or stays beside, and the others go back`() throws {
    let pair = try LostMachine()
    try electrum(pair)
    try pair.write(Array("mine".utf8), to: "new-home/.electrum/wallets/default_wallet")
    let stopped = try pair.putBack()
    #expect(stopped.status == 40 && stopped.errors.contains("default_wallet already exists and differs"))
    #expect(stopped.errors.contains("hint: --on-conflict rename"), "\(stopped.errors)")
    try pair.expectSame(".ethereum/keystore/UTC--one")
    let json = try pair.putBack(["--json"]).expect(40)
    let document = try json.json()
    #expect(document["schema"] == .string("fueki.put-back/1") && document["complete"] == .bool(false))
    let fates = document["files"]?.elements.map { [$0["fate"]?.text, $0["reason"]?.text] } ?? []
    #expect(Set(fates) == [["waits", "in-the-way"], ["present", nil]])
    try pair.putBack(["--on-conflict", "rename"]).expect(0)
    try pair.expectSame(".ethereum/keystore/UTC--one")
    let names = try pair.machine.names(in: "new-home/.electrum/wallets")
    #expect(names.count == 2 && names[1].hasPrefix("default_wallet.restored-2"))
    #expect(try pair.machine.read("new-home/.electrum/wallets/default_wallet") == Array("mine".utf8))
    #expect(
      try pair.machine.read("new-home/.electrum/wallets/\(names[1])") == Array(ImportedFiles.electrum.utf8))
    try pair.putBack(["--on-conflict", "replace"]).expect(0)
    try pair.expectSame(".electrum/wallets/default_wallet")
    let kept = try #require(
      pair.machine.names(in: "new-home/.electrum/wallets").first { $0.contains(".replaced-") })
    #expect(try pair.machine.read("new-home/.electrum/wallets/\(kept)") == Array("mine".utf8))
  }

  @Test func `a folder that is a link is named, and followed only where that is said`() throws {
    let pair = try LostMachine()
    try electrum(pair)
    try Directory.makePrivateDirectories(pair.machine.path("disk"))
    _ = try BuiltBinary.run(
      program: "/bin/ln", ["-s", pair.machine.path("disk"), pair.machine.path("new-home/.electrum")])
    let stopped = try pair.putBack()
    #expect(stopped.status == 40 && stopped.errors.contains(pair.machine.path("disk")), "\(stopped.errors)")
    #expect(try pair.snapshot(of: "disk").isEmpty)
    try pair.expectSame(".ethereum/keystore/UTC--one")
    try pair.putBack(["--accept=links"]).expect(0)
    #expect(pair.machine.exists("disk/wallets/default_wallet"))
    _ = try BuiltBinary.run(program: "/bin/rm", [pair.machine.path("disk/wallets/default_wallet")])
    _ = try BuiltBinary.run(
      program: "/bin/ln",
      ["-s", pair.machine.path("home/.electrum"), pair.machine.path("disk/wallets/default_wallet")])
    let link = try pair.putBack(["--accept=links", "--on-conflict", "replace"])
    #expect(link.status == 40 && link.errors.contains("is a link"), "\(link.errors)")
  }

  @Test func `a program that works there is named`() throws {
    let pair = try LostMachine()
    try electrum(pair)
    try pair.write([1], to: "new-home/.electrum/config")
    let script = #"sleep 60 9<"$HOME/.electrum/config" & p=$!; "$@"; s=$?; kill $p; exit $s"#
    let through = ["/bin/sh", "-c", script, "sh"]
    let stopped = try pair.putBack(through: through)
    #expect(stopped.status == 11 && stopped.errors.contains("sleep (process "), "\(stopped.errors)")
    #expect(!pair.machine.exists("new-home/.electrum/wallets"))
    try pair.expectSame(".ethereum/keystore/UTC--one")
    try pair.putBack(["--accept=running-programs"], through: through).expect(0)
    try pair.expectSame(".electrum/wallets/default_wallet")
  }

  // MARK: what is never put there
}
