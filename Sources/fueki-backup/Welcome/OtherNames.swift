internal import ArgumentParser

/// The command names of other backup programs, accepted as well as this program's own.
enum OtherNames {
  /// Each accepted name with the command that it stands for, as the help lists them.
  static let table: [(other: String, own: String)] = [
    ("backup", "create"), ("snapshots", "list"), ("check", "verify"), ("forget", "prune"),
    ("extract", "restore"), ("info", "show"),
  ]

  /// The names as one phrase, such as "backup (create)"; only those of commands that the program offers.
  static func phrase(offered: [any ParsableCommand.Type]) -> String {
    let own = Set(offered.map { $0._commandName })
    return table.filter { own.contains($0.own) }.map { "\($0.other) (\($0.own))" }.joined(separator: ", ")
  }

  /// The command that an accepted name stands for; the name itself if it is none.
  static func own(_ name: String) -> String {
    table.first { $0.other == name }?.own ?? name
  }

  /// Returns the accepted names of a command, its own first.
  static func all(of own: String) -> [String] {
    [own] + table.filter { $0.own == own }.map(\.other)
  }

  /// The arguments with the program's own name for the command, also after `help`.
  static func spelledOut(_ arguments: [String], of root: any ParsableCommand.Type) -> [String] {
    let place = arguments.first == "help" ? 1 : 0
    guard arguments.indices.contains(place) else {
      return arguments
    }
    let name = own(arguments[place])
    guard root.configuration.subcommands.contains(where: { $0._commandName == name }) else {
      return arguments
    }
    var arguments = arguments
    arguments[place] = name
    return arguments
  }
}
