internal import ArgumentParser

/// The command that arguments name, a group's with its subcommand.
struct CommandPath {
  /// The command, or the group that has no command of the next word.
  private(set) var command: any ParsableCommand.Type
  /// The names from the program's to the command's, as they are typed.
  private(set) var words: [String]
  /// The word that names no command of a group; nil if there is none.
  private(set) var unknown: String?

  init(_ arguments: [String], of root: any ParsableCommand.Type) {
    (command, words) = (root, [root._commandName])
    for word in arguments {
      let commands = command.configuration.subcommands
      guard !commands.isEmpty, !word.hasPrefix("-"), word != "help" else { return }
      guard let next = commands.first(where: { Self.names(of: $0).contains(word) }) else {
        unknown = word
        return
      }
      command = next
      words.append(next._commandName)
    }
  }

  /// The words as one text, such as "fueki-backup key list".
  var text: String { words.joined(separator: " ") }

  /// Whether it is a command, not the program or a group.
  var isWhole: Bool { command.configuration.subcommands.isEmpty }

  /// The place to look up the possible words.
  var helpHint: String {
    guard words.count > 1 else { return "\(text) --help lists the commands" }
    let page = words.prefix(2).joined(separator: "-")
    return isWhole
      ? "\(text) --help lists its options. The manual page is \(page)(1)"
      : "\(text) --help lists its commands"
  }

  /// Whether the command has an option, by its long name.
  func has(_ option: String, in root: any ParsableCommand.Type) -> Bool {
    guard isWhole else { return false }
    return root.helpMessage(for: command, includeHidden: true).split(whereSeparator: {
      " ,\n<>/".contains($0)
    }).contains {
      $0 == option
    }
  }

  static func names(of command: any ParsableCommand.Type) -> [String] {
    [command._commandName] + command.configuration.aliases
  }
}
