/// A word of a command as a shell takes it.
enum ShellWord {
  /// The word itself where no shell reads it otherwise, else in quotes.
  static func quoted(_ word: String) -> String {
    let isPlain = word.utf8.allSatisfy { byte in
      0x30...0x39 ~= byte || 0x41...0x5a ~= byte || 0x61...0x7a ~= byte || "/._-+:,=".utf8.contains(byte)
    }
    return isPlain && !word.isEmpty ? word : "'\(word.replacing("'", with: "'\\''"))'"
  }
}
