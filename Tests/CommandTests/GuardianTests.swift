import FuekiSystem
import TestSupport
import Testing

/// Guardians, by the program: their sheets, what checks them, and what they open.
struct GuardianTests {
  func split(
    _ machine: Machine, _ threshold: Int, of count: Int, into folder: String = "guardians",
    _ more: [String] = []
  ) throws -> RunResult {
    try machine.run(
      ["guardians", "split", "--threshold", "\(threshold)", "--count", "\(count)"]
        + ["--output", machine.path(folder)] + more)
  }

  private func check(_ machine: Machine, _ names: [String], _ more: [String] = []) throws -> RunResult {
    try machine.run(["guardians", "check"] + names.map(machine.path) + more)
  }

  /// The line of a sheet that programs read.
  private func words(_ machine: Machine, _ name: String) throws -> [String] {
    let line = try machine.text(name).split(separator: "\n").first { $0.hasPrefix("words: ") }
    return try #require(line).split(separator: " ").dropFirst().map(String.init)
  }

  /// The table of a sheet, along its rows.
  private func table(_ machine: Machine, _ name: String) throws -> String {
    let lines = try machine.text(name).split(separator: "\n", omittingEmptySubsequences: false)
    let rows = lines.drop { !$0.contains(" 1. ") }.prefix { !$0.isEmpty }
    return rows.joined(separator: "\n")
  }

  /// The number of a set, which its shares have in common, from its public file.
  private func identifier(_ machine: Machine, _ folder: String) throws -> Substring? {
    let lines = try machine.text("\(folder)/guardians.txt").split(separator: "\n")
    return lines.first { !$0.hasPrefix("#") }?.split(separator: " ").dropFirst(3).first
  }

  static let vault = String(repeating: "5a", count: 16)

  @Test func `each guardian gets a sheet that says what it is, and only the public file is no secret`() throws
  {
    let machine = try Machine()
    let made = try split(machine, 3, of: 5).expect(0)
    #expect(try machine.names(in: "guardians").count == 6)
    #expect(try Directory.open(machine.path("guardians")).status().permissions == 0o700)
    let shown = try machine.run(["show", try #require(machine.archives().last), "--json"]).json()
    let vault = try #require(shown["header"]?["vault"]?.text)
    for member in 1...5 {
      let name = "guardians/guardian-\(member).txt"
      let sheet = try machine.text(name)
      let words = try words(machine, name)
      #expect(words.count == 33)
      #expect(try File.open(machine.path(name)).permissions() == 0o600)
      #expect(sheet.contains("\(member) of 5\n") && sheet.contains("3 shares\n") && sheet.contains(vault))
      let lines = sheet.split(separator: "\n")
      #expect(lines.filter { !$0.hasPrefix("words:") }.allSatisfy { $0.count <= 80 })
      // The table has the same words under their numbers.
      for (place, word) in words.enumerated() { #expect(sheet.contains(" \(place + 1). \(word)")) }
      // The words are neither shown nor written elsewhere.
      let line = words.joined(separator: " ")
      #expect(!made.text.contains(line) && !made.errors.contains(line))
    }
    let file = try machine.text("guardians/guardians.txt")
    #expect(file.contains("\nfueki-guardians-1 age1pq1") && file.contains("# vault \(vault)\n"))
    #expect(!file.contains(try words(machine, "guardians/guardian-1.txt").prefix(6).joined(separator: " ")))
  }

  @Test func `a share is intact by itself, however it was typed`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 2, ["--vault-id", Self.vault]).status == 0)
    let words = try words(machine, "guardians/guardian-2.txt")
    let numbered = words.enumerated().map { "\($0 + 1)" + [". ", ") ", "\t", "."][$0 % 4] + $1 }
    let table = try table(machine, "guardians/guardian-2.txt")
    let letters = words.map { String($0.prefix(4)) }
    let lines: String = numbered.joined(separator: "\r\n")
    var texts = [words.joined(separator: " "), words.joined(separator: "\n").uppercased()]
    texts.append(words.joined(separator: ", ") + ".")
    texts.append(words.joined(separator: ","))
    texts.append("# from the safe\r\n" + lines + "\r\n")
    texts.append("  Words:   " + words.joined(separator: "  ") + "\nseen on Tuesday\n")
    texts.append(letters.joined(separator: " "))
    texts.append(letters.joined(separator: "\n").uppercased())
    texts.append(words.joined(separator: "\u{A0}"))
    texts.append("\u{FEFF}" + words.joined(separator: "\u{202F} ") + "\u{200B}\r\n")
    // Along the rows of the sheet's table, whose numbers go down its columns.
    texts.append(table)
    texts.append(table.replacing("   ", with: " \u{2502} ").uppercased())
    var generator = TestSeed.random()
    texts.append(numbered.shuffled(using: &generator).joined(separator: "\n"))
    for text in texts {
      try machine.write(text, to: "typed")
      let result = try check(machine, ["typed"], ["--guardians", machine.path("guardians/guardians.txt")])
      #expect(result.status == 0, "\(text): \(result.text) \(result.errors)")
      #expect(result.text.contains("guardian 2 of 2, 2 are needed"))
    }
  }

