import FuekiSystem
import TestSupport
import Testing

/// `create --parity` and `mend`, with Debian's `par2`.
@Suite(.enabled(if: Recovery.isInstalled, "this machine has no par2"))
struct MendTests {
  @Test func `recovery files lie beside the archive in every target, and are listed with it`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("second"))
    let run = try machine.create(["--parity", "5%", "--target", machine.path("second"), "--json"])
    #expect(run.status == 0, "\(run.errors)")
    let archive = try #require(try machine.archives().last)
    let name = String(archive.dropFirst("target/".count))
    let files = try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }
    #expect(files.count == 2 && files.contains("\(name).par2"), "\(files)")
    #expect(try run.json()["recovery_files"]?.elements.compactMap(\.text) == files)
    #expect(try machine.names(in: "second") == [name] + files)
    for file in files { #expect(try machine.read("target/\(file)") == machine.read("second/\(file)")) }

    let list = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    #expect(list.count == 2)
    let listed = list.first { $0["path"]?.text == machine.path(archive) }
    #expect(listed?["recovery_files"]?.elements.compactMap(\.text) == files)
    let verified = try BuiltBinary.run(
      program: "/usr/bin/par2", ["verify", "-q", "\(name).par2"], cwd: machine.target)
    #expect(verified.status == 0, "\(verified.text)")
    #expect(try machine.run(["verify", machine.target]).status == 0)
    #expect(!machine.exists("state/mending"))
  }

  @Test func `the configuration asks for them, and the command line may not want them`() throws {
    let machine = try Machine()
    let path = machine.path("config.toml")
    try machine.write("[[vault]]\nparity = \"10%\"\n", to: "config.toml")
    #expect(try machine.create(["--config", path, "--parity", "0%"]).status == 0)
    #expect(try machine.names(in: "target").allSatisfy { $0.hasSuffix(".fueki") })
    #expect(try machine.create(["--config", path]).status == 0)
    #expect(try machine.names(in: "target").filter { $0.hasSuffix(".par2") }.count == 2)
    try machine.write("[[vault]]\nparity = \"a lot\"\n", to: "config.toml")
    let refused = try machine.run(["config", "validate", "--config", path])
    #expect(refused.status == 64 && refused.errors.contains("percentage"), "\(refused.errors)")
    #expect(try machine.create(["--parity", "101%"]).status == 64)
  }

  @Test func `an archive with other keys gets them as any other`() throws {
    let machine = try Machine()
    let path = machine.path("config.toml")
    try machine.write("[[vault]]\nparity = \"5%\"\n", to: "config.toml")
    #expect(try machine.create(["--config", path]).status == 0)
    let made = try machine.archives().count
    let recipient = "age1zvkyg2lqzraa2lnjvqej32nkuu0ues2s82hzrye869xeexvn73equnujwj"
    let add =
      ["key", "add", "latest", "--target", machine.target, "--config", path, "--recipient", recipient]
      + machine.archiveSecret
    let added = try machine.run(add)
    #expect(added.status == 0 && added.text.contains("recovery files beside it"), "\(added.errors)")
    let archive = try #require(try machine.archives().last)
    let name = String(archive.dropFirst("target/".count))
    #expect(try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }.count == 2)
    let verified = try BuiltBinary.run(
      program: "/usr/bin/par2", ["verify", "-q", "\(name).par2"], cwd: machine.target)
    #expect(verified.status == 0, "\(verified.text)")

    // Without the program the new keys are there all the same.
    let without = try machine.run(
      add + ["--drop", "2"], environment: ["PATH": machine.path("home")])
    #expect(without.status == 3 && without.errors.contains("package par2"), "\(without.errors)")
    #expect(without.text.contains("read back and verified"))
    #expect(try machine.archives().count == made + 2)
  }

  @Test func `recovery files of a copy with other seals mend nothing`() throws {
    let recovery = try Recovery()
    let machine = recovery.machine
    // Anyone who can write beside the archive makes recovery files of a copy with the same digest.
    try machine.write(recovery.bytes.withOtherSeals, to: recovery.archive)
    for file in recovery.files { try machine.remove("target/\(file)") }
    let made = try BuiltBinary.run(
      program: "/usr/bin/par2", ["create", "-q", "-r20", "\(recovery.name).par2", recovery.name],
      cwd: machine.target)
    try #require(made.status == 0, "\(made.text)")
    try recovery.damage { $0[20_000] ^= 1 }
    let before = try machine.read(recovery.archive)
    let run = try machine.run(["mend", recovery.path])
    #expect(run.status == 22, "\(run.errors)")
    #expect(try machine.read(recovery.archive) == before)
    #expect(try machine.names(in: "target").allSatisfy { !$0.contains(".damaged-") })
  }

  @Test func `they go with their archive`() throws {
    let machine = try Machine()
    for _ in 0..<2 { #expect(try machine.create(["--parity", "5%"]).status == 0) }
    let names = try machine.names(in: "target")
    #expect(names.filter { $0.hasSuffix(".par2") }.count == 4)
    let run = try machine.run(["prune", "--target", machine.target, "--keep-last", "1"])
    #expect(run.status == 0, "\(run.errors)")
    let left = try machine.names(in: "target")
    let newest = try #require(left.last { $0.hasSuffix(".fueki") })
    #expect(left.filter { $0.hasSuffix(".par2") }.allSatisfy { $0.hasPrefix(newest) }, "\(left)")
    #expect(left.filter { $0.hasSuffix(".par2") }.count == 2)
  }

  @Test func `verify says whether damage can be mended, and restore names what mends it`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[20_000] ^= 1 }
    let verified = try recovery.machine.run(["verify", recovery.path])
    #expect(verified.status == 20)
    #expect(
      verified.text.contains("damaged, and can be mended: 1 of \(recovery.blocks) blocks"), "\(verified.text)"
    )
    #expect(verified.text.contains("fueki-backup mend "))
    let document = try recovery.machine.run(["verify", recovery.path, "--json"]).json()
    #expect(document["archives"]?[0]?["mendable"]?["blocks_needed"]?.number == 1)
    for archive in [recovery.path, "latest"] {
      let restored = try recovery.machine.restore(archive)
      #expect(restored.status == 20)
      #expect(restored.errors.contains("fueki-backup mend \(recovery.path)"), "\(restored.errors)")
      #expect(restored.errors.contains("--salvage"))
    }
    try recovery.damage { for place in stride(from: 0, to: $0.count, by: 3000) { $0[place] ^= 1 } }
    let beyond = try recovery.machine.run(["verify", recovery.path])
    #expect(beyond.text.contains("damaged, and cannot be mended"), "\(beyond.text)")
  }

  @Test(arguments: 0..<Recovery.damages.count)
  func `damage up to the recovery files is mended byte for byte`(_ kind: Int) throws {
    let recovery = try Recovery()
    var generator = random(UInt64(TestSeed.value) &+ UInt64(kind) &* 1000)
    for _ in 0..<3 {
      try recovery.reset()
      try Recovery.damages[kind](recovery, &generator)
      let damaged = try recovery.machine.read(recovery.archive)
      let run = try recovery.machine.run(["mend", recovery.path, "--json"])
      #expect(run.status == 0, "\(run.errors), seed \(TestSeed.value)")
      #expect(try recovery.machine.read(recovery.archive) == recovery.bytes)
      let aside = try recovery.machine.names(in: "target").filter { $0.contains(".damaged-") }
      #expect(aside.count == 1)
      #expect(try recovery.machine.read("target/\(aside.first ?? "")") == damaged)
      #expect(try run.json()["digest_known"] == .bool(true) && run.json()["proof"] == .string("state"))
      #expect(try recovery.machine.run(["verify", recovery.machine.target]).status == 0)
      #expect(!recovery.machine.exists("state/mending"))
    }
  }

  @Test(arguments: [false, true])
  func `an archive that a browser gave a number is mended, and the repaired blocks are counted`(
    _ areAllRenamed: Bool
  ) throws {
    let recovery = try Recovery()
    try recovery.damage { bytes in for place in [20_000, 40_000] { bytes[place] ^= 1 } }
    func number(_ name: String) throws -> String {
      let dot = try #require(name.lastIndex(of: "."))
      let renamed = "\(name[..<dot]) (1)\(name[dot...])"
      let from = recovery.machine.path("target/\(name)")
      let run = try BuiltBinary.run(program: "/bin/mv", [from, recovery.machine.path("target/\(renamed)")])
      try #require(run.status == 0)
      return renamed
    }
    let renamed = try number(recovery.name)
    if areAllRenamed { for file in recovery.files { _ = try number(file) } }
    let path = recovery.machine.path("target/\(renamed)")
    let verified = try recovery.machine.run(["verify", path])
    #expect(verified.text.contains("can be mended: 2 of \(recovery.blocks) blocks"), "\(verified.text)")
    let run = try recovery.machine.run(["mend", path])
    #expect(run.status == 0 && run.text.contains("mended: 2 blocks repaired"), "\(run.text) \(run.errors)")
    #expect(try recovery.machine.read("target/\(renamed)") == recovery.bytes)
  }

  @Test(arguments: ["half", "all headers", "nothing left"])
  func `beyond them nothing is changed, and salvage is named`(_ kind: String) throws {
    let recovery = try Recovery()
    try recovery.damage { bytes in
      switch kind {
      case "half": for place in bytes.indices.dropFirst(bytes.count / 2) { bytes[place] = 0 }
      case "all headers": for place in stride(from: 0, to: bytes.count, by: 1000) { bytes[place] ^= 9 }
      default: bytes = []
      }
    }
    let before = try recovery.machine.snapshot(of: "target")
    let run = try recovery.machine.run(["mend", recovery.path])
    #expect(run.status == 20, "\(run.errors)")
    #expect(run.errors.contains("--salvage"))
    #expect(try recovery.machine.snapshot(of: "target") == before)
    #expect(!recovery.machine.exists("state/mending"))
  }

  @Test func `a whole archive is left alone, and one without recovery files is not mended`() throws {
    let recovery = try Recovery()
    let before = try recovery.machine.snapshot(of: "target")
    let whole = try recovery.machine.run(["mend", recovery.path])
    #expect(whole.status == 0 && whole.text.contains("is whole"), "\(whole.text)\(whole.errors)")
    #expect(try recovery.machine.snapshot(of: "target") == before)
    let other = try recovery.machine.archives()[0]
    var bytes = try recovery.machine.read(other)
    bytes[20_000] ^= 1
    try recovery.machine.write(bytes, to: other)
    let run = try recovery.machine.run(["mend", recovery.machine.path(other)])
    #expect(run.status == 20 && run.errors.contains("no recovery files"), "\(run.errors)")
  }

  @Test(arguments: ["../outside.fueki", "/tmp/fueki-planted-name", "below/NAME", "NAME.par2", "other"])
  func `names in recovery files lead nowhere`(_ planted: String) throws {
    let recovery = try Recovery()
    let files = recovery.files.map { recovery.machine.path("target/\($0)") }
    let renamed = try BuiltBinary.run(
      program: "/usr/bin/python3",
      ["\(Repository.path)/Tests/Foreign/par2_names.py", planted.replacing("NAME", with: recovery.name)]
        + files)
    #expect(renamed.status == 0, "\(renamed.errors)")
    try recovery.damage { $0[20_000] ^= 1 }
    let before = try recovery.machine.snapshot(of: "target")
    let run = try recovery.machine.run(["mend", recovery.path])
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
    let run = try recovery.machine.run(["mend", recovery.path])
    #expect(run.status == 22, "\(run.errors)")
    #expect(try recovery.machine.snapshot(of: "target") == before)
  }

  @Test func `where nothing shows whose it is, the repaired archive gets another name`() throws {
    let recovery = try Recovery()
    try recovery.damage { $0[20_000] ^= 1 }
    let damaged = try recovery.machine.read(recovery.archive)
    let elsewhere = ["FUEKI_STATE": recovery.machine.path("elsewhere")]
    let known = "\(String(repeating: "0", count: 32)):1:\(String(repeating: "0", count: 64))"
    let demanded = try recovery.machine.run(
      ["mend", recovery.path, "--trusted-signer", String(repeating: "ab", count: 32), "--known", known],
      environment: elsewhere)
    #expect(demanded.status == 23, "\(demanded.errors)")
    #expect(try recovery.machine.read(recovery.archive) == damaged)

    let run = try recovery.machine.run(["mend", recovery.path, "--json"], environment: elsewhere)
    #expect(run.status == 27, "\(run.text)\(run.errors)")
    let document = try run.json()
    #expect(document["mended"] == .bool(false) && document["ownership"] == .string("unknown"))
    #expect(document["proof"] == nil && document["damaged_file"] == nil)
    #expect(try recovery.machine.read(recovery.archive) == damaged)
    let path = try #require(document["repaired_file"]?.text)
    let name = String(path.split(separator: "/").last ?? "")
    #expect(name.hasPrefix("repaired-") && name.hasSuffix(recovery.name.suffix(20)), "\(name)")
    #expect(try recovery.machine.read("target/\(name)") == recovery.bytes)
    // Again it is the same file, and the machine that made the archive gives the name.
    let again = try recovery.machine.run(["mend", recovery.path], environment: elsewhere)
    #expect(again.status == 27 && again.text.contains(name), "\(again.text)")
    #expect(again.errors.contains("nothing here shows that the repaired archive is yours"))
    #expect(try recovery.machine.names(in: "target").filter { $0.hasPrefix("repaired-") } == [name])
    let signer = try #require(
      try recovery.machine.run(["show", path, "--json"]).json()["header"]?["signer"]?.text)
    let named = try recovery.machine.run(
      ["mend", recovery.path, "--trusted-signer", signer, "--json"], environment: elsewhere)
    #expect(named.status == 0, "\(named.errors)")
    #expect(try named.json()["mended"] == .bool(true) && named.json()["proof"] == .string("signature"))
    #expect(try recovery.machine.read(recovery.archive) == recovery.bytes)
  }

  @Test func `another's archive with the vault's id and number gets no name, however much is lost`() throws {
    let recovery = try Recovery()
    let machine = recovery.machine
    // It is not the newest, which this machine knows by its digest.
    try #require(machine.create().status == 0)
    // The vault's id and the number are public. This one is signed by nobody.
    try Directory.makePrivateDirectories(machine.path("theirs"))
    let elsewhere = ["FUEKI_STATE": machine.path("elsewhere")]
    for _ in 0..<2 {
      let made = try machine.run(
        ["create", "--target", machine.path("theirs"), "--unsigned", "-q"] + machine.secrets,
        environment: elsewhere)
      try #require(made.status == 0, "\(made.errors)")
    }
    let theirs = try #require(try machine.names(in: "theirs").max { $0.suffix(27) < $1.suffix(27) })
    func plant(as name: String) throws {
      try Directory.makePrivateDirectories(machine.path("made"))
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
      let run = try machine.run(["mend", recovery.path])
      #expect(run.status == 22, "\(isLost): \(run.text)\(run.errors)")
      #expect(try machine.snapshot(of: "target") == before)
    }
    // A name without an id says nothing of which archive it was: the file keeps it, and theirs lies beside it.
    try machine.write([UInt8](repeating: 0, count: recovery.bytes.count), to: "target/mine.fueki")
    try plant(as: "mine.fueki")
    let run = try machine.run(["mend", machine.path("target/mine.fueki"), "--json"])
    #expect(run.status == 27, "\(run.text)\(run.errors)")
    #expect(try run.json()["mended"] == .bool(false) && run.json()["ownership"] == .string("stranger"))
    #expect(try machine.read("target/mine.fueki").allSatisfy { $0 == 0 })
    let listed = try machine.run(["list", machine.target, "--json"]).json()["archives"]?.elements ?? []
    let whose = listed.first { $0["path"] == (try? run.json()["repaired_file"]) }?["whose"]
    #expect(whose == .string("stranger"))
  }

  @Test func `without the program the archive is made, and the package is named`() throws {
    let recovery = try Recovery()
    let bare = ["PATH": recovery.machine.path("home")]
    let made = try recovery.machine.create(["--parity", "5%", "--json"], environment: bare)
    #expect(made.status == 3 && made.errors.contains("package par2"), "\(made.errors)")
    #expect(try made.json()["without_recovery_files"]?.elements.count == 1)
    #expect(try recovery.machine.archives().count == 3)
    try recovery.damage { $0[20_000] ^= 1 }
    let mended = try recovery.machine.run(["mend", recovery.path], environment: bare)
    #expect(mended.status == 1 && mended.errors.contains("package par2"), "\(mended.errors)")
    let verified = try recovery.machine.run(["verify", recovery.path], environment: bare)
    #expect(
      verified.status == 20 && verified.text.contains("unknown whether it can be mended"), "\(verified.text)")
  }
}

