import FuekiSystem
import TestSupport
import Testing

/// Which name the result of `mend` gets.
@Suite(.enabled(if: Recovery.isInstalled, "this machine has no par2"))
struct MendedNameTests {
  @Test func `recovery files of a copy with other seals mend nothing`() throws {
    let recovery = try Recovery()
    let machine = recovery.machine
    // Anyone who can write next to the archive can make recovery files of a copy with the same digest.
    try machine.write(recovery.bytes.withOtherSeals, to: recovery.archive)
    for file in recovery.files { try machine.remove("target/\(file)") }
    let made = try BuiltBinary.run(
      program: "/usr/bin/par2", ["create", "-q", "-r20", "\(recovery.name).par2", recovery.name],
      cwd: machine.target)
    try #require(made.status == 0, "\(made.text)")
    try recovery.damage { $0[20_000] ^= 1 }
    let before = try machine.read(recovery.archive)
    try machine.run(["repair", recovery.path], status: 22)
    #expect(try machine.read(recovery.archive) == before)
    #expect(try machine.names(in: "target").allSatisfy { !$0.contains(".damaged-") })
  }

  @Test(arguments: ["../outside.fueki", "/tmp/fueki-planted-name", "below/NAME", "NAME.par2", "other"])
  func `names in recovery files lead nowhere`(_ planted: String) throws {
    let recovery = try Recovery()
    let files = recovery.files.map { recovery.machine.path("target/\($0)") }
    let renamed = try BuiltBinary.run(
      program: "/usr/bin/python3",
      ["\(SourceTree.path)/Tests/Foreign/par2_names.py", planted.replacing("NAME", with: recovery.name)]
        + files)
    #expect(renamed.status == 0, "\(renamed.errors)")
    try recovery.damage { $0[20_000] ^= 1 }
    let before = try recovery.machine.snapshot(of: "target")
    let run = try recovery.machine.run(["repair", recovery.path])
    #expect([1, 20, 22].contains(run.status), "\(run.status) \(run.errors)")
    #expect(try recovery.machine.snapshot(of: "target") == before)
    for place in ["state/outside.fueki", "outside.fueki", "other", "tmp/other", "below"] {
      #expect(!recovery.machine.exists(place))
    }
    #expect((try? File.open("/tmp/fueki-planted-name")) == nil)
    #expect(!recovery.machine.exists("state/mending"))
  }