  @Test func `a sheet saved in UTF-16 is the same sheet`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 2, ["--vault-id", Self.vault]).status == 0)
    for (member, isLittle) in [(1, true), (2, false)] {
      let sheet = try machine.text("guardians/guardian-\(member).txt").replacing("\n", with: "\r\n")
      let units = ("\u{FEFF}" + sheet).utf16.flatMap { unit in
        isLittle ? [UInt8(unit & 0xFF), UInt8(unit >> 8)] : [UInt8(unit >> 8), UInt8(unit & 0xFF)]
      }
      try machine.write(units, to: "saved-\(member)")
    }
    let result = try check(
      machine, ["saved-1", "saved-2"], ["--guardians", machine.path("guardians/guardians.txt")])
    #expect(result.status == 0, "\(result.text) \(result.errors)")
  }

  @Test func `what is wrong with a share is named, and where`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 3, ["--vault-id", Self.vault]).status == 0)
    let words = try words(machine, "guardians/guardian-1.txt")
    func problem(_ words: [String]) throws -> JSONValue? {
      try machine.write(words.joined(separator: " "), to: "typed")
      let result = try check(machine, ["typed"], ["--json"]).expect(12)
      let document = try result.json()
      #expect(document["schema"] == .string("fueki.guardians/1") && document["ok"] == .bool(false))
      return document["shares"]?[0]
    }
    var wrong = words
    wrong[16] = "bitcoin"
    #expect(try problem(wrong)?["word"] == .number(17))
    wrong[16] = words[16] == "academic" ? "acid" : "academic"
    #expect(try problem(wrong)?["problem"]?.text?.contains("a word is wrong") == true)
    #expect(try problem(wrong)?["word"] == nil)
    wrong = words
    wrong.swapAt(20, 21)
    if wrong != words { #expect(try problem(wrong)?["problem"]?.text?.contains("order") == true) }
    #expect(try problem(Array(words.dropLast()))?["problem"]?.text?.contains("32 words") == true)
    // A whole share of SLIP-0039, which is none of a key of this program.
    let foreign = """
      shaft dream academic acid axle memory easy surface entrance glasses laden acquire purple blanket being luxury \
      script medical toxic meaning
      """
    #expect(try problem([foreign])?["problem"]?.text?.contains("does not make such shares") == true)
  }

  @Test func `other guardians, another vault and the same share twice are told apart`() throws {
    let machine = try Machine(isPrepared: false)
    #expect(try split(machine, 2, of: 3, into: "ours", ["--vault-id", Self.vault]).status == 0)
    #expect(try split(machine, 2, of: 3, into: "theirs", ["--vault-id", Self.vault]).status == 0)
    // One pair of sets in 32,768 has the same number.
    while try identifier(machine, "theirs") == identifier(machine, "ours") {
      try machine.remove("theirs")
      try #require(try split(machine, 2, of: 3, into: "theirs", ["--vault-id", Self.vault]).status == 0)
    }
    let guardians = ["--guardians", machine.path("ours/guardians.txt")]
    let foreign = try check(machine, ["ours/guardian-1.txt", "theirs/guardian-2.txt"], guardians).expect(12)
    #expect(foreign.text.contains("intact: \(machine.path("ours/guardian-1.txt"))"))
    let wrong = "wrong: \(machine.path("theirs/guardian-2.txt")): it is a whole share, but of other"
    #expect(foreign.text.contains(wrong))
    let other = try check(
      machine, ["ours/guardian-1.txt"], guardians + ["--vault-id", String(repeating: "00", count: 16)])
    #expect(other.status == 12 && other.text.contains("another vault"))
    let mixed = try check(machine, ["ours/guardian-1.txt", "theirs/guardian-1.txt"])
    #expect(mixed.status == 12 && mixed.text.contains("another set"))
    let twice = try check(machine, ["ours/guardian-1.txt", "ours/guardian-1.txt"])
    #expect(twice.status == 12 && twice.text.contains("same guardian"))
    #expect(try check(machine, (1...3).map { "ours/guardian-\($0).txt" }, guardians).status == 0)
  }

  @Test func `a folder with something in it, wrong numbers and readable files are refused`() throws {
    let machine = try Machine(isPrepared: false)
    try machine.write("x", to: "full/x")
    #expect(try split(machine, 2, of: 3, into: "full", ["--vault-id", Self.vault]).status == 40)
    #expect(try machine.names(in: "full") == ["x"])
    for (threshold, count) in [(1, 3), (4, 3), (2, 17), (0, 0)] {
      #expect(try split(machine, threshold, of: count, ["--vault-id", Self.vault]).status == 64)
    }
    for vault in ["", "5a", "zz" + Self.vault.dropFirst(2)] {
      #expect(try split(machine, 2, of: 3, ["--vault-id", vault]).status == 64)
    }
    #expect(!machine.exists("guardians"))
    #expect(try split(machine, 2, of: 3, ["--vault-id", Self.vault]).status == 0)
    try machine.write(machine.read("guardians/guardian-1.txt"), to: "open", permissions: 0o644)
    #expect(try check(machine, ["open"]).status == 64)
    #expect(try check(machine, ["nothing"]).status == 12)
    try machine.write("# no words\n\n", to: "empty")
    #expect(try check(machine, ["empty"]).status == 12)
    let two = try machine.text("guardians/guardian-1.txt") + machine.text("guardians/guardian-2.txt")
    try machine.write(two, to: "two")
    #expect(try check(machine, ["two"]).status == 12)
  }

  @Test func `where there is no wallet the guardians are those of the machine's other backups`() throws {
    let machine = try Machine(isPrepared: false)
    let first = try split(machine, 2, of: 2, into: "one", ["--json"])
    #expect(first.status == 0 && first.errors.contains("no wallet store"))
    let second = try split(machine, 2, of: 2, into: "two", ["--json"])
    #expect(try first.json()["vault"] == second.json()["vault"])
    #expect(try first.json()["identifier"] != nil)
    #expect(try split(machine, 2, of: 2, into: "three", ["--datadir", machine.path("nowhere")]).status == 10)
    #expect(!machine.exists("three"))
  }
}
