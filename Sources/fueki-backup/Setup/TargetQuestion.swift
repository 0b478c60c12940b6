internal import FuekiBackup
internal import FuekiSystem

/// Asks once whether a folder that nobody declared is copied elsewhere, and has the configuration remember.
enum TargetQuestion {
  /// The targets with what a person says of them.
  ///
  /// Without a terminal nobody is asked, and what is not declared counts as synced.
  ///
  /// - Parameters:
  ///   - targets: those of the run.
  ///   - configuration: what is declared.
  ///   - path: where the configuration is, or will be.
  ///   - console: where it is said what was written.
  /// - Returns: the targets, in the same order.
  /// - Throws: ``CommandError/configuration(_:)`` where the file would not be one any more, and what writing it throws.
  static func answered(
    _ targets: [Target], _ configuration: Configuration, in path: String, _ console: Console
  ) throws -> [Target] {
    let declared = Set(configuration.targets.map(\.target.place))
    guard Terminal.isAvailable else { return targets }
    var folders = FolderQuestions()
    var asked: Set<String> = []
    let answered = try targets.map { target in
      guard target.kind == .synced, !declared.contains(target.place) else { return target }
      // What is not there fails where it is looked at, and is not remembered.
      guard (try? target.check()) != nil else { return target }
      asked.insert(target.place)
      let kind = try folders.kind(of: target.path)
      return Target(path: target.path, kind: kind == .local ? .local : .synced)
    }
    let new = answered.filter { asked.contains($0.place) }
    let others = answered.filter { !asked.contains($0.place) }
    var includesKeys: Bool?
    if new.contains(where: \.isSeenByOthers) {
      // One archive for all: the keys go into it only if every such target has them.
      if configuration.keysDecision(for: others, areAllowed: false) == .included {
        includesKeys = try KeysQuestion.ask(new, isExplained: folders.isExplained)
      } else {
        Asking.say([
          "Unencrypted keys stay out, as they do without this folder: another target keeps them out."
        ])
      }
    }
    for target in new {
      try remember(target, target.isSeenByOthers ? includesKeys : nil, in: path)
      console.note("\(path) now lists \(target.path) as \(target.kind.rawValue), a target of every backup")
    }
    return answered
  }

  private static func remember(_ target: Target, _ includesKeys: Bool?, in path: String) throws {
    var text = try ConfigurationText.present(at: path)
    var table = ConfigurationText(comment: [])
    table.begin(.target)
    table.add("path", try AbsolutePath.of(target.path))
    table.add("kind", target.kind.rawValue)
    if let includesKeys { table.add("private_keys", includesKeys) }
    text += table.text
    // What was written has to be what was meant.
    _ = try Configuration(ConfigurationFile(path: path, text: text))
    try OutputFile.update(text, at: path)
  }
}
