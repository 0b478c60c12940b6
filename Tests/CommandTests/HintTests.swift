import FuekiSystem
import TestSupport
import Testing

/// The program has each command in its messages, with the same options.
struct HintTests {
  /// A command in a message: its words and its place.
  struct Hint {
    let command: OfferedCommand
    let options: [Substring]
    let place: String
  }

  /// The text of the program's own sources that people may read: string literals, joined where a line continues one.
  private static func literals(of path: String) throws -> [(text: String, line: Int)] {
    let text = String(decoding: try File.open(path).readAll(limit: 1 << 20), as: UTF8.self)
    var found: [(text: String, line: Int)] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let code = line.drop { $0 == " " }
      guard !code.hasPrefix("//"), !code.hasPrefix("commandName:") else { continue }
      let literal = code.matches(of: #/"((?:[^"\\]|\\.)*)"/#).map { String($0.output.1) }
      guard let first = literal.first else { continue }
      // A literal that goes on is one text with the line before.
      if code.hasPrefix("+ \""), let last = found.popLast() {
        found.append((last.text + first, last.line))
        found += literal.dropFirst().map { ($0, index + 1) }
      } else {
        found += literal.map { ($0, index + 1) }
      }
    }
    return found
  }

  static func sources(below folder: String) throws -> [String] {
    try Directory.open(folder).list().flatMap { entry -> [String] in
      guard let name = entry.text else { return [] }
      let path = "\(folder)/\(name)"
      if entry.kind == .directory { return try sources(below: path) }
      return name.hasSuffix(".swift") ? [path] : []
    }
  }

  private static func plain(_ word: Substring) -> Substring {
    var word = word
    while let first = word.first, "\\\"'(`".contains(first) { word.removeFirst() }
    while let last = word.last, "\\\"'),;:.`?".contains(last) { word.removeLast() }
    return word
  }

  /// The commands in a text that options follow, and those behind the program's name.
  static func hints(in text: String, at place: String) -> (hints: [Hint], unknown: [Substring]) {
    let words = text.replacing("\\\"", with: " ").split(separator: " ")
    var hints: [Hint] = []
    var unknown: [Substring] = []
    for index in words.indices {
      let before = index > 0 ? words[index - 1] : ""
      let isNamed =
        plain(before) == "fueki-backup" && !(before.last.map(",;:.)".contains) ?? false)
        && !words[index].contains("\\(")
      let rest = words[index...]
      guard let found = OfferedCommand.named(by: rest.prefix(2).map(plain)) else {
        if isNamed, let first = words[index].first, first.isLowercase, first.isASCII, words[index] != "is" {
          unknown.append(words[index])
        }
        continue
      }
      let depth = OfferedCommand.all.contains { $0.commandName == found.command.commandName } ? 1 : 2
      var options: [Substring] = []
      for word in rest.dropFirst(depth) {
        let isOption = word.drop { "\\\"'(".contains($0) }.hasPrefix("--")
        if options.isEmpty, !isOption, !isNamed { break }
        if isOption { options.append(plain(word).prefix { $0 != "=" && $0 != "[" }) }
        if let last = word.last, ",;:.)".contains(last) { break }
      }
      if isNamed || !options.isEmpty {
        hints.append(Hint(command: found.command, options: options, place: place))
      }
    }
    return (hints, unknown)
  }

  @Test func `every command in a message has the options that the message gives it`() throws {
    let folder = "\(SourceTree.path)/Sources/fueki-backup"
    var count = 0
    for path in try Self.sources(below: folder) {
      for literal in try Self.literals(of: path) {
        let (hints, unknown) = Self.hints(
          in: literal.text, at: "\(path.dropFirst(folder.count + 1)):\(literal.line)")
        #expect(unknown.isEmpty, "\(path):\(literal.line): \(literal.text)")
        for hint in hints {
          let names = Set(hint.command.names.map { $0.kind == "long" ? "--\($0.name)" : "-\($0.name)" })
          for option in hint.options where !Self.helps.contains(option) {
            count += 1
            #expect(names.contains(String(option)), "\(hint.place): \(hint.command.commandName) \(option)")
          }
        }
      }
    }
    #expect(count > 20, "\(count)")
  }

  private static let helps: Set<Substring> = ["--help", "--help-all", "--help-hidden", "--version"]

  /// Options of other programs, and what people type by mistake.
  private static let others: Set<Substring> = [
    "--now", "--product", "--passphrase", "--password", "--pass", "--keychain-passphrase", "--new-passphrase",
    "--signing-passphrase", "--source-passphrase", "--keystore-password", "--credential", "--identity-key",
    "--key", "--mnemonic", "--seed", "--words", "--private-key",
  ]

  @Test func `every option in a message is the program's`() throws {
    let folder = "\(SourceTree.path)/Sources/fueki-backup"
    let names = Set(OfferedCommand.all.flatMap(\.names).map { Substring("--\($0.name)") })
    var count = 0
    for path in try Self.sources(below: "\(folder)/Messages") + Self.sources(below: "\(folder)/Commands")
      + Self.sources(below: "\(folder)/Lineage") + Self.sources(below: "\(folder)/Guide")
    {
      for literal in try Self.literals(of: path) {
        for option in literal.text.split(whereSeparator: { !$0.isLetter && $0 != "-" })
        where option.hasPrefix("--") && option.count > 2 && option.last != "-" {
          count += 1
          let isKnown = names.contains(option) || Self.helps.contains(option) || Self.others.contains(option)
          #expect(isKnown, "\(path):\(literal.line): \(option)")
        }
      }
    }
    #expect(count > 30, "\(count)")
  }
}
