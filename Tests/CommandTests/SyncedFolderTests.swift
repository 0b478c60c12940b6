import FuekiSystem
import TestSupport
import Testing

/// The effects of sync services on archives, reproduced by hand.
struct SyncedFolderTests {
  private struct Listed {
    let state: String
    let identicalTo: String?
    let forkOf: String?
  }

  private func list(_ machine: Machine) throws -> [String: Listed] {
    let list = try machine.run(["list", machine.target, "--json"], status: 0)
    let pairs = try (list.json()["archives"]?.elements ?? []).map { archive in
      (
        archive["path"]?.text?.split(separator: "/").last.map(String.init) ?? "",
        Listed(
          state: archive["state"]?.text ?? "", identicalTo: archive["identical_to"]?.text,
          forkOf: archive["fork_of"]?.text)
      )
    }
    return Dictionary(pairs) { first, _ in first }
  }

  private func name(_ machine: Machine) throws -> String {
    String(try machine.archives()[0].dropFirst("target/".count))
  }

  @Test func `copies are told from forks by their headers`() throws {
    let machine = try Machine()
    let first = try name(machine)
    let stem = String(first.dropLast(".fueki".count))
    // Another machine that knows as much makes the second archive of the vault, and so does this one.
    let other = try Machine()
    #expect(try machine.create().status == 0)
    #expect(try other.create().status == 0)
    let mine = try #require(machine.archives().last).dropFirst("target/".count)
    let theirs = try #require(other.archives().last)
    let fork = "\(mine.dropLast(".fueki".count)) (Ada's conflicted copy 2026-11-21).fueki"
    try machine.write(try other.read(theirs), to: "target/\(fork)")
    let copies = [
      "\(stem).sync-conflict-20261121-081500-ABCDEFG.fueki", "\(stem) 2.fueki", "\(stem)(1).fueki",
    ]
    for copy in copies { try machine.copy("target/\(first)", to: "target/\(copy)") }

    let found = try list(machine)
    for copy in copies {
      #expect(found[copy]?.state == "conflict-copy", "\(copy)")
      #expect(found[copy]?.identicalTo == first, "\(copy)")
    }
    #expect(found[first]?.state == "complete" && found[first]?.identicalTo == nil)
    #expect(found[fork]?.state == "conflict-copy" && found[fork]?.forkOf == String(mine))
    #expect(found[String(mine)]?.state == "complete" && found[String(mine)]?.forkOf == fork)
    #expect(try machine.run(["list", machine.target]).text.contains("a fork: "))
    #expect(try machine.create().status == 25)
  }

  @Test func `a numbered name alone is no conflict`() throws {
    let machine = try Machine()
    let first = try name(machine)
    try machine.copy("target/\(first)", to: "target/wallet 2.fueki")
    try machine.remove("target/\(first)")
    #expect(try list(machine)["wallet 2.fueki"]?.state == "complete")
  }

