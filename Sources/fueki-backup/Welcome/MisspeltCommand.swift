internal import ArgumentParser

/// Distinguishes an unknown command from an argument, and suggests the nearest existing one.
enum MisspeltCommand {
  /// - Throws: a ``Failure`` if a group of commands is followed by a name that none of them has.
  static func check(_ path: CommandPath) throws {
    guard path.unknown != nil else { return }
    throw Failure(
      .usage,
      path.words.count > 1 ? "\(path.text) has no command of that name" : "there is no command of that name",
      meaning: "nothing was done",
      hint: nearest(path).map { "did you mean \"\(path.text) \($0)\"?" } ?? path.helpHint)
  }

  /// Returns the nearest command by its own name, even if another program's name for it is nearer.
  private static func nearest(_ path: CommandPath) -> String? {
    guard let word = path.unknown else { return nil }
    let own = path.command.configuration.subcommands.flatMap(CommandPath.names)
    let others = path.words.count > 1 ? [] : OtherNames.table.filter { own.contains($0.own) }.map(\.other)
    return NearestName.of(word, among: own + others).map(path.words.count > 1 ? { $0 } : OtherNames.own)
  }
}
