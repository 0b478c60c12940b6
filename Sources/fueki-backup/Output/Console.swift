internal import FuekiSystem

/// The output of a command: results to standard output, all else to standard error.
struct Console {
  let isJSON: Bool
  let isQuiet: Bool
  let isVerbose: Bool

  /// A line of the result.
  func line(_ text: String = "", _ tone: Tone = .plain) {
    write(Screen(.output).shown(TerminalText.line(text), tone))
  }

  /// A line of the result that is copied or read by a program, and so is never broken.
  func verbatim(_ text: String) { write(TerminalText.line(text)) }

  /// Several lines of the result, of this program's own making.
  func page(_ text: String) { write(TerminalText.page(text)) }

  private func write(_ text: String) {
    guard !isJSON else { return }
    StandardOutput.write(text + "\n")
  }

  /// Prints a line about completed work, which `-q` hides, as the exit status has the same information.
  func report(_ text: String, _ tone: Tone = .plain) {
    guard !isQuiet else { return }
    line(text, tone)
  }

  /// Prints a fact for the user that is no result.
  func note(_ text: String) {
    guard !isQuiet else { return }
    try? StandardStream.error.write(Screen(.error).shown(TerminalText.line(text)) + "\n")
  }

  /// Prints a warning of a possible loss, which `-q` does not hide.
  func warning(_ text: String) {
    try? StandardStream.error.write(Screen(.error).shown("warning: \(TerminalText.line(text))") + "\n")
  }

  /// Something that only who asks for detail wants to see.
  func detail(_ text: String) {
    guard isVerbose else { return }
    note(text)
  }
}