  @Test func `another archive does not take the name`() throws {
    let recovery = try Recovery()
    let stranger = try Machine(isPrepared: false)
    #expect(
      try stranger.run(
        ["demo", "--keep", stranger.path("demo"), "--transactions", "5"]).status == 0)
    let found = try BuiltBinary.run(program: "/usr/bin/find", [stranger.path("demo"), "-name", "*.fueki"])
    let theirs = try #require(found.text.split(separator: "\n").first.map(String.init))
    try Directory.makePrivateDirectories(stranger.path("made"))
    let copied = try BuiltBinary.run(
      program: "/bin/cp", [theirs, stranger.path("made/\(recovery.name)")])
    let made = try BuiltBinary.run(
      program: "/usr/bin/par2",
      ["create", "-q", "-q", "-b16", "-r100", "-n1", "\(recovery.name).par2", recovery.name],
      cwd: stranger.path("made"))
    #expect(copied.status == 0 && made.status == 0)
    for file in recovery.files { try recovery.machine.remove("target/\(file)") }
    for file in try stranger.names(in: "made") where file != recovery.name {
      try recovery.machine.write(try stranger.read("made/\(file)"), to: "target/\(file)")
    }
    try recovery.damage { $0[20_000] ^= 1 }
    let before = try recovery.machine.snapshot(of: "target")
    try recovery.machine.run(["repair", recovery.path], status: 22)
    #expect(try recovery.machine.snapshot(of: "target") == before)
  }

  @Test func `where nothing shows whose it is, the repaired archive gets another name`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[20_000] ^= 1 }
    let damaged = try recovery.machine.read(recovery.archive)
    let elsewhere = ["FUEKI_STATE": recovery.machine.path("elsewhere")]
    let known = "\(String(repeating: "0", count: 32)):1:\(String(repeating: "0", count: 64))"
    try recovery.machine.run(
      ["repair", recovery.path, "--trusted-signer", String(repeating: "ab", count: 32), "--known", known],
      environment: elsewhere, status: 23)
    #expect(try recovery.machine.read(recovery.archive) == damaged)

    let run = try recovery.machine.run(
      ["repair", recovery.path, "--json"], environment: elsewhere, status: 27)
    let document = try run.json()
    #expect(document["repaired"] == .bool(false) && document["ownership"] == .string("unknown"))
    #expect(document["proof"] == nil && document["damaged_file"] == nil)
    #expect(try recovery.machine.read(recovery.archive) == damaged)
    let path = try #require(document["repaired_file"]?.text)
    let name = String(path.split(separator: "/").last ?? "")
    #expect(name.hasPrefix("repaired-") && name.hasSuffix(recovery.name.suffix(20)), "\(name)")
    #expect(try recovery.machine.read("target/\(name)") == recovery.bytes)
    // Repeating it yields the same file, and the machine that made the archive assigns the name.
    let again = try recovery.machine.run(["repair", recovery.path], environment: elsewhere)
    #expect(again.status == 27 && again.text.contains(name), "\(again.text)")
    #expect(again.errors.contains("nothing here shows that the repaired archive is yours"))
    #expect(try recovery.machine.names(in: "target").filter { $0.hasPrefix("repaired-") } == [name])
    let signer = try #require(
      try recovery.machine.run(["show", path, "--json"]).json()["header"]?["signer"]?.text)
    let named = try recovery.machine.run(
      ["repair", recovery.path, "--trusted-signer", signer, "--json"], environment: elsewhere, status: 0)
    #expect(try named.json()["repaired"] == .bool(true) && named.json()["proof"] == .string("signature"))
    #expect(try recovery.machine.read(recovery.archive) == recovery.bytes)
  }

  @Test func `another's archive with the vault's id and number gets no name, however much is lost`() throws {
    let recovery = try Recovery()
    let machine = recovery.machine
    // It is not the newest, which this machine knows by its digest.
    try #require(machine.create().status == 0)
    // The vault's id and the number are public. This archive is unsigned.
    try Directory.makePrivateDirectories(machine.path("theirs"))
    let elsewhere = ["FUEKI_STATE": machine.path("elsewhere")]
    for _ in 0..<2 {
      try machine.run(
        ["create", "--target", machine.path("theirs"), "--unsigned", "-q"] + machine.secrets,
        environment: elsewhere, status: 0)
    }
    let theirs = try #require(try machine.names(in: "theirs").max { $0.suffix(27) < $1.suffix(27) })
    func plant(as name: String) throws {
      try machine.write(try machine.read("theirs/\(theirs)"), to: "made/\(name)")
      let made = try BuiltBinary.run(
        program: "/usr/bin/par2", ["create", "-q", "-q", "-b16", "-r100", "-n1", "\(name).par2", name],
        cwd: machine.path("made"))
      try #require(made.status == 0, "\(made.text)")
      for file in try machine.names(in: "target") where file.hasSuffix(".par2") {
        try machine.remove("target/\(file)")
      }
      for file in try machine.names(in: "made") where file != name {
        try machine.write(try machine.read("made/\(file)"), to: "target/\(file)")
      }
      try machine.remove("made")
    }
    try plant(as: recovery.name)
    for isLost in [false, true] {
      try recovery.damage { bytes in
        if isLost { for place in bytes.indices { bytes[place] = 0 } } else { bytes[20_000] ^= 1 }
      }
      let before = try machine.snapshot(of: "target")
      let run = try machine.run(["repair", recovery.path])
      #expect(run.status == 22, "\(isLost): \(run.text)\(run.errors)")
      #expect(try machine.snapshot(of: "target") == before)
    }
    // A name without an id does not identify the archive: the file keeps it, and the planted one is next to it.
    try machine.write([UInt8](repeating: 0, count: recovery.bytes.count), to: "target/mine.fueki")
    try plant(as: "mine.fueki")
    let run = try machine.run(["repair", machine.path("target/mine.fueki"), "--json"], status: 27)
    #expect(try run.json()["repaired"] == .bool(false) && run.json()["ownership"] == .string("stranger"))
    #expect(try machine.read("target/mine.fueki").allSatisfy { $0 == 0 })
    let listed = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    let whose = listed.first { $0["path"] == (try? run.json()["repaired_file"]) }?["whose"]
    #expect(whose == .string("stranger"))
  }

  @Test func `the passphrase proves that a repaired archive is yours, where nothing else does`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[20_000] ^= 1 }
    let elsewhere = ["FUEKI_STATE": recovery.machine.path("elsewhere")]
    func mend(_ secret: [String]) throws -> RunResult {
      try recovery.machine.run(["repair", recovery.path] + secret, environment: elsewhere)
    }
    // A wrong passphrase proves nothing.
    try recovery.machine.write("not the passphrase of any archive", to: "wrong")
    let wrong = try mend(["-p", recovery.machine.path("wrong"), "--json"])
    #expect(try wrong.status == 27 && wrong.json()["proof"] == nil, "\(wrong.text)\(wrong.errors)")
    #expect(try recovery.machine.read(recovery.archive) != recovery.bytes)
    let command = "cat '\(recovery.machine.path("passphrase"))'"
    let run = try mend(["-p", "command:\(command)", "--json"]).expect(0)
    #expect(try run.json()["repaired"] == .bool(true) && run.json()["proof"] == .string("opened"))
    #expect(try run.json()["ownership"] == .string("mine"))
    #expect(try recovery.machine.read(recovery.archive) == recovery.bytes)
    try recovery.damage { $0[30_000] ^= 1 }
    let again = try mend(recovery.machine.archiveSecret)
    #expect(again.status == 0 && again.text.contains("it is yours: your secret opens it"), "\(again.text)")
  }

  @Test func `an identity proves nothing, for anyone can seal to its recipient`() throws {
    let recovery = try Recovery()
    let machine = recovery.machine
    let made = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-o", machine.path("identity")])
    let shown = try BuiltBinary.run(program: "/usr/bin/age-keygen", ["-y", machine.path("identity")])
    try #require(made.status == 0 && shown.status == 0)
    try machine.run(
      ["create", "--target", machine.target, "--parity", "20%", "--accept=loss", "--recipient"]
        + [shown.text.filter { !$0.isWhitespace }] + machine.keychainSecret, status: 0)
    let archive = try #require(try machine.archives().last)
    var bytes = try machine.read(archive)
    bytes[20_000] ^= 1
    try machine.write(bytes, to: archive)
    try machine.run(
      ["repair", machine.path(archive), "--identity", machine.path("identity"), "--json"],
      environment: ["FUEKI_STATE": machine.path("elsewhere")], status: 27)
    #expect(try machine.read(archive) == bytes)
  }
}
