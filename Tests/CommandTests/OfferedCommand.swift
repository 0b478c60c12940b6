import FoundationEssentials
import TestSupport

/// A command of the program, with its options, as the program itself lists them.
struct OfferedCommand: Decodable {
  struct Argument: Decodable {
    struct Name: Decodable {
      let kind: String
      let name: String
    }
    let kind: String
    let isRepeating: Bool
    let names: [Name]?
  }
  private struct Program: Decodable {
    let command: OfferedCommand
  }

  let commandName: String
  let arguments: [Argument]?
  let subcommands: [OfferedCommand]?

  /// The command's options; of a group of commands, those of all of them, which share one page.
  var names: [Argument.Name] {
    (arguments ?? []).flatMap { $0.names ?? [] } + (subcommands ?? []).flatMap(\.names)
  }

  /// The commands, but for `help`.
  static let all: [OfferedCommand] = {
    guard let run = try? BuiltBinary.run(["--experimental-dump-help"]),
      let program = try? JSONDecoder().decode(Program.self, from: Data(run.output))
    else { return [] }
    return (program.command.subcommands ?? []).filter { $0.commandName != "help" }
  }()

  /// Returns the command of the words, and the words after its name; nil if there is none.
  static func named(by words: some Collection<Substring>) -> (command: OfferedCommand, rest: [Substring])? {
    guard let first = words.first, let command = all.first(where: { $0.commandName == first }) else {
      return nil
    }
    let rest = Array(words.dropFirst())
    guard let below = command.subcommands?.filter({ $0.commandName != "help" }), !below.isEmpty else {
      return (command, rest)
    }
    guard let name = rest.first, let sub = below.first(where: { $0.commandName == name }) else {
      return (command, rest)
    }
    return (sub, Array(rest.dropFirst()))
  }
}
