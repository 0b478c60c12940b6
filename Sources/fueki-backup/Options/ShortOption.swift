internal import ArgumentParser
internal import FoundationEssentials

/// The one-letter options: wherever a command has the long name, it has the letter too.
enum ShortOption: Character, CaseIterable {
  case target = "t"
  case passphrase = "p"
  case dryRun = "n"
  case output = "o"
  case identity = "i"
  case recipient = "r"
  case yes = "y"

  /// The long name, without its dashes.
  var long: String {
    switch self {
    case .target: "target"
    case .passphrase: "passphrase-from"
    case .dryRun: "dry-run"
    case .output: "output"
    case .identity: "identity"
    case .recipient: "recipient"
    case .yes: "yes"
    }
  }

  /// Letters of every command that stand for other options.
  private static let others: [Character: String] = ["q": "quiet", "v": "verbose", "h": "help"]

  /// The arguments with the long name for `-p` alone, whose value may be a path.
  static func withPlaces(_ arguments: [String]) -> [String] {
    spelledOut(arguments) { $0.contains(passphrase.long) }
  }

  /// The arguments with long names for the letters, which may be joined, as in `-nq`.
  ///
  /// Arguments after `--` stay as they are, and so does a word with a letter that is no option.
  static func spelledOut(
    _ arguments: [String], where isMeant: ([String]) -> Bool = { _ in true }
  ) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    var isAfterPassphrase = false
    let words = arguments[..<end].flatMap { word -> [String] in
      guard let (names, value) = longNames(of: word), isMeant(names) else {
        defer { isAfterPassphrase = false }
        return [isAfterPassphrase && !word.hasPrefix("-") ? SecretPlace.form(of: word) : word]
      }
      let isPassphrase = names.last == passphrase.long
      isAfterPassphrase = isPassphrase && value == nil
      let options = names.map { "--\($0)" }
      guard let value, let last = options.last else { return options }
      return options.dropLast() + ["\(last)=\(isPassphrase ? SecretPlace.form(of: value) : value)"]
    }
    return words + arguments[end...]
  }

  /// The long names of a word of letters, and its value behind an equals sign; nil for another word.
  private static func longNames(of word: String) -> (names: [String], value: String?)? {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let letters = parts.first, letters.count > 1, letters.hasPrefix("-"), !letters.hasPrefix("--")
    else { return nil }
    let names = letters.dropFirst().compactMap { ShortOption(rawValue: $0)?.long ?? others[$0] }
    guard names.count == letters.count - 1 else { return nil }
    return (names, parts.count == 2 ? String(parts[1]) : nil)
  }
}

extension NameSpecification {
  /// A long name and its letter.
  static func withLetter(_ option: ShortOption) -> NameSpecification {
    [.customShort(option.rawValue), .customLong(option.long)]
  }
}

/// Options that take one value and were given several: the parser would keep the last one in silence.
enum RepeatedOption {
  /// The parser's own list of a command's options.
  private struct Offered: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let kind: String
      let isRepeating: Bool
      let names: [Name]?
    }
    let command: Command
  }

  /// - Throws: a ``Failure`` that names each such option of the command.
  static func check(_ arguments: [String], _ path: CommandPath) throws {
    var counts: [String: Int] = [:]
    for word in ShortOption.spelledOut(arguments).prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      counts[String(word.dropFirst(2).prefix { $0 != "=" }), default: 0] += 1
    }
    // The list is made only where it is needed: making it takes time.
    guard path.isWhole, counts.values.contains(where: { $0 > 1 }) else { return }
    let offered = try JSONDecoder().decode(Offered.self, from: Data(path.command._dumpHelp().utf8))
    let repeated = (offered.command.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
      .compactMap { option in
        let names = (option.names ?? []).map(\.name)
        let count = names.reduce(0) { $0 + (counts[$1] ?? 0) }
        return count > 1 ? names.first { counts[$0] != nil } : nil
      }
    guard !repeated.isEmpty else { return }
    let names = repeated.map { "--\($0)" }.joined(separator: ", ")
    throw Failure(
      .usage,
      repeated.count == 1
        ? "\(names) takes one value, and was given more than once"
        : "each of these options takes one value, and was given more than once: \(names)",
      meaning: "nothing was done", hint: "keep the value that you mean. \(path.helpHint)")
  }
}
