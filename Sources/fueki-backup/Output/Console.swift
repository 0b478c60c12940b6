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

/// Numbers as people read them.
enum Readable {
  /// A byte count with a binary unit.
  static func bytes(_ count: UInt64) -> String {
    let units = ["B", "KiB", "MiB", "GiB", "TiB"]
    var value = Double(count)
    var unit = 0
    while value >= 1024, unit < units.count - 1 {
      value /= 1024
      unit += 1
    }
    return unit == 0 ? "\(count) B" : "\(tenths(value)) \(units[unit])"
  }

  /// A span of seconds in its largest unit.
  static func age(_ seconds: Int64) -> String {
    switch seconds {
    case ..<(-60): "less than no time"
    // Noted after the present was read.
    case ..<0: "0 s"
    case ..<120: "\(seconds) s"
    case ..<7200: "\(seconds / 60) min"
    case ..<172_800: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) days"
    }
  }

  /// Returns a number with its noun: "1 wallet", "2 wallets".
  static func count(_ count: some BinaryInteger, _ noun: String) -> String {
    count == 1 ? "1 \(noun)" : "\(count) \(noun)s"
  }

  /// A number of records in the words of their section's name: "1 private key", "2 private keys".
  static func records(_ count: some BinaryInteger, of section: String) -> String {
    let noun = section.replacing("-", with: " ")
    return "\(count) \(count == 1 && noun.hasSuffix("s") ? String(noun.dropLast()) : noun)"
  }

  /// Seconds with one decimal.
  static func seconds(_ value: Double) -> String { "\(tenths(value)) s" }

  private static func tenths(_ value: Double) -> String {
    let rounded = Int((value * 10).rounded())
    return "\(rounded / 10).\(rounded % 10)"
  }
}
