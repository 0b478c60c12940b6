internal import ArgumentParser
internal import FuekiSystem

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
