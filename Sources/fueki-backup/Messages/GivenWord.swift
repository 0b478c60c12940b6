internal import ArgumentParser
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

/// Secrets typed on the command line, where every program of the machine, and the shell's history, can read them.
enum TypedSecret {
  /// Options that people guess, each with the option that reads the same secret from a file.
  private static let guessed: [String: String] = [
    "--passphrase": "--passphrase-from", "--password": "--passphrase-from", "--pass": "--passphrase-from",
    "--keychain-passphrase": "--keychain-passphrase-from", "--new-passphrase": "--new-passphrase-from",
    "--signing-passphrase": "--signing-passphrase-from", "--source-passphrase": "--source-passphrase-from",
    "--keystore-password": "--keystore-password-from", "--credential": "--credential-from",
    "--identity-key": "--identity", "--key": "--key-file", "--mnemonic": "--guardian-shares",
    "--seed": "--guardian-shares",
    "--words": "--guardian-shares", "--private-key": "--identity",
  ]
  /// The options that name the place of a secret.
  private static let places = SecretSource.Name.allCases.map(\.option) + ["--keystore-password-from"]
  /// The fewest words of a seed phrase.
  private static let fewestWords = 12
  private static let letterCounts = 3...8

  /// - Throws: a ``Failure`` that repeats nothing of the secret.
  static func check(_ arguments: [String], _ path: CommandPath, of root: any ParsableCommand.Type) throws {
    try checkOptions(arguments, path, root)
    try checkPlaces(arguments)
    let count = phraseLength(arguments)
    guard count >= fewestWords else { return }
    throw Failure(
      .usage, "the \(count) words you typed look like a seed phrase, and no command takes one",
      meaning:
        "they are in the shell's history now, and anyone who reads them can take the money. Nothing was done",
      hint:
        "delete the line from the history (\(forgetting)). If others can read it, move the money to new keys. "
        + "a guardian's words belong in a file that only you can read")
  }

  private static let forgetting =
    "in bash: history lists the lines, history -d NUMBER deletes one, history -w saves that"

  private static func checkOptions(
    _ arguments: [String], _ path: CommandPath, _ root: any ParsableCommand.Type
  ) throws {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    for (index, word) in arguments[..<end].enumerated() {
      let name = String(word.prefix { $0 != "=" })
      guard let file = guessed[name], !path.has(name, in: root) else { continue }
      let following = arguments.indices.contains(index + 1) ? arguments[index + 1] : ""
      let hasValue = word.contains("=") || !following.isEmpty && !following.hasPrefix("-")
      let way =
        path.has(file, in: root)
        ? "leave it out to be asked, or use \(file)\(file.hasSuffix("-from") ? " file:PATH" : " FILE")"
        : "leave it out"
      throw Failure(
        .usage, "\(name) does not exist: no secret belongs in a command",
        meaning: hasValue
          ? "what you typed is in the shell's history now, and other programs could read it. Nothing was done"
          : "nothing was done",
        hint: hasValue
          ? "\(way). Delete the line from the history (\(forgetting)), and change it if others use this machine"
          : way)
    }
  }

  /// - Throws: a ``Failure`` if an option for a secret's place is followed by something else, which may be the secret.
  private static func checkPlaces(_ arguments: [String]) throws {
    let end = arguments.firstIndex(of: "--") ?? arguments.endIndex
    for (word, next) in zip(arguments[..<end], arguments[..<end].dropFirst() + [""]) {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard let name = parts.first, places.contains(name) else { continue }
      let value = parts.count == 2 ? parts[1] : next
      guard !value.isEmpty, parts.count == 2 || !value.hasPrefix("-"), SecretPlace(argument: value) == nil
      else { continue }
      throw Failure(
        .usage, "\(name) tells where the secret is: \(SecretPlace.forms)",
        meaning: "nothing was done. If you typed the secret itself, it is in the shell's history now",
        hint: "for a file: \(name) file:PATH. To delete a line from the history, \(forgetting)")
    }
  }

  /// How many words in a row look like those of a phrase; names of files are none.
  private static func phraseLength(_ arguments: [String]) -> Int {
    var (longest, row) = (0, 0)
    for argument in arguments {
      let words = argument.split(whereSeparator: \.isWhitespace)
      let isPhrase = !words.isEmpty && words.allSatisfy(isWord) && (try? FileStatus.of(argument)) == nil
      row = isPhrase ? row + words.count : 0
      longest = max(longest, row)
    }
    return longest
  }

  private static func isWord(_ word: Substring) -> Bool {
    letterCounts.contains(word.utf8.count) && word.utf8.allSatisfy { 0x61...0x7a ~= $0 | 0x20 }
  }
}
