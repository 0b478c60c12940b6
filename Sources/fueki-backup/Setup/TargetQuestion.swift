internal import FuekiBackup
internal import FuekiSystem

/// Asks once whether an undeclared folder is copied elsewhere, and writes the answer to the configuration.
enum TargetQuestion {
  /// Returns the targets with the user's answers.
  ///
  /// Without a terminal there is no question, and an undeclared target counts as synced.
  ///
  /// - Parameters:
  ///   - targets: those of the run.
  ///   - configuration: the declared targets.
  ///   - path: the place of the configuration, which may not exist yet.
  ///   - console: reports what was written.
  /// - Returns: the targets, in the same order.
  /// - Throws: ``CommandError/configuration(_:)`` if the file would become invalid, and errors from writing it.
  static func answered(
    _ targets: [Target], _ configuration: Configuration, in path: String, _ console: Console
  ) throws -> [Target] {
    let declared = Set(configuration.targets.map(\.target.place))
    guard Terminal.isAvailable else { return targets }
    var folders = FolderQuestions()
    var asked: Set<ExactText> = []
    let answered = try targets.map { target in
      guard target.kind == .synced, !declared.contains(target.place) else { return target }
      // A missing target fails when it is inspected, and is not remembered.
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
    // The written configuration must be valid.
    _ = try Configuration(ConfigurationFile(path: path, text: text))
    try OutputFile.update(text, at: path)
  }
}
