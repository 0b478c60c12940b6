internal import FuekiSystem

/// A word of the command line, as an error may repeat it.
///
/// People paste seed phrases and keys where a path belongs, and errors go into logs and to other people.
enum GivenWord {
  private static let replacement = "of the name that you gave"
  private static let mostDigits = 8
  private static let mostNameBytes = 32
  private static let keyByteCount = 40

  /// Returns the word if it cannot be a secret that was typed, else a phrase without it.
  ///
  /// Shown are paths, names of archives, short ids, numbers and everything that exists; a path that the program made of
  /// a typed word counts as that word.
  static func shown(_ word: String) -> String {
    let arguments = CurrentProcess.arguments
    let isRepeated = arguments.indices.dropFirst().contains { index in
      let typed = SecretPlace.withoutScheme(arguments[index])
      guard !typed.isEmpty, word == typed || word.hasSuffix("/\(typed)") else { return false }
      return !isPlain(typed) && !(["--target", "-t"].contains(arguments[index - 1]) && isName(typed))
    }
    return isRepeated && (try? FileStatus.of(word)) == nil ? replacement : word
  }

  private static func isPlain(_ word: String) -> Bool {
    word == "latest" || isShortID(word) || isPath(word) || isRemote(word)
      || isUnbroken(word) && word.lowercased().hasSuffix(".fueki")
  }

  /// A path that begins as one; base64 of a key may begin with a slash, too.
  private static func isPath(_ word: String) -> Bool {
    guard ["/", "~/", "./", "../"].contains(where: word.hasPrefix), !hasKey(word) else { return false }
    guard word.hasPrefix("/"), word.utf8.count >= keyByteCount, word.utf8.allSatisfy(isBase64) else {
      return true
    }
    guard let top = word.split(separator: "/").first else { return true }
    return (try? FileStatus.of("/\(top)")) != nil
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
    case UInt8(ascii: "0")...UInt8(ascii: "9"): true
    default: byte == UInt8(ascii: "+") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "=")
    }
  }

  /// A remote that is set up, without settings, which may hold passwords.
  private static func isRemote(_ word: String) -> Bool {
    word.hasPrefix("rclone:") && isUnbroken(word) && !word.contains { ",=\\".contains($0) } && !hasKey(word)
  }

  /// A folder's name where a folder belongs.
  private static func isName(_ word: String) -> Bool {
    isUnbroken(word) && word.utf8.count <= mostNameBytes && !hasKey(word)
  }

  private static func isUnbroken(_ word: String) -> Bool { !word.contains { $0.isWhitespace } }

  private static func hasKey(_ word: String) -> Bool {
    let word = word.uppercased()
    return ["AGE-", "XPRV", "YPRV", "ZPRV", "TPRV"].contains(where: word.contains)
  }

  /// A short id or a number; words of seed phrases, such as "decade", have no digit.
  private static func isShortID(_ word: String) -> Bool {
    word.count <= mostDigits && word.allSatisfy(\.isHexDigit) && word.contains(where: \.isNumber)
  }
}

/// The parser's message about an unreadable command line, without the values that it repeats.
enum ParserMessage {
  private static let secrecy = ". It is not repeated here, since it may be a secret"

  /// Returns the message without the user's values, but with the names of options.
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

  /// Removes x from "The value 'x' is invalid for '<y>': z", wherever it appears.
  private static func withoutValue(_ message: String) -> String {
    for middle in ["' is invalid for '", "' is invalid."] {
      guard let found = message.firstRange(of: middle) else { continue }
      let value = message[message.index(message.startIndex, offsetBy: valuePrefix.count)..<found.lowerBound]
      let rest = message[found.lowerBound...].dropFirst()
      // The user's text may itself resemble the parser's words.
      let isTyped = CurrentProcess.arguments.contains { $0 == value || $0.hasSuffix("=\(value)") }
      guard isTyped, value.isEmpty || !rest.contains(value) else { break }
      return "the value\(rest)"
    }
    return "a value is not valid" + secrecy
  }
}
