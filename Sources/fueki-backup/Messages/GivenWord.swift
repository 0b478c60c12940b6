internal import FuekiSystem

/// A word of the command line, as an error may repeat it.
///
/// People paste seed phrases and keys where a path belongs, and errors go into logs and to other people.
enum GivenWord {
  private static let replacement = "of the name that you gave"
  private static let mostDigits = 16

  /// Returns the word if it looks like a path, a number or a short id, else a phrase without it.
  static func shown(_ word: String) -> String {
    let isTyped = CurrentProcess.arguments.dropFirst().contains(word)
    return !isTyped || isPlain(word) ? word : replacement
  }

  private static func isPlain(_ word: String) -> Bool {
    if word == "latest" || word.hasPrefix("rclone:") { return true }
    if word.hasPrefix("/") || word.hasPrefix("~/") || word.hasPrefix("./") || word.hasPrefix("../") {
      return true
    }
    if isShortID(word) { return true }
    let isOneWord = !word.contains { $0.isWhitespace }
    return isOneWord && !word.uppercased().hasPrefix("AGE-") && (word.contains("/") || word.contains("."))
  }

  /// A short id or a number; words of seed phrases, such as "decade", have no digit.
  private static func isShortID(_ word: String) -> Bool {
    word.count <= mostDigits && word.allSatisfy(\.isHexDigit) && word.contains(where: \.isNumber)
  }
}

/// What the parser says of a command line that it cannot read, without the values that it repeats.
enum ParserMessage {
  private static let secrecy = "; it is not repeated here, since it may be a secret"

  /// Returns the message without what was typed; names of options stay.
  static func withoutValues(_ message: String) -> String {
    if message.hasPrefix("Unexpected argument '") {
      return "the command takes no such argument" + secrecy
    }
    if let middle = message.firstRange(of: " unexpected arguments: '"),
      message[..<middle.lowerBound].allSatisfy(\.isNumber)
    {
      return "the command takes no such arguments: \(message[..<middle.lowerBound]) words too many; "
        + "they are not repeated here, since they may be secret"
    }
    if message.hasPrefix("Invalid option: ") { return "there is an argument that is no option" + secrecy }
    if let middle = message.firstRange(of: "' does not take any value, but '") {
      return "\(message[..<middle.lowerBound])' does not take a value\(secrecy)"
    }
    guard message.hasPrefix(valuePrefix) else { return message }
    return withoutValue(message)
  }

  private static let valuePrefix = "The value '"

  /// Of "The value 'x' is invalid for '<y>': z" all but x, wherever that is.
  private static func withoutValue(_ message: String) -> String {
    for middle in ["' is invalid for '", "' is invalid."] {
      guard let found = message.firstRange(of: middle) else { continue }
      let value = message[message.index(message.startIndex, offsetBy: valuePrefix.count)..<found.lowerBound]
      let rest = message[found.lowerBound...].dropFirst()
      // What was typed may itself look like the parser's words.
      let isTyped = CurrentProcess.arguments.contains { $0 == value || $0.hasSuffix("=\(value)") }
      guard isTyped, value.isEmpty || !rest.contains(value) else { break }
      return "the value\(rest)"
    }
    return "a value is not valid" + secrecy
  }
}
