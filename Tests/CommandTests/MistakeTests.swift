import FuekiSystem
import TestSupport
import Testing

/// A hundred mistakes: each has its exit status, and its message has the fault, the consequence and the next step.
struct MistakeTests {
  /// One machine for all of them: none of them changes anything.
  private static let machine = Result {
    let machine = try Machine()
    try Directory.makePrivateDirectories(machine.path("empty"))
    for (name, text) in [
      ("file", "hello"), ("void", ""), ("weak", "1234"), ("wrong", "wrong horse battery staple moon up"),
      ("sheet", "one two three four"), ("toml", "[[vault]]\nlabel = wallet\n"),
    ] { try machine.write(text, to: name) }
    try machine.write("correct horse battery staple moon up", to: "open", permissions: 0o644)
    return machine
  }

  private static func arguments(_ mistake: Mistake, _ machine: Machine) -> [String] {
    let places = [
      "NONE": machine.path("nowhere"), "EMPTY": machine.path("empty"), "TARGET": machine.target,
      "NEW": machine.path("new"), "FILE": machine.path("file"), "PASS": machine.path("passphrase"),
      "OPEN": machine.path("open"), "VOID": machine.path("void"), "WEAK": machine.path("weak"),
      "WRONG": machine.path("wrong"), "SHEET": machine.path("sheet"), "TOML": machine.path("toml"),
    ]
    func place(_ word: Substring) -> String { places[String(word)] ?? String(word) }
    return mistake.words.split(separator: " ").flatMap { word -> [String] in
      switch word {
      case "PASSES": return machine.secrets
      case "KEYCHAIN": return machine.keychainSecret
      case _ where word.hasPrefix("file:"): return ["file:\(place(word.dropFirst(5)))"]
      default: return [place(word)]
      }
    }
  }

  private static let optionNames = Set(OfferedCommand.all.flatMap(\.names).map(\.name))

  /// Commands and options that a text names, and that the program has not.
  private static func unknownNames(in text: String) -> [String] {
    let (hints, unknown) = HintTests.hints(in: text, at: "")
    let strange = hints.flatMap { hint in
      hint.options.filter { option in
        !hint.command.names.contains { "--\($0.name)" == option }
          && !["--help", "--help-all"].contains(option)
      }
    }
    let options = text.split { !$0.isLetter && $0 != "-" }.filter { $0.hasPrefix("--") }
      .filter { !optionNames.contains(String($0.dropFirst(2))) && !["--help", "--help-all"].contains($0) }
    return (unknown + strange + options).map(String.init)
  }

  @Test func `there are a hundred of them, each once`() {
    #expect(Mistake.all.count >= 100, "\(Mistake.all.count)")
    #expect(Set(Mistake.all.map { "\($0.words) \($0.isBare)" }).count == Mistake.all.count)
  }

  @Test(arguments: Mistake.all)
  func `a mistake has its status and three parts`(_ mistake: Mistake) throws {
    let machine = try Self.machine.get()
    let arguments = Self.arguments(mistake, machine)
    // A lock of its own for each.
    let state = "state-\(UInt64.random(in: .min ... .max))"
    try machine.copy("state", to: state)
    let data = mistake.isBare ? machine.path("none") : machine.data
    let run = try machine.run(
      arguments + ["--json"], environment: ["FUEKI_STATE": machine.path(state), "FUEKI_DATADIR": data])
    #expect(run.status == mistake.status, "\(run.text) \(run.errors)")
    let document = try run.json()
    #expect(document["schema"]?.text == "fueki.error/1" && document["id"]?.text == mistake.id, "\(run.text)")
    let parts = ["message", "meaning", "hint"].compactMap { document[$0]?.text }.filter { !$0.isEmpty }
    #expect(Set(parts).count == 3, "\(run.text)")
    for secret in ["hunter2", "abandon", "sausage", "legal"] {
      #expect(!run.text.contains(secret) && !run.errors.contains(secret), "\(run.text)")
    }
    #expect(!run.text.contains("own --help") && !run.text.contains(".tmp"), "\(run.text)")
    let typed = Set(arguments.map { String($0.prefix { $0 != "=" }) })
    for part in parts {
      #expect(Self.unknownNames(in: part).filter { !typed.contains($0) }.isEmpty, "\(part)")
    }
  }

  @Test(arguments: [
    ("create -t EMPTY --from FILE", "did you mean \"file:"), ("import FILE", "electrum"),
    ("show TARGET --guardian-shares SHEET", "not a guardian's sheet"),
    ("create --only keys -t EMPTY", "private-keys"),
    ("list --config TOML", "line 2: the value of \"label\""), ("show TARGET -p VOID", "it is empty"),
    ("create --passphrase hunter2", "in the shell's history now"),
    ("verify EMPTY", "Is this the right disk?"),
    (
      "restore legal winner thank year wave sausage worth useful legal winner thank yellow",
      "the 12 words you typed"
    ), ("export TARGET -o TARGET -p PASS", "with --output DIR"),
  ])
  func `what helps is in the message`(_ words: String, _ help: String) throws {
    let machine = try Self.machine.get()
    let run = try machine.run(Self.arguments(Mistake(words: words, status: 0, id: ""), machine))
    #expect(run.status != 0 && run.errors.contains(help), "\(run.errors)")
  }

  private static let closed = "/sys/kernel"

  @Test(.enabled(if: (try? FileStatus.of(closed)) != nil, "needs a folder where nobody can make a file"))
  func `a target that cannot be written is named, and no temporary file`() throws {
    let machine = try Machine()
    let run = try machine.run(["create", "-t", Self.closed] + machine.secrets)
    #expect(run.status == 1 && run.errors.contains("error: \(Self.closed): "), "\(run.errors)")
    #expect(!run.errors.contains(".tmp") && run.errors.contains("hint: "), "\(run.errors)")
  }
}
