import CommandSupport
import TestSupport
import Testing

/// Machines of one person that share a folder, with one passphrase: none takes another's place unnoticed.
struct TwoMachinesTests {
  private let folder: Machine

  init() throws { folder = try Machine(isPrepared: false) }

  /// Another machine with files of its own, whose name is the content's beginning.
  private func machine(_ name: String, files: [String], settings: String = "") throws -> Machine {
    let machine = try Machine.sharing(folder, label: name, settings: settings)
    for file in files { try add(file, to: machine) }
    return machine
  }

  private func add(_ file: String, to machine: Machine) throws {
    try machine.write("the money in \(file), of which nobody has a copy", to: "home/x/\(file)")
  }

  @discardableResult
  private func create(_ machine: Machine, _ options: [String] = [], status: Int32 = 0) throws -> RunResult {
    try run(machine, ["create"] + options, status: status)
  }

  @discardableResult
  private func run(_ machine: Machine, _ arguments: [String], status: Int32) throws -> RunResult {
    let run = try machine.run(arguments + ["--config", machine.path("config.toml")])
    #expect(run.status == status, "\(arguments): \(run.text)\(run.errors)")
    return run
  }

  private func archives(_ label: String) throws -> [String] {
    try folder.names(in: "target").filter { $0.hasPrefix(label) && $0.hasSuffix(".fueki") }.sorted()
  }

