import FuekiSystem
import TestSupport
import Testing

/// The contents of a target for users and scripts.
struct FindingTests {
  private func states(_ machine: Machine) throws -> [String: String] {
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let pairs = (list["archives"]?.elements ?? []).map { archive in
      (archive["path"]?.text?.split(separator: "/").last.map(String.init) ?? "", archive["state"]?.text ?? "")
    }
    return Dictionary(pairs) { first, _ in first }
  }

  @Test func `each file of a target is listed as what it is`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    let name = String(archive.dropFirst("target/".count))
    let bytes = try machine.read(archive)
    let stem = String(name.dropLast(".fueki".count))
    var damaged = bytes
    for index in 40..<60 {
      damaged[index] ^= 1
      damaged[bytes.count - index] ^= 1
    }
    let files: [(String, [UInt8], String?)] = [
      ("\(stem).sync-conflict-20261121-081500-ABCDEFG.fueki", bytes, "conflict-copy"),
      ("\(stem) (conflicted copy 2026-11-21).fueki", bytes, "conflict-copy"),
      ("short.fueki", Array(bytes.prefix(bytes.count - 1)), "incomplete"),
      ("shorter.fueki", Array(bytes.prefix(100)), "incomplete"),
      ("empty.fueki", [], "incomplete"),
      (".\(stem).fueki.icloud", Array("bplist00".utf8), "not-downloaded"),
      ("damaged.fueki", damaged, "damaged"),
      ("text.fueki", Array("a text that is long enough to be something, and is no archive".utf8), "damaged"),
      ("renamed.bin", bytes, "complete"),
      ("notes.txt", Array("milk, eggs".utf8), nil),
      (".DS_Store", [0, 0, 0, 1], nil),
      (".fueki-0badcafe-0123456789abcdef.tmp", Array(bytes.prefix(1000)), nil),
    ]
    for (file, content, _) in files { try machine.write(content, to: "target/\(file)") }
    let found = try states(machine)
    #expect(found[name] == "complete")
    for (file, _, state) in files { #expect(found[file] == state, "\(file)") }
    #expect(found.count == files.count(where: { $0.2 != nil }) + 1)
    // The other machine's temporary file is not this one's to remove.
    #expect(try machine.create(["--adopt"]).status == 0)
    #expect(machine.exists("target/.fueki-0badcafe-0123456789abcdef.tmp"))
  }

  @Test func `a link, a pipe or a folder with an archive's name does no harm`() throws {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("target/folder.fueki"))
    for (program, arguments) in [
      ("/usr/bin/mkfifo", [machine.path("target/pipe.fueki")]),
      ("/bin/ln", ["-s", "nowhere", machine.path("target/link.fueki")]),
    ] {
      try BuiltBinary.run(program: program, arguments).expect(0)
    }
    let list = try machine.run(["list", machine.target])
    #expect(list.status == 0 && !list.timedOut)
    #expect(try machine.create().status == 0)
  }

  @Test func `a short id, a path and latest name the same archive`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let id = try #require(list["archives"]?[0]?["id"]?.text)
    for name in [
      String(id.prefix(4)), String(id.prefix(12)), id, id.uppercased(), machine.path(archive), "latest",
    ] {
      let show = try machine.run(["show", name, "--target", machine.target, "--json"])
      #expect(show.status == 0, "\(name)")
      #expect(try show.json()["header"]?["id"] == .string(id))
    }
    for name in [
      String(id.prefix(3)), "0000000000000000", "nonsense", "none.fueki", String(repeating: "a", count: 300),
    ] {
      for command in ["show", "verify"] {
        #expect(
          try machine.run([command, name, "--target", machine.target]).status == 10, "\(command) \(name)")
      }
      #expect(try machine.restore(name).status == 10)
    }
  }

  @Test func `a conflict copy does not make its archive's short id ambiguous`() throws {
    let machine = try Machine()
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let id = try #require(list["archives"]?[0]?["id"]?.text)
    try machine.copy(machine.archives()[0], to: "target/a.sync-conflict-20261121-081500-ABCDEFG.fueki")
    #expect(try machine.run(["show", String(id.prefix(12)), "--target", machine.target]).status == 0)
    #expect(try machine.run(["show", "latest", "--target", machine.target]).status == 0)
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(2))
  }

  @Test func `latest of two vaults is one's own, and refused where neither is known to be`() throws {
    let machine = try Machine()
    let other = try Machine(isPrepared: false)
    try other.run(["demo", "--seed", "2", "--keep", other.path("demo"), "--transactions", "1"])
      .expect(0)
    let theirs = try #require(other.names(in: "demo/backups").first)
    try machine.write(try other.read("demo/backups/\(theirs)"), to: "target/\(theirs)")
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let vaults = Set((list["archives"]?.elements ?? []).compactMap { $0["vault"]?.text })
    try #require(vaults.count == 2)
    let own = try machine.run(["show", "latest", "--target", machine.target, "--json"]).json()["header"]
    #expect(own?["whose"] == .string("mine") && own?["path"]?.text?.hasSuffix(theirs) == false)
    try machine.remove("state")
    for command in ["show", "verify"] {
      #expect(try machine.run([command, "latest", "--target", machine.target]).status == 23)
    }
    #expect(try machine.restore().status == 23)
    #expect(!machine.exists("restored"))
  }

  @Test func `fifty archives are listed, newest first`() throws {
    let machine = try Machine()
    let archive = try machine.archives()[0]
    for number in 1..<50 { try machine.copy(archive, to: "target/copy-\(number).fueki") }
    let list = try machine.run(["list", machine.target, "--json"], status: 0)
    #expect(try list.json()["archives"]?.elements.count == 50)
    let text = try machine.run(["list", machine.target])
    #expect(text.text.split(separator: "\n").count == 51)
    #expect(
      text.text.hasPrefix("ID            CREATED               NUMBER  SIZE"), "\(text.text.prefix(90))")
    #expect(try machine.run(["list", machine.target, "-q"]).text.split(separator: "\n").count == 50)
    #expect(try machine.run(["verify", machine.target]).status == 0)
  }
}