/// An archive with recovery files, to be damaged.
struct Recovery {
  static let isInstalled = InstalledProgram.path("par2") != nil

  let machine: Machine
  /// Below the machine's root.
  let archive: String
  let bytes: [UInt8]
  let files: [String]
  private let parity: [[UInt8]]

  var path: String { machine.path(archive) }
  var name: String { String(archive.dropFirst("target/".count)) }
  /// How many recovery blocks there are: 20 of 100, rounded up.
  var blocks: Int { ((bytes.count + 4095) / 4096 * 20 + 99) / 100 }

  init() throws {
    machine = try Machine()
    let run = try machine.create(["--parity", "20%"])
    guard run.status == 0, let made = try machine.archives().last else {
      throw PreparedMachine.Failed(run: run)
    }
    archive = made
    bytes = try machine.read(made)
    let name = String(made.dropFirst("target/".count))
    files = try machine.names(in: "target").filter { $0.hasPrefix("\(name).") }
    let machine = machine
    parity = try files.map { try machine.read("target/\($0)") }
  }

  /// Puts everything back, and removes what was set aside.
  func reset() throws {
    try machine.write(bytes, to: archive)
    for (name, bytes) in zip(files, parity) { try machine.write(bytes, to: "target/\(name)") }
    for name in try machine.names(in: "target") where name.contains(".damaged-") {
      try machine.remove("target/\(name)")
    }
  }

