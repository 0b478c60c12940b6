internal import ArgumentParser
internal import FoundationEssentials

/// Options that take one value and were given several: the parser would keep the last one in silence.
enum RepeatedOption {
  /// The parser's own list of a command's options.
  private struct Offered: Decodable {
    struct Command: Decodable { let arguments: [Argument]? }
    struct Argument: Decodable {
      struct Name: Decodable { let name: String }
      let kind: String
      let isRepeating: Bool
      let names: [Name]?
    }
    let command: Command
  }

  /// - Throws: a ``Failure`` that names each such option of the command.
  static func check(_ arguments: [String], _ path: CommandPath) throws {
    var counts: [String: Int] = [:]
    for word in ShortOption.spelledOut(arguments).prefix(while: { $0 != "--" }) where word.hasPrefix("--") {
      counts[String(word.dropFirst(2).prefix { $0 != "=" }), default: 0] += 1
    }
    // The list is made only where it is needed: making it takes time.
    guard path.isWhole, counts.values.contains(where: { $0 > 1 }) else { return }
    let offered = try JSONDecoder().decode(Offered.self, from: Data(path.command._dumpHelp().utf8))
    let repeated = (offered.command.arguments ?? []).filter { $0.kind == "option" && !$0.isRepeating }
      .compactMap { option in
        let names = (option.names ?? []).map(\.name)
        let count = names.reduce(0) { $0 + (counts[$1] ?? 0) }
        return count > 1 ? names.first { counts[$0] != nil } : nil
      }
    guard !repeated.isEmpty else { return }
    let names = repeated.map { "--\($0)" }.joined(separator: ", ")
    throw Failure(
      .usage,
      repeated.count == 1
        ? "\(names) takes one value, and was given more than once"
        : "each of these options takes one value, and was given more than once: \(names)",
      meaning: "nothing was done", hint: "keep the value that you mean. \(path.helpHint)")
  }
}
