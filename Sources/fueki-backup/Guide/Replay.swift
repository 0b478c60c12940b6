internal import FuekiSystem

/// The user's answers as the equivalent options, which a guided run prints at its end.
///
/// A secret appears as the option that reads it from a file, never as itself.
enum Replay {
  private static let noted = Locked<[String]>([])

  /// Records an answer.
  ///
  /// A corrected answer is recorded only once it is accepted.
  static func note(_ words: String...) { noted.withLock { $0 += words } }

  /// All of them, in the order of the questions.
  static var words: [String] { noted.withLock { $0 } }

  /// Returns the user's words, without those that a guided run adds itself.
  static func kept(
    _ arguments: [String], without folder: String?, _ options: [(name: String, hasValue: Bool)]
  ) -> [String] {
    var kept: [String] = []
    var isValue = false
    var rest = folder
    for word in arguments {
      if isValue {
        isValue = false
      } else if let option = options.first(where: { $0.name == word }) {
        isValue = option.hasValue
      } else if options.contains(where: { $0.hasValue && word.hasPrefix("\($0.name)=") }) {
        continue
      } else if word == rest {
        rest = nil
      } else {
        kept.append(word)
      }
    }
    return kept
  }
}

/// A word of a command as a shell takes it.
package enum ShellWord {
  /// The word itself where no shell reads it otherwise, else in quotes.
  ///
  /// Characters that a terminal would not show are spelt as bytes, as in `$'jos\xe9'`.
  package static func quoted(_ word: String) -> String {
    guard !word.unicodeScalars.contains(where: { TerminalText.spelling(of: $0) != nil }) else {
      return "$'\(word.unicodeScalars.map(escaped).joined())'"
    }
    let isPlain = word.utf8.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x41...0x5a ~= byte || 0x61...0x7a ~= byte || "/._-+:,=".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String {
    guard TerminalText.spelling(of: scalar) != nil else {
      return ["'", "\\"].contains(scalar) ? "\\\(scalar)" : String(scalar)
    }
    return String(scalar).pathBytes.map { ($0 < 0x10 ? "\\x0" : "\\x") + String($0, radix: 16) }.joined()
  }
}

/// The words of a command as typed by the user, for a hint that repeats them.
enum TypedWords {
  /// The words after a command's name, whichever accepted name was typed: with long names for letters, and each
  /// consent as one word.
  static func after(_ command: String) -> [String] {
    let names = OtherNames.all(of: command)
    let words = CurrentProcess.arguments.dropFirst().drop { !names.contains($0) }.dropFirst()
    return ShortOption.spelledOut(Array(words)).reduce(into: []) { joined, word in
      guard joined.last == "--accept", let option = joined.popLast() else { return joined.append(word) }
      joined.append("\(option)=\(word)")
    }
  }
}