  func damage(_ change: (inout [UInt8]) throws -> Void) throws {
    var bytes = bytes
    try change(&bytes)
    try machine.write(bytes, to: archive)
  }

  /// Kinds of damage, each of no more blocks than there are recovery blocks.
  static let damages: [@Sendable (Recovery, inout RandomSource) throws -> Void] = [
    { recovery, random in
      // Flips, each in a block of its own or not.
      try recovery.damage { bytes in
        for _ in 0..<recovery.blocks {
          let place = Int.random(in: bytes.indices, using: &random)
          bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
        }
      }
    },
    { recovery, random in try recovery.overwrite(&random) { _ in 0 } },
    { recovery, random in
      var other = random
      try recovery.overwrite(&random) { _ in UInt8.random(in: .min ... .max, using: &other) }
    },
    { recovery, random in
      // A cut: what follows has moved.
      let count = Int.random(in: 1...(recovery.blocks - 2) * 4096, using: &random)
      try recovery.damage { bytes in
        let start = Int.random(in: 0..<bytes.count - count, using: &random)
        bytes.removeSubrange(start..<start + count)
      }
    },
    { recovery, random in
      let count = Int.random(in: 1...(recovery.blocks - 1) * 4096, using: &random)
      try recovery.damage { $0.removeLast(count) }
    },
    { recovery, random in
      // The index is lost, too; the other file has all that is in it.
      try recovery.overwrite(&random) { $0 ^ 0x55 }
      let index = try #require(recovery.files.first { $0 == "\(recovery.name).par2" })
      try recovery.machine.remove("target/\(index)")
    },
  ]

  private func overwrite(_ random: inout RandomSource, with byte: (UInt8) -> UInt8) throws {
    let count = Int.random(in: 1...(blocks - 2) * 4096, using: &random)
    try damage { bytes in
      let start = Int.random(in: 0..<bytes.count - count, using: &random)
      for place in start..<start + count { bytes[place] = byte(bytes[place]) }
    }
  }
}
