internal import FuekiSystem

/// Names of version 0.3.0 that have better ones now.
///
/// They work on, and each use of one tells the new name on standard error.
enum FormerNames {
  /// Commands, each with its present name.
  static let commands = ["mend": "repair", "shares": "key-shares"]

  /// Returns the arguments with the present names of `key`'s commands, also after `help`.
  static func spelledOut(_ arguments: [String]) -> [String] {
    let start = arguments.first == "help" ? 1 : 0
    guard arguments.dropFirst(start).starts(with: ["key", "generate"]) else { return arguments }
    let rest = arguments.dropFirst(start + 2)
    let isIdentity = rest.contains { $0 == "--recipient" || $0 == "-r" }
    return arguments[..<start] + ["key", isIdentity ? "new-identity" : "new-signer"]
      + rest.filter { !isIdentity || $0 != "--recipient" && $0 != "-r" }
  }

  /// Tells the present names of the former ones among the arguments, as they were typed.
  static func note(_ arguments: [String]) {
    guard !arguments.contains("-q"), !arguments.contains("--quiet") else { return }
    for (former, present) in pairs(arguments) {
      try? StandardStream.error.write("note: \"\(former)\" is now \"\(present)\"\n")
    }
  }

  private static func pairs(_ arguments: [String]) -> [(former: String, present: String)] {
    let words = arguments.first == "help" ? Array(arguments.dropFirst()) : arguments
    guard let command = words.first else { return [] }
    var pairs: [(former: String, present: String)] = []
    if let present = commands[command] { pairs.append((command, present)) }
    let spelled = spelledOut(words)
    if spelled != words { pairs.append(("key generate", spelled.prefix(2).joined(separator: " "))) }
    let options = words.prefix { $0 != "--" }
    if options.contains("--files-only"), OtherNames.own(command) == "restore" {
      pairs.append(("restore --files-only", "put-back"))
    }
    if options.contains(where: { $0 == "--shares" || $0.hasPrefix("--shares=") }) {
      pairs.append(("--shares", "--guardian-shares"))
    }
    return pairs
  }
}