  private func vault(_ label: String) throws -> String {
    let list = try folder.run(["list", folder.target, "--json"]).json()["archives"]?.elements ?? []
    return try #require(
      list.first { $0["path"]?.text?.contains("/\(label)-") ?? false }?["vault"]?.text)
  }

  @Test func `a machine that has nothing of the other's makes no archive until one of two ways is chosen`()
    throws
  {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: ["b"]))
    try create(one)
    // Not "all is well", and no promise.
    #expect(try run(two, ["status"], status: 60).text.contains("if what its newest archive has is here"))
    let refused = try create(two, status: 60)
    for part in ["--continue", "--new-vault", "archive 1", "nothing of what it has was found here"] {
      #expect(refused.errors.contains(part), "\(refused.errors)")
    }
    #expect(try archives("two").isEmpty)
    try create(two, ["--new-vault"])
    try create(two)
    try run(two, ["status"], status: 0)
    _ = try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").count == 1 && archives("two").count == 1)
    try create(one)
  }

  @Test func `a machine that has some of the other's keeps its own vault, and says so each night`() throws {
    let (one, two) = (try machine("one", files: ["a", "b"]), try machine("two", files: ["a", "c"]))
    try create(one)
    let vault = try vault("one")
    for options in [[], ["--on-change"], ["--on-change"]] {
      let night = try create(two, options + ["--json"], status: 3).json()
      #expect(night["undecided_vault"]?.text == vault, "\(night)")
    }
    #expect(try run(two, ["status"], status: 60).text.contains("--new-vault"))
    #expect(try create(two, ["-q"], status: 3).text.contains("--continue \(vault.prefix(12))"))
    try create(two, ["--new-vault"])
    try run(two, ["status"], status: 0)
    #expect(try archives("one").count == 1)
  }

  @Test func `a machine that is told to go on reports what is missing, and the other's newest archive stays`()
    throws
  {
    let (one, two) = (try machine("one", files: ["a", "b"]), try machine("two", files: ["c"]))
    try create(one)
    let vault = try vault("one")
    try create(two, ["--continue", "0123456789"], status: 64)
    try create(two, ["--continue", vault, "--new-vault"], status: 64)
    let first = try create(two, ["--continue", String(vault.prefix(8))], status: 3)
    #expect(first.text.contains("MISSING: file ~/x/a"), "\(first.text)")
    let said = first.errors
    let choice = try #require(said.firstRange(of: "--new-vault"))
    #expect(try choice.lowerBound < #require(said.firstRange(of: "--accept loss")).lowerBound, "\(said)")
    try create(two, ["--accept", "loss"])
    try create(two)
    let pruned = try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(pruned.text.contains("key retire"), "\(pruned.text)")
    #expect(try archives("one").count == 1 && archives("two").count == 1)
    // Its own vault from here on, which has nothing of the other's.
    let own = try create(two, ["--new-vault", "--json"])
    #expect(try own.json()["sequence"] == .number(1))
    #expect(try create(two, ["--new-vault", "--json"]).json()["sequence"] == .number(2))
  }

  @Test func `a machine that has all of it takes the other's place, so that its archive may go`() throws {
    let (one, two) = (try machine("one", files: ["a", "b"]), try machine("two", files: ["a", "b", "c"]))
    try create(one)
    let next = try create(two, ["--json"])
    #expect(try next.json()["sequence"] == .number(2))
    try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").isEmpty && archives("two").count == 1)
    // The other one goes on, so that its newest stays.
    try create(one, status: 3)
    try create(two, status: 3)
    try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").count == 1)
  }

  @Test func `a file in the place of the other's is no newer version of it, and prune keeps both`() throws {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: []))
    try two.write("other money in a, of which nobody has a copy either", to: "home/x/a")
    try create(one)
    let first = try create(two, ["--continue", try vault("one")], status: 3)
    #expect(first.text.contains("MISSING: file ~/x/a as it was, last in number 1"), "\(first.text)")
    // Each machine's own file may change as it likes.
    try two.write("other money in a, and more of it, of which nobody has a copy", to: "home/x/a")
    try create(two, status: 3)
    try one.remove("home/x/a")
    try add("b", to: one)
    let last = try create(one, status: 3)
    for loss in ["a as it was, last in number 1", "a, last in number 3"] {
      #expect(last.text.contains("MISSING: file ~/x/\(loss)"), "\(last.text)")
    }
    for machine in [two, one] {
      try run(machine, ["prune", "--keep-last", "1", "--yes"], status: 0)
      #expect(try archives("one").count == 2 && archives("two").count == 1)
    }
    try create(one, ["--accept", "loss"])
    try run(one, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").count == 1 && archives("two").count == 1)
  }

  @Test func `a change of the passphrase of another machine's archive does not make its things one's own`()
    throws
  {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: []))
    try two.write("other money in a, of which nobody has a copy either", to: "home/x/a")
    try create(one)
    try create(two, ["--continue", try vault("one")], status: 3)
    try create(one, status: 3)
    try two.write("other money in a, and more of it, of which nobody has a copy", to: "home/x/a")
    try create(two, status: 3)
    try one.write("another passphrase altogether, 44 bytes long", to: "new")
    try run(
      one,
      ["key", "change-passphrase", "latest", "--update-passphrase-file", "--passphrase-from"]
        + [one.place("passphrase"), "--new-passphrase-from", one.place("new")] + Machine.quick, status: 0)
    let last = try create(one, status: 3)
    #expect(last.text.contains("MISSING: file ~/x/a as it was, last in number 5"), "\(last.text)")
  }

  @Test func `a machine that looks at another's archive does not take its place`() throws {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: []))
    try two.write("other money in a, of which nobody has a copy either", to: "home/x/a")
    try create(one)
    try create(two, ["--continue", try vault("one")], status: 3)
    for machine in [one, two] { try create(machine, status: 3) }
    let look = ["restore", "latest", "--datadir", one.path("looked"), "--files", "none"]
    let looked = try one.run(look + ["-p", one.path("passphrase"), "--config", one.path("config.toml")])
    #expect([0, 3].contains(looked.status) && one.exists("looked"), "\(looked.errors)")
    let next = try create(one, status: 3)
    #expect(next.text.contains("MISSING: file ~/x/a as it was, last in number 4"), "\(next.text)")
    try run(one, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("two").count == 1)
  }

  @Test(arguments: ["given up there", "retired"])
  func `what another machine lists stays until it is given up there, or that machine is gone`(_ end: String)
    throws
  {
    let (one, two) = (try machine("one", files: ["a", "b"]), try machine("two", files: ["b"]))
    try create(one)
    try one.remove("home/x/a")
    try create(one, status: 3)
    try create(two, ["--continue", try vault("one")], status: 3)
    try create(two, ["--accept", "loss"])
    let prune = ["prune", "--keep-last", "1", "--yes"]
    let kept = try run(two, prune, status: 0).text
    #expect(try archives("one").count == 2, "\(kept)")
    #expect(kept.contains("file ~/x/a") && !kept.contains("--accept"), "\(kept)")
    if end == "retired" {
      let command = try #require(kept.firstRange(of: "key retire "))
      let signer = String(kept[command.upperBound...].prefix(64))
      try run(two, ["key", "retire", signer], status: 0)
      let left = try run(two, prune, status: 0).text
      #expect(!left.contains("file ~/x/a"), "\(left)")
    } else {
      try create(one, ["--accept", "loss"], status: 3)
      try create(two, status: 3)
      try run(two, prune, status: 0)
      #expect(try archives("one").count == 1)
    }
  }

  @Test func `an older state of a machine with a key of its own takes its archives for its own`() throws {
    let key = folder.path("own.key")
    try #require(try folder.run(["key", "new-signer", "-o", key, "--no-passphrase"]).status == 0)
    let one = try machine("one", files: ["a"], settings: "sign_key = \"\(key)\"")
    try create(one)
    try one.copy("state", to: "before")
    try one.write("the money in a, and more of it, of which nobody has a copy", to: "home/x/a")
    try create(one)
    try one.remove("state")
    try one.copy("before", to: "state")
    try one.write("the money in a, and much more of it, of which nobody has a copy", to: "home/x/a")
    // It does not remember the archive, and another machine may have the same key.
    let next = try create(one, status: 3)
    #expect(!next.text.contains("MISSING"), "\(next.text)")
    try create(one)
  }

  @Test func `files of the same places with other contents are no proof`() throws {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: []))
    try two.write("other money in a, of which nobody has a copy either", to: "home/x/a")
    // What both have proves nothing of the rest.
    for machine in [one, two] { try add("note", to: machine) }
    try create(one)
    let own = try create(two, ["--json"], status: 3).json()
    #expect(own["sequence"] == .number(1), "\(own)")
  }

  @Test func `the machine's own key continues its vault, whatever else is in the folder`() throws {
    let (one, two) = (try machine("one", files: ["a", "b"]), try machine("two", files: ["c"]))
    try create(two)
    try create(one, ["--new-vault"])
    let state = try one.names(in: "state")
    for name in state where !name.hasPrefix("signing-") { try one.remove("state/\(name)") }
    try one.remove("home/x/b")
    let next = try create(one, ["--json"], status: 3).json()
    #expect(next["sequence"] == .number(2) && next["losses"]?.elements.count == 1, "\(next)")
  }

  @Test func `a vault that begins beside an unknown one says so once`() throws {
    let one = try machine("one", files: ["a"])
    try create(one)
    let two = try machine(
      "two", files: ["a"], settings: "id = \"00112233445566778899aabbccddeeff\"")
    try two.write("another passphrase altogether, 44 bytes long", to: "passphrase")
    let begun = try create(two, status: 3)
    #expect(try begun.text.contains(vault("one")), "\(begun.text)")
    try create(two)
  }

  @Test(
    .enabled(if: Typist.isPossible, "this machine has no python3 for a pseudo-terminal"),
    arguments: ["yes", "no"])
  func `init asks whether the machine goes on with the other's vault`(_ answer: String) throws {
    let one = try machine("one", files: ["a"])
    try create(one)
    let passphrase = try one.text("passphrase").split(separator: "\n")[0]
    let two = try Machine(isPrepared: false)
    try two.write(ImportedFiles.electrum, to: "home/.electrum/wallets/default_wallet")
    let setUp = try two.type(
      [
        ("the folder for the archives", folder.target), ("copy it elsewhere", "no"),
        ("new passphrase", String(passphrase)), ("the same again", String(passphrase)),
        ("go on with that vault", answer),
      ], ["init"] + Machine.quick)
    #expect(setUp.status == 0 && setUp.text.contains("archive 1 was made"), "\(setUp.text)")
    let made = try two.run(["create", "--json"])
    #expect(made.status == (answer == "yes" ? 3 : 0), "\(made.text)\(made.errors)")
    #expect(try made.json()["sequence"] == .number(answer == "yes" ? 2 : 1))
  }

  @Test func `prune removes nothing that another machine made since, and a lost state takes no one's place`()
    throws
  {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: ["a", "b"]))
    try create(one)
    try create(two)
    try create(one, status: 3)
    try create(one, ["--new-vault"])
    // The vault that it left is the other machine's now.
    try run(one, ["status"], status: 0)
    try add("w", to: two)
    try create(two, status: 3)
    try two.remove("home/x/w")
    try create(two, status: 3)
    try run(one, ["prune", "--keep-last", "1", "--yes"], status: 0)
    let night = try create(two, ["--json"], status: 3).json()
    let last = try #require(night["losses"]?.elements.first?["archive"]?.text)
    #expect(try archives("two").contains { $0.contains(last.prefix(12)) }, "\(night)")
    // What it took over was its own.
    try add("w", to: two)
    try create(two)
    try two.remove("state")
    try create(two)
    try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    let vault = try vault("two")
    let left = try folder.run(["list", folder.target, "--json"]).json()["archives"]?.elements ?? []
    #expect(left.filter { $0["vault"]?.text == vault }.count == 2, "\(left)")
  }

  @Test func `a vault that only the named key signs is its own`() throws {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: ["b"]))
    let key = folder.path("own.key")
    try #require(try folder.run(["key", "new-signer", "-o", key, "--no-passphrase"]).status == 0)
    try create(one)
    for number in [1.0, 2] {
      let made = try create(two, ["--sign-key", key, "--new-vault", "--json"])
      #expect(try made.json()["sequence"] == .number(number))
    }
  }

  /// What holds where no signature tells machines apart: the man page says so.
  @Test(arguments: [["--unsigned"], ["shared key"]])
  func `machines without keys of their own are one to prune`(_ options: [String]) throws {
    let (one, two) = (try machine("one", files: ["a"]), try machine("two", files: ["b"]))
    let key = folder.path("signing.key")
    if options != ["--unsigned"] {
      #expect(try folder.run(["key", "new-signer", "-o", key, "--no-passphrase"]).status == 0)
    }
    let signing = options == ["--unsigned"] ? options : ["--sign-key", key]
    try create(one, signing)
    let isNamed = options != ["--unsigned"]
    let continued = isNamed ? [] : ["--continue", try vault("one")]
    try create(two, signing + continued, status: 3)
    // Until the loss is accepted, the archive stays.
    try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").count == 1)
    try create(two, signing + ["--accept", "loss"])
    try run(two, ["prune", "--keep-last", "1", "--yes"], status: 0)
    #expect(try archives("one").isEmpty)
  }
}
