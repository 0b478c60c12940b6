import FuekiSystem
import TestSupport
import Testing

/// The help: the options of every day first, and the others behind `--help-all`.
struct HelpTests {
  /// Each command's words and its options.
  private static let commands: [(words: [String], names: Set<String>)] = OfferedCommand.all.flatMap {
    words(of: $0, [])
  }

  private static func words(of command: OfferedCommand, _ before: [String]) -> [([String], Set<String>)] {
    let words = before + [command.commandName]
    let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
    guard below.isEmpty else { return below.flatMap { self.words(of: $0, words) } }
    return [(words, Set(command.names.filter { $0.kind == "long" }.map { "--\($0.name)" }))]
  }

  private static func options(in text: String) -> Set<String> {
    let words = text.split(separator: "\n").filter { $0.hasPrefix("  -") }.flatMap {
      $0.split(separator: " ").prefix(2)
    }
    return Set(words.filter { $0.hasPrefix("--") }.map(String.init))
  }

  @Test func `no line is wider than 80 characters`() throws {
    #expect(Self.commands.count > 30)
    for words in Self.commands.map(\.words) + [[]] {
      for option in ["--help", "--help-all"] {
        let run = try BuiltBinary.run(words + [option])
        #expect(run.status == 0, "\(words)")
        for line in run.text.split(separator: "\n") { #expect(line.count <= 80, "\(words): \(line)") }
      }
    }
  }

  @Test func `the long help has every option, the short one says where they are`() throws {
    var shortest = Int.max
    for (words, names) in Self.commands {
      let all = try BuiltBinary.run(words + ["--help-all"]).text
      let short = try BuiltBinary.run(words + ["--help"]).text
      let expected = names.subtracting(["--help", "--version"])
      #expect(
        expected.isSubset(of: Self.options(in: all)),
        "\(words): \(expected.subtracting(Self.options(in: all)))")
      let isShorter = !expected.isSubset(of: Self.options(in: short))
      let line = "More options: fueki-backup \(words.joined(separator: " ")) --help-all"
      #expect(short.contains(line) == isShorter && !all.contains("More options:"), "\(words): \(short)")
      if isShorter { shortest = min(shortest, Self.options(in: short).count) }
    }
    #expect(shortest < 12, "\(shortest)")
  }

  @Test(arguments: [("create", 15), ("restore", 18), ("verify", 12), ("drill", 10), ("status", 16)])
  func `a command of every day shows a screen of options`(_ command: String, _ most: Int) throws {
    let shown = Self.options(in: try BuiltBinary.run([command, "--help"]).text)
    #expect(shown.count <= most, "\(shown.count): \(shown)")
    #expect(shown.contains("--target") && shown.contains("--json"))
    guard command == "status" else { return }
    #expect(shown.isSuperset(of: ["--problems-only", "--report", "--expected-signer", "--write-expected"]))
  }

  @Test func `shells complete the options that the short help leaves out`() throws {
    for shell in ["bash", "zsh", "fish"] {
      let script = try BuiltBinary.run(["--generate-completion-script", shell]).text
      for name in ["kdf-memory", "trusted-signer", "no-sandbox", "passphrase-from"] {
        #expect(script.contains(name), "\(shell): \(name)")
      }
    }
  }

  @Test func `the words of an option are in one place`() throws {
    var places: [String: Int] = [:]
    let folder = "\(SourceTree.path)/Sources/fueki-backup"
    for path in try HintTests.sources(below: folder) {
      let text = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
      for match in text.matches(of: #/(?:help: |ArgumentHelp\(\s*)"((?:[^"\\]|\\.){12,})"/#) {
        places[String(match.output.1), default: 0] += 1
      }
    }
    #expect(places.count > 100)
    #expect(places.filter { $0.value > 1 }.isEmpty, "\(places.filter { $0.value > 1 })")
  }
}
