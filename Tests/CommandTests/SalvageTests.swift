import FuekiSystem
import TestSupport
import Testing

/// `restore --salvage` and `export --salvage`.
struct SalvageTests {
  /// Changes a byte of a stream's chunk in the machine's archive, and returns the archive's path.
  private func damage(_ machine: Machine, stream: Int, chunk: Int) throws -> String {
    let archive = try machine.archives()[0]
    var bytes = try machine.read(archive)
    let trailer = bytes.count - 256
    let counts = (0..<3).map { Int(bytes[trailer + 8 * $0]) | Int(bytes[trailer + 8 * $0 + 1]) << 8 }
    let headerBytes = 48 + Int(bytes[12]) + Int(bytes[13]) << 8
    bytes[headerBytes + (counts[..<stream].reduce(0, +) + chunk) * 16_400 + 100] ^= 1
    try machine.write(bytes, to: archive)
    return machine.path(archive)
  }

  @Test func `a damaged archive is not restored, and what would is named`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 1, chunk: 0)
    let run = try machine.restore(archive, status: 20)
    #expect(run.errors.contains("--salvage"))
    #expect(!machine.exists("restored"))
    let latest = try machine.restore()
    #expect(latest.status == 20 && latest.errors.contains("--salvage"))
  }

  @Test func `salvage brings back the rest, and names what is lost`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 1, chunk: 0)
    let run = try machine.restore(archive, to: "restored", ["--salvage", "--json"], status: 3)
    #expect(machine.exists("restored/wallet.sqlite") && machine.exists("restored/keychain.sealed"))
    #expect(run.errors.contains("warning: lost: 50 of 50 records of transactions"))
    let document = try run.json()
    let lost = document["lost"]?.elements.first { $0["section"]?.text == "transactions" }
    #expect(lost?["records"]?.number == 50 && lost?["of"]?.number == 50)
    #expect(lost?["gaps"]?[0]?["records"]?.text == "records 1 to 50")
    #expect(lost?["gaps"]?[0]?["from"]?.number == 0)
    #expect(lost?["bytes"]?.number == lost?["gaps"]?[0]?["to"]?.number)
    #expect(document["restored"]?["wallets"]?.number ?? 0 > 0)
    let stages = document["stages"]?.elements.compactMap { $0["result"]?.text } ?? []
    #expect(stages.contains { $0.hasPrefix("damaged") } && stages.contains { $0.hasPrefix("in part") })
  }

  @Test func `children of what is lost are kept and counted`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 0, chunk: 0)
    let run = try machine.restore(archive, to: "restored", ["--salvage", "--json"], status: 3)
    let document = try run.json()
    let orphans = document["orphans"]?.elements.first { $0["section"]?.text == "transactions" }
    #expect(orphans?["parent"]?.text == "wallets" && orphans?["records"]?.number == 50)
    #expect(document["restored"]?["transactions"]?.number == 50)
  }

  @Test func `the files of other programs that are whole come back, and the others are named`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try Directory.makePrivateDirectories(machine.path("new-home"))
    var generator = TestSupport.random(1)
    let large = (0..<9 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try machine.write(large, to: "home/wallets/large.dat")
    try machine.write("a small secret", to: "home/wallets/small.dat")
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys", "--from", "file:~/wallets"]
        + machine.archiveSecret + Machine.quick, status: 0)
    // Within the second of the three parts.
    let archive = try damage(machine, stream: 2, chunk: 350)
    let run = try machine.run(
      ["restore", archive, "--salvage", "--files", "home", "--no-resync"]
        + ["--datadir", machine.path("restored")] + machine.secrets,
      environment: ["HOME": machine.path("new-home")], status: 3)
    #expect(try machine.read("new-home/wallets/small.dat") == Array("a small secret".utf8))
    #expect(!machine.exists("new-home/wallets/large.dat"))
    #expect((run.text + run.errors).contains("large.dat"), "\(run.text)\(run.errors)")
  }

  @Test func `on a new machine the files go back, as only the passphrase opens the archive`() throws {
    let machine = try sealed([])
    let run = try salvageElsewhere(machine, machine.archiveSecret).expect(3)
    #expect(try machine.read("new-home/wallets/one.dat") == Array("a secret of one wallet".utf8))
    #expect(run.errors.contains("the archive is damaged, so this machine does not continue"), "\(run.errors)")
  }

  @Test func `where nothing shows whose it is, the report says why no file went back, and what to do`() throws
  {
    let machine = try Machine(isPrepared: false)
    try machine.run(["key", "new-identity", "--output", machine.path("own.key")], status: 0)
    let key = try machine.text("own.key")
    let recipient = try #require(key.split(whereSeparator: \.isWhitespace).last { $0.hasPrefix("age1") })
    let run = try salvageElsewhere(
      try sealed(["--recipient", String(recipient)], machine), machine.archiveSecret)
    #expect(run.status == 3 && !machine.exists("new-home/wallets/one.dat"), "\(run.text)\(run.errors)")
    let words = run.text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      words.contains("left in the archive, because nothing shows that the archive is yours"), "\(words)")
    #expect(words.contains("--files DIR") && !words.contains("fueki-backup put-back puts"), "\(words)")
  }

  /// A machine whose archive has other programs' files, and a damaged history.
  private func sealed(_ more: [String], _ machine: Machine? = nil) throws -> Machine {
    let machine = try machine ?? Machine(isPrepared: false)
    try Directory.makePrivateDirectories(machine.path("new-home"))
    try machine.write("a secret of one wallet", to: "home/wallets/one.dat")
    var generator = TestSupport.random(3)
    let large = (0..<9 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
    try machine.write(large, to: "home/wallets/large.dat")
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys", "--from", "file:~/wallets"]
        + machine.archiveSecret + Machine.quick + more, status: 0)
    return machine
  }

  /// Restores a damaged copy where the vault is unknown.
  private func salvageElsewhere(_ machine: Machine, _ secret: [String]) throws -> RunResult {
    let archive = try damage(machine, stream: 2, chunk: 350)
    return try machine.run(
      ["restore", archive, "--salvage", "--files", "home", "--no-resync"]
        + ["--datadir", machine.path("restored")] + secret + Machine.quick,
      environment: ["HOME": machine.path("new-home"), "FUEKI_STATE": machine.path("new-state")])
  }

  @Test func `files of which nothing is left are counted, and the wallets named that they may be`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("of the new keychain, 38 bytes are long", to: "keychain.pass")
    try machine.write(ImportedFiles.keystore, to: "home/.ethereum/keystore/UTC--one")
    var generator = TestSupport.random(2)
    // Each in blocks of its own, and none has another part.
    for name in ["first", "second", "third"] {
      let bytes = (0..<3 << 20).map { _ in UInt8.random(in: 0...255, using: &generator) }
      try machine.write(bytes, to: "home/files/\(name)")
    }
    try machine.run(
      ["create", "--target", machine.target, "--accept=synced-keys"]
        + ["first", "second", "third"].flatMap { ["--from", "file:~/files/\($0)"] }
        + ["--from", "keystore:~/.ethereum/keystore"] + machine.archiveSecret + Machine.quick, status: 0)
    // Within the second of the three files, and all of the keystore's section.
    let archive = try damage(machine, stream: 2, chunk: 300)
    let run = try machine.run(
      ["restore", archive, "--salvage", "--files", "none", "--no-resync"]
        + ["--datadir", machine.path("restored")] + machine.secrets, status: 3)
    let lost = "warning: lost: 1 record of files. No part of these files is left"
    #expect(run.errors.contains(lost), "\(run.errors)")
    let named = "warning: no file of these wallets came back. The lost files may be theirs: file second"
    #expect(run.errors.split(separator: "\n").contains { $0 == named }, "\(run.errors)")
  }

  @Test func `lost shares are named`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 2, chunk: 0)
    let run = try machine.restore(archive, to: "restored", ["--salvage", "--json"], status: 3)
    let shares = try run.json()["lost_shares"]?.elements ?? []
    #expect(!shares.isEmpty && shares.allSatisfy { $0["id"]?.text?.utf8.count == 32 })
    #expect(run.errors.contains("warning: lost: key share"))
  }

  @Test func `a scope whose index is damaged is lost as a whole`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    let counts = try machine.read(archive).suffix(256).prefix(24)
    let last = Int(counts[counts.startIndex + 8]) - 1
    _ = try damage(machine, stream: 1, chunk: last)
    let run = try machine.restore(machine.path(archive), to: "restored", ["--salvage", "--json"], status: 3)
    #expect(try run.json()["lost_scopes"] == .array([.string("history")]))
  }

  @Test func `an export is salvaged in the same way`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 1, chunk: 0)
    let export = ["export", archive, "--output", machine.path("out")] + machine.archiveSecret
    #expect(try machine.run(export).status == 20)
    #expect(!machine.exists("out"))
    let run = try machine.run(export + ["--salvage", "--json"], status: 3)
    #expect(try run.json()["lost"]?[0]?["section"]?.text == "transactions")
    let manifest = try machine.text("out/manifest.json")
    #expect(manifest.contains(#""lost_records":{"transactions":50"#))
    #expect(machine.exists("out/wallets.jsonl"))
  }

  @Test func `nothing is lost where only a part that was not asked for is damaged`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 1, chunk: 0)
    let run = try machine.restore(archive, to: "restored", ["--salvage", "--only", "wallets"], status: 0)
    #expect(run.errors.contains("every restored record is intact"))
  }

  @Test func `an intact archive is restored as without`() throws {
    let machine = try Machine()
    let run = try machine.restore("latest", to: "restored", ["--salvage", "--json"], status: 0)
    #expect(try run.json()["lost"] == .array([]))
    #expect(!run.errors.contains("warning: the archive is damaged"))
  }

  @Test func `a dry run says what would be lost`() throws {
    let machine = try Machine()
    let archive = try damage(machine, stream: 1, chunk: 0)
    let run = try machine.restore(archive, to: "restored", ["--salvage", "--dry-run", "--json"], status: 3)
    #expect(try run.json()["lost"]?[0]?["records"]?.number == 50)
    #expect(!machine.exists("restored"))
  }
}
