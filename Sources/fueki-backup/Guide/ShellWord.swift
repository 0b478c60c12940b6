internal import FuekiSystem

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