  @Test func `what is on its way is incomplete, never damaged`() throws {
    let machine = try Machine()
    let first = try name(machine)
    let bytes = try machine.read("target/\(first)")
    var tail = bytes
    for index in bytes.count / 2..<bytes.count { tail[index] = 0 }
    var start = bytes
    for index in 0..<bytes.count / 3 { start[index] = 0 }
    var middle = bytes
    for index in bytes.count / 3..<bytes.count / 2 { middle[index] = 0 }
    var end = bytes
    for index in bytes.count - 2000..<bytes.count { end[index] = 0 }
    var scrambled = bytes
    for index in bytes.count / 3..<bytes.count / 2 { scrambled[index] ^= 0xFF }
    let files: [(String, [UInt8], String)] = [
      ("tail.fueki", tail, "incomplete"), ("start.fueki", start, "incomplete"),
      ("end.fueki", end, "incomplete"),
      ("zeros.fueki", [UInt8](repeating: 0, count: bytes.count), "incomplete"),
      (".syncthing.a.fueki.tmp", scrambled, "incomplete"), ("b.fueki.part", tail, "incomplete"),
      ("c.fueki.crdownload", Array(bytes.prefix(5000)), "incomplete"), ("~d.fueki.tmp", [], "incomplete"),
      ("Unconfirmed 1234.crdownload", Array(bytes.prefix(50_000)), "incomplete"),
      (".e.fueki.icloud", Array("bplist00".utf8), "not-downloaded"),
    ]
    for (file, content, _) in files { try machine.write(content, to: "target/\(file)") }
    // Holes: none of these bytes takes room.
    for (file, size, kept) in [("holes.fueki", bytes.count, 65_536), ("nothing.fueki", bytes.count, 0)] {
      try machine.write(Array(bytes.prefix(kept)), to: "target/\(file)")
      try Directory.open(machine.target).openFileForWriting(file).truncate(to: UInt64(size))
    }
    let sparse = try File.open(machine.path("target/holes.fueki")).storedPart() != .all

    let found = try list(machine)
    for (file, _, state) in files { #expect(found[file]?.state == state, "\(file)") }
    #expect(found["holes.fueki"]?.state == "incomplete")
    if sparse { #expect(found["nothing.fueki"]?.state == "not-downloaded") }
    for file in files.map(\.0) + ["holes.fueki", "nothing.fueki"] {
      #expect(try machine.run(["verify", machine.path("target/\(file)")]).status == 21, "\(file)")
    }
    // Only reading every byte detects this.
    try machine.write(middle, to: "target/middle.fueki")
    #expect(try list(machine)["middle.fueki"]?.state == "complete")
    #expect(try machine.run(["verify", machine.path("target/middle.fueki")]).status == 21)
    try machine.remove("target/middle.fueki")
    #expect(try machine.run(["verify", machine.target]).status == 21)
    // A changed byte is damage, whatever else is missing.
    try machine.write(scrambled, to: "target/damaged.fueki")
    #expect(try machine.run(["verify", machine.path("target/damaged.fueki")]).status == 20)
    // They do not prevent the next archive.
    #expect(try machine.create(["--json"]).json()["sequence"] == .number(2))
  }

  @Test func `an empty file as long as any archive delays no command`() throws {
    let machine = try Machine()
    try machine.write(Array(try machine.read("target/\(name(machine))").prefix(65_536)), to: "target/z.fueki")
    let target = try Directory.open(machine.target)
    // Not every file system has files of that length, or holes.
    guard (try? target.openFileForWriting("z.fueki").truncate(to: 1 << 40)) != nil,
      try File.open(machine.path("target/z.fueki")).storedPart() != .all
    else { return }
    #expect(try list(machine)["z.fueki"]?.state == "incomplete")
    #expect(try machine.create().status == 0)
    #expect(try machine.run(["status", "--target", machine.target]).status == 0)
    #expect(try machine.run(["prune", "--target", machine.target, "--keep-last", "1"]).status == 0)
    #expect(try machine.run(["verify", machine.path("target/z.fueki")]).status == 21)
    #expect(machine.exists("target/z.fueki"))
  }

  @Test func `other people's unfinished files are none of ours`() throws {
    let machine = try Machine()
    for (file, content) in [
      ("empty", []), ("film.crdownload", Array("film".utf8)), (".a.jpg.icloud", [1, 2]),
    ] {
      try machine.write(content, to: "target/\(file)")
    }
    try Directory.open(machine.target).createFile("sparse.img").truncate(to: 1 << 20)
    #expect(try list(machine).count == 1)
  }

  @Test func `a link that is planted in a target is not followed`() throws {
    let machine = try Machine()
    let outside = try machine.read("target/\(name(machine))")
    try machine.write(outside, to: "outside.fueki")
    _ = try BuiltBinary.run(
      program: "/bin/ln", ["-s", machine.path("outside.fueki"), machine.path("target/link.fueki")])
    #expect(try list(machine)["link.fueki"] == nil)
    #expect(try machine.run(["verify", machine.target, "--json"]).json()["archives"]?.elements.count == 1)
    // A person may name a link.
    #expect(try machine.run(["verify", machine.path("target/link.fueki")]).status == 0)
  }

  @Test func `a name that is no text hides no archive`() throws {
    let machine = try Machine()
    // "Kopie für", as Latin-1 has it; as a shell passes it on, for this test's paths are text.
    let moved = try BuiltBinary.run(
      program: "/bin/sh",
      ["-c", "cd \"$0\" && mv *.fueki \"$(printf 'Kopie f\\374r.fueki')\"", machine.target])
    #expect(moved.status == 0, "\(moved.errors)")
    let list = try machine.run(["list", machine.target, "--json"]).json()
    let path = try #require(list["archives"]?.elements.first?["path"]?.text)
    #expect(path == machine.path("target/Kopie f\u{FFFD}r.fueki"))
    for subject in [machine.target, "latest", path] {
      let run = try machine.run(["verify", subject, "--target", machine.target])
      #expect(run.status == 0, "\(subject): \(run.text)\(run.errors)")
    }
    #expect(try machine.restore().status == 0)
    // Two names that are shown alike could each be meant.
    let copied = try BuiltBinary.run(
      program: "/bin/sh",
      ["-c", "cd \"$0\" && cp *.fueki \"$(printf 'Kopie f\\344r.fueki')\"", machine.target])
    #expect(copied.status == 0, "\(copied.errors)")
    #expect(try machine.run(["verify", path]).status == 10)
  }

  @Test func `a pipe in an archive's place hangs nothing`() throws {
    let machine = try Machine()
    let pipe = machine.path("target/pipe.fueki")
    _ = try BuiltBinary.run(program: "/usr/bin/mkfifo", [pipe])
    for command in [["verify", pipe], ["show", pipe], ["verify", machine.target]] {
      let run = try machine.run(command)
      #expect(!run.timedOut && run.status == (command.last == pipe ? 1 : 0), "\(command): \(run.errors)")
    }
  }

  @Test func `a target that is away does not stop the others`() throws {
    let machine = try Machine()
    let away = machine.path("away")
    let run = try machine.run(
      ["create", "--target", away, "--target", machine.target, "--json"] + machine.secrets, status: 3)
    #expect(try run.json()["failed_targets"] == .array([.string(away)]))
    #expect(try machine.archives().count == 2)
    #expect(!machine.exists("away"))
  }
}
