internal import ArgumentParser

/// Tells a command that does not exist from an argument, and names the nearest one that does.
enum MisspeltCommand {
  /// - Throws: a ``Failure`` where a group of commands is followed by a name that none of them has.
  static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
    var group = root
    var begun = root._commandName
    for word in arguments {
      let commands = group.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = commands.first(where: { names(of: $0).contains(word) }) else {
        throw failure(word, in: group, begun)
      }
      group = next
      begun += " \(word)"
    }
  }

  private static func failure(
    _ word: String, in group: any ParsableCommand.Type, _ begun: String
  ) -> Failure {
    let nearest = NearestName.of(word, among: group.configuration.subcommands.flatMap(names))
    return Failure(
      .usage, "\(begun) has no command of that name",
      hint: nearest.map { "did you mean \"\(begun) \($0)\"?" } ?? "\(begun) --help lists the commands")
  }

  private static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}
