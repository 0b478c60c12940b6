import FuekiSystem
import TestSupport
import Testing

/// A restore that asks: sessions of people who have a disk, and what is on their paper.
@Suite(.enabled(if: Typist.isPossible, "needs /usr/bin/python3 for a pseudo-terminal"))
struct GuidedRestoreTests {
  private static let new = "of the new machine's keychain"

  /// The last answers of every session.
  private static let end = [
    ("restore it, yes", ""), ("use the archive's passphrase", "no"), ("new passphrase", new), ("again", new),
  ]

  /// Another machine, which knows nothing.
  private static func elsewhere(_ machine: Machine) -> [String: String] {
    ["FUEKI_STATE": machine.path("no-state"), "FUEKI_DATADIR": machine.path("new")]
  }

  private func restore(
    _ machine: Machine, _ answers: [(String, String)], _ arguments: [String], inside outer: [String] = []
  ) throws -> RunResult {
    try machine.type(
      answers, ["restore"] + arguments + Machine.quick, inside: outer, environment: Self.elsewhere(machine))
  }

  @Test func `a disk, one archive, and the passphrase: every answer but the secrets' is the default`() throws
  {
    let machine = try Machine()
    let run = try restore(
      machine, [("archive's passphrase", Machine.passphrase)] + Self.end,
      ["--target", machine.target])
    #expect(run.status == 0, "\(run.text)")
    #expect(machine.exists("new/wallet.sqlite") && machine.exists("new/keychain.sealed"))
    #expect(run.text.contains("This comes back:") && run.text.contains("key-shares"))
    #expect(run.text.contains("Next steps:") && run.text.contains("fueki-backup init"))
    #expect(!run.text.contains(Machine.passphrase) && !run.text.contains(Self.new))
    // The line that would have done it does it.
    let line = try #require(
      run.text.split(whereSeparator: \.isNewline).last { $0.contains("--keychain-pass") })
    var words = line.split(separator: " ").map(String.init).dropFirst(2).map { word in
      word == machine.path("new") ? machine.path("other") : word
    }
    let places = words.indices.filter { words[$0] == "file:FILE" }
    #expect(places.count == 2, "\(line)")
    for (place, file) in zip(places, ["passphrase", "keychain.pass"]) {
      words[place] = "file:\(machine.path(file))"
    }
    try machine.run(["restore"] + words, environment: Self.elsewhere(machine), status: 0)
    #expect(machine.exists("other/wallet.sqlite"))
  }

  @Test func `typos, and a newest archive that is damaged: the next older whole one is offered`() throws {
    let machine = try Machine()
    #expect(try machine.create().status == 0)
    let newest = try #require(machine.archives().last)
    var bytes = try machine.read(newest)
    // In the middle, which no look at its ends shows.
    for place in bytes.count / 2..<bytes.count / 2 + 64 { bytes[place] ^= 0xFF }
    try machine.write(bytes, to: newest)
    let run = try restore(
      machine,
      [
        ("which archive [1]", "nine"), ("(2 left)", ""),
        ("restore that one, yes", "perhaps"), ("(2 left)", ""),
        ("archive's passphrase", "a typo"), ("(2 left)", Machine.passphrase),
      ] + Self.end.dropFirst(), [machine.target])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("cannot be used") && run.text.contains("number 1,"))
    #expect(machine.exists("new/wallet.sqlite"))
  }

  @Test func `two vaults and the wrong disk first`() throws {
    let machine = try Machine()
    let other = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty"))
    try machine.run(["demo", "--keep", machine.path("demo"), "--transactions", "5"], status: 0)
    let found = try BuiltBinary.run(
      program: "/bin/sh",
      [
        "-c", "find \"$1\" -name '*.fueki' -exec cp {} \"$2\" \\;", "sh", machine.path("demo"),
        machine.target,
      ])
    #expect(found.status == 0)
    withExtendedLifetime(other) {}
    let run = try restore(
      machine,
      [
        ("the folder or disk", machine.path("empty")), ("Is this the right disk? Try again (2 left)", ""),
        ("(1 left)", machine.target), ("which vault [1]", "7"), ("(2 left)", "\u{3}"),
      ], [])
    #expect(run.status == 130, "\(run.text)")
    #expect(run.text.contains("Archives of 2 vaults were found:"), "\(run.text)")
    #expect(!machine.exists("new"))
  }

  @Test(.enabled(if: Namespace.isPermitted, "this machine permits no mounts of one's own"))
  func `with nothing said at all, the archives of a plugged-in disk are found`() throws {
    let machine = try Machine()
    let mount = "mount -t tmpfs disk /mnt && mkdir /mnt/backups && cp \"$T\"/* /mnt/backups/ && exec \"$@\""
    let run = try restore(
      machine, [("archive's passphrase", Machine.passphrase)] + Self.end, [],
      inside: Namespace.shell(mount, machine))
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("/mnt/backups/") && machine.exists("new/wallet.sqlite"))
  }

  @Test(arguments: [false, true])
  func `guardians' words are typed one by one, and a typo is found where it is`(_ isTable: Bool) throws {
    let machine = try Machine()
    try machine.run(
      ["guardians", "split", "--threshold", "2", "--count", "3", "--output", machine.path("guardians")],
      status: 0)
    try machine.remove("target")
    try Directory.makePrivateDirectories(machine.target)
    try machine.run(
      [
        "create", "--target", machine.target, "--accept=loss", "--guardians",
        machine.path("guardians/guardians.txt"),
      ]
        + machine.keychainSecret + Machine.quick, status: 0)
    func words(_ member: Int) throws -> [String] {
      let text = try machine.text("guardians/guardian-\(member).txt")
      let line = text.split(separator: "\n").first { $0.hasPrefix("words: ") }
      return try #require(line).split(separator: " ").dropFirst().map(String.init)
    }
    let (first, second) = (try words(3), try words(1))
    var answers: [(String, String)] = []
    // Four letters suffice; the third word has a letter too many at first, in its middle.
    for (place, word) in first.enumerated() {
      if place == 2 { answers.append(("word 3 of 33", String(word.prefix(2)) + "q" + word.dropFirst(2))) }
      let prompt = place == 2 ? "not in the list. Did you mean" : "sheet 1 of 2, word \(place + 1) of 33"
      answers.append((prompt, String(word.prefix(4))))
    }
    // The same sheet again is not another one, and the second is typed in three lines.
    answers.append(("sheet 2 of 2, word 1 of 33", first.joined(separator: "\u{A0}")))
    if isTable {
      // The sheet's own table, along its rows: 1, 12 and 23 in the first.
      for row in 0..<11 {
        let line = [row, row + 11, row + 22].map { "\($0 + 1). \(second[$0])" }.joined(separator: "   ")
        answers.append(("sheet 2 of 2, word \(3 * row + 1) of 33", line))
      }
    } else {
      answers.append(("sheet 2 of 2, word 1 of 33", second[..<10].joined(separator: " ")))
      // Another word of the list, which the checksum finds.
      var mistaken = second
      mistaken[14] = second[14] == "academic" ? "acid" : "academic"
      answers.append(("word 11 of 33", mistaken[10..<20].joined(separator: " ").uppercased()))
      answers.append(("word 21 of 33", mistaken[20...].joined(separator: " ")))
      answers.append(("word 15 seems to be wrong", ""))
    }
    // Guardians prove no signer: whose the archive is, the kit tells.
    let run = try restore(
      machine, answers + Self.end.dropFirst(2) + [("type yes to trust it", "")], [machine.target])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("typed before") && !run.text.contains("archive's passphrase"))
    #expect(run.text.contains("Sheet 2 is right") && !run.text.contains("\\u{a}"), "\(run.text)")
    #expect(!run.text.contains(first[4]) || !run.text.contains(second[4]))
    #expect(machine.exists("new/keychain.sealed"))
  }

  @Test func `control-C at any question leaves nothing`() throws {
    let machine = try Machine()
    let questions = [
      ("archive's passphrase", Machine.passphrase), ("restore it, yes", ""),
      ("use the archive's passphrase", "no"), ("new passphrase", Self.new),
    ]
    for count in questions.indices {
      var answers = Array(questions[...count])
      answers[count].1 = "\u{3}"
      let run = try restore(machine, answers, ["--target", machine.target])
      #expect(run.status == 130, "\(count): \(run.text)")
      #expect(!machine.exists("new"))
      #expect(try machine.names(in: "tmp").isEmpty)
    }
  }

  @Test func `an archive of other programs' files alone asks for no data directory`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("kept as it is", to: "home/labels.dat")
    let settings = try machine.configure(onlySource: "file", at: machine.path("home/labels.dat"))
    try machine.run(["create"] + settings + machine.archiveSecret + Machine.quick, status: 0)
    try machine.remove("home/labels.dat")
    let run = try restore(
      machine,
      [
        ("archive's passphrase", Machine.passphrase), ("restore it, yes", ""),
        ("put them back into your home", ""),
      ], ["--target", machine.target])
    #expect(run.status == 0, "\(run.text)")
    #expect(run.text.contains("other programs' wallets only"), "\(run.text)")
    #expect(try machine.read("home/labels.dat") == Array("kept as it is".utf8))
  }

  @Test func `the confirmation shows that an existing wallet gets merged`() throws {
    let machine = try Machine()
    let run = try machine.type(
      [("archive's passphrase", Machine.passphrase), ("restore it, yes", "no")],
      ["restore", "--target", machine.target] + Machine.quick, status: 130)
    #expect(run.text.contains("It is merged with the wallet in \(machine.data)."), "\(run.text)")
  }

  @Test func `a no at the end restores nothing`() throws {
    let machine = try Machine()
    let run = try restore(
      machine,
      [
        ("archive's passphrase", Machine.passphrase), ("restore it, yes", "no"),
      ], ["--target", machine.target])
    #expect(run.status == 130 && run.text.contains("you said no"), "\(run.text)")
    #expect(run.text.contains("It goes to \(machine.path("new")).") && run.text.contains("add --datadir DIR"))
    #expect(!machine.exists("new"))
  }
}
