internal import ArgumentParser

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

  /// The long name that the letter means; `-p` is followed by a file's path.
  private var meaning: String { self == .passphrase ? "passphrase-file" : long }

  /// The argument with long names if one of its letters is `-p`, whose value has another form than its long name's.
  static func withPathSpelledOut(_ argument: String) -> [String] {
    let names = longNames(of: argument)
    let isPath = names.contains { $0.hasPrefix("--\(passphrase.meaning)") } && !argument.hasPrefix("--")
    return isPath ? names : [argument]
  }

  /// The arguments with long names for the letters, which may be joined, as in `-nq`.
  ///
  /// Arguments after `--` stay as they are, and so does a word with a letter that is no option.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    return arguments[..<end].flatMap(longNames) + arguments[end...]
  }

  private static func longNames(of word: String) -> [String] {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let letters = parts.first, letters.count > 1, letters.hasPrefix("-"), !letters.hasPrefix("--")
    else {
      return [word]
    }
    let names = letters.dropFirst().compactMap { ShortOption(rawValue: $0)?.meaning ?? others[$0] }
    guard names.count == letters.count - 1 else { return [word] }
    guard parts.count == 2, let last = names.last else { return names.map { "--\($0)" } }
    return names.dropLast().map { "--\($0)" } + ["--\(last)=\(parts[1])"]
  }
}

extension NameSpecification {
  /// A long name and its letter.
  static func withLetter(_ option: ShortOption) -> NameSpecification {
    [.customShort(option.rawValue), .customLong(option.long)]
  }
}
